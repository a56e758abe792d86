#!/bin/sh
# Tests the verifier of equivalence with mutants of the small copies of the
# examples, of the examples as the verifier makes them small, and of the corpus:
# scripts/mutants.sh [options of mirage-mutate]. MUTANTS is how many of the first
# and of the last (default 5000 each). Prints a table for each of the three.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
bin=${MIRAGE_BIN:-$root/build/release/bin}
count=${MUTANTS:-5000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0

cd "$root/test/Verification/Inputs"
"$bin/mirage-mutate" --mutants "$count" "$@" *.mlir || status=1

cd "$root/examples"
"$bin/mirage-mutate" --mutants $((count / 20)) --max-size 200000 "$@" *.mlir ||
  status=1

for program in "$root"/test/Corpus/*.mlir; do
  case $program in
  */tosa-*) pipeline=--mirage-import-tosa ;;
  *) pipeline=--mirage-import-linalg=assume-assertions=true ;;
  esac
  # What stays as it is, is reported when mutants of it are to be made.
  "$bin/mirage-opt" $pipeline "$program" -o "$folder/${program##*/}" 2>/dev/null
done
cd "$folder"
"$bin/mirage-mutate" --mutants "$count" "$@" *.mlir || status=1
exit $status

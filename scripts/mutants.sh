#!/bin/sh
# Tests the verifier of equivalence with mutants of the small copies of the
# examples and of the corpus: scripts/mutants.sh [options of mirage-mutate].
# MUTANTS is how many of both (default 5000 each). Prints two tables.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
bin=${MIRAGE_BIN:-$root/build/release/bin}
count=${MUTANTS:-5000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0

"$bin/mirage-mutate" --mutants "$count" "$@" \
  "$root"/test/Verification/Inputs/*.mlir || status=1

for program in "$root"/test/Corpus/*.mlir; do
  case $program in
  */tosa-*) pipeline=--mirage-import-tosa ;;
  *) pipeline=--mirage-import-linalg ;;
  esac
  "$bin/mirage-opt" $pipeline "$program" -o "$folder/$(basename "$program")"
done
"$bin/mirage-mutate" --mutants "$count" "$@" "$folder"/*.mlir || status=1
exit $status

#!/usr/bin/env bash
# Runs functions of .mlir files on the GPU and checks every element of their
# results against the error bound that mirage-run derives, on several kinds of
# random inputs; with --sanitize also under compute-sanitizer.
#
#   scripts/test-device.sh [--mirage-run PATH] [--device KIND] [--sanitize]
#                          [--time] [--only REGEX] [file.mlir …]
#
# --only restricts the functions to those whose names match. --device=threads runs
# the kernels on the CPU, with mirage-run's check for races.
# Without files: test/Device/*.mlir and examples/*.mlir. Needs an NVIDIA driver;
# a static mirage-run (preset "static") can be carried to a machine with a GPU.
set -u
cd "$(dirname "$0")/.."

run=build/release/bin/mirage-run
device=cuda
sanitize=no
only=.
options=()
files=()
while [ $# -gt 0 ]; do
  case "$1" in
  --mirage-run) run=$2; shift ;;
  --device) device=$2; shift ;;
  --device=*) device=${1#*=} ;;
  --sanitize) sanitize=yes ;;
  --only) only=$2; shift ;;
  --time) options+=(--time) ;;
  -h | --help) sed -n '2,13p' "$0"; exit 0 ;;
  -*) echo "unknown option $1" >&2; exit 2 ;;
  *) files+=("$1") ;;
  esac
  shift
done
[ ${#files[@]} -gt 0 ] || files=(test/Device/*.mlir examples/*.mlir)
[ -x "$run" ] || { echo "$run is not there: build it or name it with --mirage-run" >&2; exit 2; }
if [ $sanitize = yes ] && ! command -v compute-sanitizer >/dev/null; then
  echo "compute-sanitizer is not on the PATH" >&2
  exit 2
fi

passed=0
failed=0
unchecked=0
check() { # description, command …
  local name=$1 log
  shift
  # A kernel that hangs must not take the other tests with it.
  if log=$(timeout 120 "$@" 2>&1); then
    passed=$((passed + 1))
    if grep -q "none was checked" <<<"$log"; then
      unchecked=$((unchecked + 1))
    fi
    echo "ok    $name: $(grep -E '^(bound|median|time)' <<<"$log" | sed 's/^bound //' | tr '\n' ' ')"
  else
    failed=$((failed + 1))
    echo "FAIL  $name"
    tail -n 30 <<<"$log" | sed 's/^/        /'
  fi
}

for file in "${files[@]}"; do
  for entry in $(sed -n 's/^ *func\.func @\([A-Za-z0-9_]*\).*/\1/p' "$file"); do
    [[ $entry =~ $only ]] || continue
    for inputs in "normal 1" "uniform 2" "large 3" "scaled 4"; do
      set -- $inputs
      kind=$1 scale=1
      [ "$kind" = scaled ] && kind=normal scale=8
      check "$file @$entry $1" "$run" "$file" --entry="$entry" --device="$device" \
        --distribution="$kind" --scale=$scale --seed="$2" ${options[@]+"${options[@]}"}
    done
    [ $sanitize = yes ] || continue
    for tool in memcheck racecheck synccheck; do
      check "$file @$entry $tool" compute-sanitizer --tool "$tool" --error-exitcode 9 \
        "$run" "$file" --entry="$entry" --device=cuda
    done
  done
done
echo "$unchecked of them with results that overflow everywhere, whose elements have no bound"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

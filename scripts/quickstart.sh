#!/usr/bin/env bash
# From a fresh clone to PTX: sets up, builds, then for one program prints its
# µGraphs, runs them beside the plain program, and lowers everything to PTX.
# Needs neither a GPU nor CUDA.
#
#   scripts/quickstart.sh [program.mlir]      default: examples/gqa.mlir
#
# In the program, a function @NAME_mugraph is compared with @NAME.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

if [ $# -gt 1 ] || [ "${1:-}" = --help ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
  exit 2
fi
program=$(realpath -- "${1:-$mirage_root/examples/gqa.mlir}")
if ! [ -r "$program" ]; then
  complain "cannot read ${1:-$program}"
  exit 1
fi

mirage_set_up
mirage_build mirage-opt mirage-run mirage-translate

PATH=$mirage_build/bin:$PATH
output=$mirage_build/quickstart/$(basename "$program" .mlir)
mkdir -p "$output"

say "The program, as mirage-opt prints it"
mirage-opt "$program" | tee "$output/program.mlir"
functions=$(sed -n 's/^ *func\.func @\([A-Za-z0-9_.$-]*\)(.*/\1/p' "$output/program.mlir")

compared=0
for function in $functions; do
  plain=${function%_mugraph}
  if [ "$plain" = "$function" ] || ! grep -qx -- "$plain" <<<"$functions"; then
    continue
  fi
  compared=1
  say "@$function beside @$plain on random inputs, in f64: errors are those of the order of operations"
  mirage-run "$program" --entry="$function" --compare="$plain" \
    --precision=f64 --tolerance=1e-9
  say "The same, every value rounded to its type, beside @$plain in f64"
  mirage-run "$program" --entry="$function" --compare="$plain" \
    --compare-precision=f64 | grep '^difference'
done
if [ $compared = 0 ]; then
  say "Nothing to compare: there is no function @NAME_mugraph beside a @NAME"
fi

say "Lowering to PTX"
mirage-opt "$program" --mirage-lower-to-nvvm -o "$output/nvvm.mlir"
mirage-translate "$output/nvvm.mlir" --mirage-to-ptx -o "$output"
python3 "$mirage_root/scripts/print_kernels.py" "$output"

say "Written to ${output#"$mirage_root"/}: program.mlir, nvvm.mlir, kernels.ptx, manifest.json"

#!/usr/bin/env bash
# From a fresh clone to PTX: sets up, builds, then for one program searches for
# better kernels, verifies them, runs them beside what they replace, and lowers
# everything to PTX. Needs neither a GPU nor CUDA.
#
#   scripts/quickstart.sh [program.mlir] [options of mirage-optimize]
#
# The default is examples/corpus/torch-rmsnorm-linear-f16.mlir, as PyTorch wrote
# it, and kernels=1: one kernel for each part of the program. In the program, a
# function @NAME_mugraph is compared with @NAME.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

if [ $# -gt 2 ] || [ "${1:-}" = --help ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
  exit 2
fi
program=$(realpath -- "${1:-$mirage_root/examples/corpus/torch-rmsnorm-linear-f16.mlir}")
if ! [ -r "$program" ]; then
  complain "cannot read ${1:-$program}"
  exit 1
fi

mirage_set_up
mirage_build mirage-opt mirage-run mirage-translate

PATH=$mirage_build/bin:$PATH
output=$mirage_build/quickstart/$(basename "$program" .mlir)
mkdir -p "$output"

say "Searching: what is replaced, and by which estimated times"
if ! mirage-opt "$program" --mirage-optimize="keep-original ${2:-kernels=1}" \
  --remarks-filter=mirage-superoptimize -o "$output/program.mlir" 2>"$output/remarks.txt"; then
  cat "$output/remarks.txt" >&2
  exit 1
fi
sed -n 's/.*remark: .* | Category:mirage-superoptimize | Function=\([^ ]*\) | Remark="\(.*\)"$/@\1: \2/p' \
  "$output/remarks.txt"
say "The program with the kernels that were found"
cat "$output/program.mlir"
if grep -q 'mirage.equivalent_to' "$output/program.mlir"; then
  say "Verifying once more what was found"
  mirage-opt "$output/program.mlir" --mirage-verify-equivalence -o /dev/null
fi

functions=$(sed -n 's/^ *func\.func \(private \)\{0,1\}@\([A-Za-z0-9_.$-]*\)(.*/\2/p' "$output/program.mlir")
compared=0
compare() {
  compared=1
  say "@$1 beside @$2 on random inputs, in f64: errors are those of the order of operations"
  mirage-run "$output/program.mlir" --entry="$1" --compare="$2" \
    --precision=f64 --tolerance=1e-9
  say "The same, every value rounded to its type, beside @$2 in f64"
  mirage-run "$output/program.mlir" --entry="$1" --compare="$2" \
    --compare-precision=f64 | grep '^difference'
}
for function in $functions; do
  if grep -qx -- "${function}_original" <<<"$functions"; then
    compare "$function" "${function}_original"
  fi
  plain=${function%_mugraph}
  if [ "$plain" != "$function" ] && grep -qx -- "$plain" <<<"$functions"; then
    compare "$function" "$plain"
  fi
done
if [ $compared = 0 ]; then
  say "Nothing to compare: nothing was replaced, and there is no @NAME_mugraph beside a @NAME"
fi

say "Lowering to PTX"
mirage-opt "$output/program.mlir" --mirage-lower-to-nvvm -o "$output/nvvm.mlir"
mirage-translate "$output/nvvm.mlir" --mirage-to-ptx -o "$output"
python3 "$mirage_root/scripts/print_kernels.py" "$output"

say "Written to ${output#"$mirage_root"/}: program.mlir, nvvm.mlir, kernels.ptx, manifest.json"

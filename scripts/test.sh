#!/usr/bin/env bash
# Sets up, builds everything and runs all tests: those written in MLIR and the
# unit tests in C++, both through lit. The last line is "N passed, N failed".
#
#   scripts/test.sh [options for lit, such as --filter=Kernel]
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# Whatever stops the tests from running counts as one failure.
stop() {
  echo "0 passed, 1 failed"
  exit 1
}

mirage_set_up || stop
mirage_build all MirageUnitTests || stop

say "Testing"
results=$mirage_build/test/results.json
mkdir -p "$mirage_build/test"
rm -f "$results"
python3 "$mirage_llvm/bin/lit" -sv -o "$results" "$@" \
  "$mirage_build/test" "$mirage_build/test/Unit"
lit_status=$?
python3 "$mirage_root/scripts/count_results.py" "$results" $lit_status

"""Prints lit's totals as "N passed, N failed" and exits with 1 on any failure.

    count_results.py results.json lit-exit-status

results.json is what `lit --output` wrote. Tests that cannot run here
(unsupported) or that were not asked for (skipped, excluded) count as neither.
"""

import collections
import json
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
NOT_RUN = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main(path, lit_status):
    try:
        with open(path) as file:
            tests = json.load(file)["tests"]
    except (OSError, ValueError, KeyError) as error:
        print(f"error: lit left no results: {error}", file=sys.stderr)
        tests = []
    codes = collections.Counter(test["code"] for test in tests)
    passed = sum(codes[code] for code in PASSED)
    # Everything else, known to us or not, is a failure: FAIL, XPASS,
    # UNRESOLVED, TIMEOUT.
    failed = sum(codes.values()) - passed - sum(codes[code] for code in NOT_RUN)
    if failed == 0 and (lit_status != 0 or passed == 0):
        # lit itself failed, or there was nothing to test.
        print(f"error: lit exited with {lit_status} after {passed} tests passed",
              file=sys.stderr)
        failed = 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))

#!/usr/bin/env python3
"""Times the choice of kernels for random programs by a binary program, on one thread:
seconds are the thread's.

    scripts/benchmark.sh orchestration [--programs N]

The first program has as many execution states and kernels as the largest one of the
Korch paper (section 5.2), for which the paper allows 1,000 seconds.
"""
import argparse
import json
import os
import subprocess

from common import BIN, BUILD, print_head, print_row

TOOL = "mirage-orchestrations"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=12, help="others than the first")
    args = parser.parse_args()
    subprocess.run(
        ["cmake", "--build", BUILD, "--target", TOOL], check=True, stdout=subprocess.DEVNULL
    )
    process = subprocess.run(
        [os.path.join(BIN, TOOL), str(args.programs)],
        check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    print_head("operators", "states", "kernels", "rows", "chosen", "computed again", "cycles",
               "nodes", "seconds", "optimal")  # fmt: skip
    for line in process.stdout.splitlines():
        entry = json.loads(line)
        print_row(*(f"{entry[key]:,}" for key in
                    ("operators", "states", "kernels", "rows", "chosen", "computed_again",
                     "loops", "nodes")), f"{entry['seconds']:.2f}",
                  "yes" if entry["is_optimal"] else f"within {entry['gap']:.2f} us")  # fmt: skip


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times the choice of kernels for random programs by a binary program, on one thread:
seconds are the thread's.

    scripts/benchmark.sh orchestration [--programs N] [--highs]

The first program has as many execution states and kernels as the largest one of the
Korch paper (section 5.2), for which the paper allows 1,000 seconds. With --highs, the
last binary program of each choice, which has the rows that leave out cycles, is also
solved by HiGHS on one thread, of the Python package highspy, and costs are compared.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

from common import BIN, BUILD, print_head, print_row

TOOL = "mirage-orchestrations"


def solve_by_highs(path):
    """Seconds of the processor, and the cost, of a program's solution by HiGHS."""
    import highspy

    solver = highspy.Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0),
                          ("mip_abs_gap", 1e-6), ("log_to_console", False)):
        solver.setOptionValue(option, value)
    solver.readModel(path)
    start = time.process_time()
    solver.run()
    seconds = time.process_time() - start
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise SystemExit(f"HiGHS: {solver.modelStatusToString(solver.getModelStatus())}")
    return seconds, solver.getInfo().objective_function_value


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=12, help="others than the first")
    parser.add_argument("--highs", action="store_true", help="solve by HiGHS, too")
    args = parser.parse_args()
    subprocess.run(
        ["cmake", "--build", BUILD, "--target", TOOL], check=True, stdout=subprocess.DEVNULL
    )
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.run(
            [os.path.join(BIN, TOOL), str(args.programs), *([folder] if args.highs else [])],
            check=True, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        columns = ["operators", "states", "kernels", "rows", "chosen", "computed again",
                   "cycles", "nodes", "seconds", "optimal"]  # fmt: skip
        print_head(*columns, *(["HiGHS, seconds", "cost, of Cbc's"] if args.highs else []))
        for number, line in enumerate(process.stdout.splitlines()):
            entry = json.loads(line)
            cells = [*(f"{entry[key]:,}" for key in
                       ("operators", "states", "kernels", "rows", "chosen", "computed_again",
                        "loops", "nodes")), f"{entry['seconds']:.2f}",
                     "yes" if entry["is_optimal"] else f"within {entry['gap']:.2f} us"]  # fmt: skip
            if args.highs:
                seconds, cost = solve_by_highs(os.path.join(folder, f"{number}.lp"))
                cells += [f"{seconds:.2f}", f"{cost / entry['cost']:.6f}"]
            print_row(*cells)


if __name__ == "__main__":
    main()

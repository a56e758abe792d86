#!/usr/bin/env python3
"""Optimizes programs that nobody tuned for, and checks what comes out.

  scripts/check-search.py test/Corpus/*.mlir
  scripts/check-search.py --random 200 --seed 1

Each program goes through --mirage-optimize as it is. Then

  - every function that was replaced is compared with the original by
    --mirage-verify-equivalence: it must be proved or equivalent, and stable; if it
    was put together from verified pieces, tests may leave the whole undecided;
  - no function may be slower by the cost model than it was;
  - the process may take no more than --memory MiB, and no more than --deadline
    seconds for each function (and what is left of a cut search to finish).

Random programs are those of scripts/fuzz-linalg.py. A line for each program says
how many of its subprograms were replaced, and what the cost model says of them.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

scripts = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, scripts)
from fuzz_linalg.generate import generate
from fuzz_linalg.kinds import KINDS
from fuzz_linalg.program import print_function

# Seconds after a cut in which a search makes something of what it has, for
# every function, and the time that everything else takes.
GRACE = 15
ACCEPTED = (" does: proved", " does: equivalent with error")


def is_accepted(answer, output):
    """Where tests cannot decide the whole, its verified pieces make it right."""
    if any(accepted in answer for accepted in ACCEPTED):
        return True
    head = re.search(rf"func\.func [^\n]*{re.escape(answer.split()[0])}\([^\n]*", output)
    return " found no difference" in answer and head and "pieces =" in head.group()


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--random", type=int, default=0, metavar="N",
                        help="random programs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--max-ops", type=int, default=8,
                        help="operations of a random program")
    parser.add_argument("--deadline", type=float, default=20)
    parser.add_argument("--max-states", type=int, default=2_000_000)
    parser.add_argument("--memory", type=int, default=4096)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--tools", default=os.path.join(
        scripts, "..", "build", "release", "bin"), help="folder of mirage-opt")
    return parser.parse_args()


def run(command, text=None):
    """Exit status, outputs, peak memory in MiB and seconds."""
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out,
                                   stderr=err, text=True)
        if text is not None:
            process.stdin.write(text)
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        out.seek(0)
        err.seek(0)
        return (status, out.read(), err.read(), usage.ru_maxrss / 1024,
                time.monotonic() - start)


class Checker:
    def __init__(self, options):
        self.options = options
        self.lock = threading.Lock()
        self.sums = collections.Counter()
        self.opt = os.path.join(options.tools, "mirage-opt")

    def check(self, program):
        """(line, problems) of a (name, text) program."""
        name, text = program
        problems = []
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "stats.json")
            status, output, errors, memory, seconds = run(
                [self.opt, "--mirage-optimize=keep-original=true threads=1 "
                 f"deadline={self.options.deadline} "
                 f"max-states={self.options.max_states} stats={path}"], text)
            if status:
                last = errors.strip().splitlines()[-1:] or ["no output"]
                return name, [f"{name}: mirage-opt failed ({status}): {last[0]}"]
            entries = []
            if os.path.exists(path):
                with open(path) as file:
                    entries = json.load(file)
        searches = [e for e in entries if "original_microseconds" in e]
        refused = sum(e["verdict"] == "unsupported" for e in entries)
        if memory > self.options.memory:
            problems.append(f"{name}: {memory:.0f} MiB")
        if seconds > GRACE + len(searches) * (self.options.deadline + GRACE):
            problems.append(f"{name}: {seconds:.0f} s for {len(searches)} searches")

        replaced = output.count("mirage.equivalent_to")
        before = after = 0.0
        improved = composed = 0
        for search in searches:
            before += search["original_microseconds"]
            found = [c["microseconds"] for c in search["judged"]
                     if c["verdict"] in ("proved", "equivalent")]
            whole = min(found, default=search["original_microseconds"])
            if "microseconds" in search["composition"]:
                found.append(search["composition"]["microseconds"])
            if search["verdict"] in ("proved", "equivalent"):
                after += min(found)
                composed += min(found) < whole
                improved += min(found) < search["original_microseconds"]
            else:
                after += search["original_microseconds"]
        if improved != replaced:
            problems.append(f"{name}: {replaced} functions are replaced, "
                            f"{improved} faster")
        if replaced:
            _, answers, errors, _, _ = run(
                [self.opt, "--mirage-verify-equivalence=threads=1 float-work=2e7",
                 "-o", os.devnull], output)
            lines = [a for a in answers.splitlines() if a.startswith("@")]
            if len(lines) != replaced:
                problems.append(f"{name}: {len(lines)} answers for {replaced} "
                                f"replaced functions: {errors.strip()[-200:]}")
            problems += [f"{name}: {line}" for line in lines
                         if not is_accepted(line, output) or "refused" in line]
        cut = sum(s["was_cut"] for s in searches)
        with self.lock:
            self.sums.update({"subprograms": len(entries), "unsupported": refused,
                              "replaced": replaced, "replaced by pieces": composed,
                              "cut": cut})
        return (f"{name:45} {refused:3} unsupported {len(searches):3} searched {replaced:3} replaced "
                f"{composed:3} by pieces {cut:3} cut "
                f"{before:9.2f} -> {after:9.2f} us {seconds:6.1f} s {memory:5.0f} MiB",
                problems)


def main():
    options = parse_arguments()
    programs = []
    for path in options.files:
        with open(path) as file:
            programs.append((os.path.basename(path), file.read()))
    for number in range(options.random):
        function = print_function(
            generate(options.seed, number, options.max_ops), KINDS, f"p{number}")
        programs.append((f"random {options.seed}/{number}", function))
    if not programs:
        sys.exit("nothing to check: name files, or ask for --random programs")
    checker = Checker(options)
    problems = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for line, found in pool.map(checker.check, programs):
            print(line, flush=True)
            for problem in found:
                print("  " + problem, flush=True)
            problems += found
    print(", ".join(f"{count} {what}" for what, count in checker.sums.items()))
    print(f"{len(programs)} programs, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

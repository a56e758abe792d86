#!/usr/bin/env python3
"""Optimizes programs that nobody tuned for, and checks what comes out.

  scripts/check-search.py test/Corpus/*.mlir
  scripts/check-search.py --random 200 --seed 1
  scripts/check-search.py --random 200 --seed 1 --divisions --run

Each program goes through --mirage-optimize as it is. Then

  - every function that was replaced is compared with the original by
    --mirage-verify-equivalence with its default options: it must be proved or
    equivalent, and stable;
  - with --run, every function that was replaced is run beside the original on
    inputs with which divisions go wrong (hostile_inputs.py);
  - no function may be slower by the cost model than it was, and the sentence that
    says what became of it must say what the statistics say;
  - the process may take no more than --memory MiB, and no more than --deadline
    seconds for each function (and what is left of a cut search to finish).

Random programs are those of scripts/fuzz-linalg.py, or with --divisions those of
fuzz_linalg/divisions.py, which divide by what they compute of their data. A line
for each program says how many of its subprograms were replaced, and what the cost
model says of them; --table writes a table of them in Markdown. Programs of real sizes
run for hours on all hostile inputs: with --run-limit no more are begun after so many
seconds, and the sums at the end say how many were left out. --only checks one of the random programs alone, and --keep
writes programs, what became of them, and problems to a folder.
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

scripts = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, scripts)
import hostile_inputs
import search_remarks
from fuzz_linalg import divisions, generate, kinds
from fuzz_linalg.program import print_function

# Seconds after a cut in which a search makes something of what it has, for
# every function, and the time that everything else takes.
GRACE = 15
ACCEPTED = (" does: proved", " does: equivalent with error")
# By floating point.
REFUSED = ("refused as numerically unstable", "not accepted in floating point")


def is_accepted(answer):
    """Whether a line of --mirage-verify-equivalence accepts a candidate."""
    return any(text in answer for text in ACCEPTED) and not any(
        text in answer for text in REFUSED)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--random", type=int, default=0, metavar="N",
                        help="random programs")
    parser.add_argument("--divisions", action="store_true",
                        help="random programs that divide by data")
    parser.add_argument("--run", action="store_true",
                        help="run what was replaced on hostile inputs")
    parser.add_argument("--run-limit", type=float, default=math.inf, metavar="SECONDS",
                        help="seconds in which inputs are run, for each function")
    parser.add_argument("--table", metavar="FILE",
                        help="write a table of subprograms in Markdown")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, metavar="N",
                        help="check random program number N alone")
    parser.add_argument("--keep", metavar="FOLDER",
                        help="write programs and what became of them there")
    parser.add_argument("--max-ops", type=int, default=8,
                        help="operations of a random program")
    parser.add_argument("--deadline", type=float, default=20)
    parser.add_argument("--effort", type=int, default=2000)
    parser.add_argument("--memory", type=int, default=4096)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--tools", default=os.path.join(
        scripts, "..", "build", "release", "bin"),
        help="folder of mirage-opt and mirage-run")
    return parser.parse_args()


def run(command, text=None):
    """Exit status, outputs, peak memory in MiB, and seconds: those that passed, and
    those of the processor, which say more where other processes run."""
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
                time.monotonic() - start, usage.ru_utime + usage.ru_stime)


def append(path, lines):
    with open(path, "a") as file:
        file.writelines(f"{line}\n" for line in lines)


class Checker:
    def __init__(self, options):
        self.options = options
        self.lock = threading.Lock()
        self.sums = collections.Counter()
        # Rows of the table, by program.
        self.rows = {}
        self.opt = os.path.join(options.tools, "mirage-opt")
        self.run_tool = os.path.join(options.tools, "mirage-run")

    def keep(self, name, text, output, problems):
        """Writes what a user looks at after a problem."""
        if not self.options.keep:
            return
        os.makedirs(self.options.keep, exist_ok=True)
        stem = os.path.join(self.options.keep,
                            re.sub(r"\W+", "_", os.path.splitext(name)[0]))
        for suffix, content in ((".mlir", text), (".optimized.mlir", output),
                                (".problems", "\n".join(problems))):
            with open(stem + suffix, "w") as file:
                file.write(content)

    def verify(self, name, output, replaced):
        """Compares what was replaced with the originals."""
        status, answers, errors, *_ = run(
            [self.opt, "--mirage-verify-equivalence=threads=1", "-o",
             os.devnull], output)
        lines = [a for a in answers.splitlines() if a.startswith("@")]
        problems = [f"{name}: {line}" for line in lines if not is_accepted(line)]
        with self.lock:
            self.sums["refused"] += len(problems)
        if len(lines) != replaced or bool(status) != bool(problems):
            problems.append(f"{name}: status {status}, {len(lines)} answers for {replaced} "
                            f"replaced functions: {errors.strip()[-200:]}")
        return problems

    def run_replaced(self, name, output):
        """Runs what was replaced, and the originals, on hostile inputs."""
        try:
            problems, counts = hostile_inputs.check(
                self.run_tool, output, limit=self.options.run_limit)
        except hostile_inputs.ToolError as error:
            return [f"{name}: {error}"]
        with self.lock:
            self.sums.update(counts)
        return [f"{name}: {problem}" for problem in problems]

    def compare_remarks(self, name, searches, outcomes):
        """Holds what users read to the statistics."""
        if [s["function"] for s in searches] != [o.function for o in outcomes]:
            return [f"{name}: {len(outcomes)} remarks for {len(searches)} searches"]
        problems = []
        named = {s["function"]: s for s in searches}
        for search, outcome in zip(searches, outcomes):
            search = named[search.get("equal_to", search["function"])]
            is_replaced = search["verdict"] in ("proved", "equivalent")
            if outcome.is_replaced != is_replaced or any(
                    abs(said - meant) > 0.0051 for said, meant in (
                        (outcome.before, search["original_microseconds"]),
                        (outcome.fused, search["fused_microseconds"]))):
                problems.append(f"{name}: the remark on @{outcome.function} is not "
                                "what the statistics say")
        return problems

    def print_rows(self, name, outcomes, busy):
        """A program's rows of the table. The first has the processor's seconds."""
        stem = os.path.splitext(name)[0]
        rows = [search_remarks.print_outcome(stem, outcome, "" if i else f"{busy:.1f}")
                for i, outcome in enumerate(outcomes)]
        return rows or [search_remarks.print_row(
            [stem, *"-" * (len(search_remarks.HEAD) - 2), "Nothing is searched for."])]

    def check(self, program):
        """(line, problems) of a (name, text) program."""
        name, text = program
        problems = []
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "stats.json")
            status, output, errors, memory, seconds, busy = run(
                [self.opt, f"--remarks-filter={search_remarks.CATEGORY}",
                 "--mirage-optimize=keep-original=true threads=1 "
                 f"deadline={self.options.deadline} "
                 f"effort={self.options.effort} stats={path}"], text)
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
        number = sum("equal_to" not in s for s in searches)
        if seconds > GRACE + number * (self.options.deadline + GRACE):
            problems.append(f"{name}: {seconds:.0f} s for {number} searches")

        try:
            outcomes = search_remarks.read(errors)
        except ValueError as error:
            outcomes = []
            problems.append(f"{name}: {error}")
        problems += self.compare_remarks(name, searches, outcomes)
        self.rows[name] = self.print_rows(name, outcomes, busy)

        replaced = output.count("mirage.equivalent_to")
        before = after = 0.0
        improved = composed = 0
        named = {s["function"]: s for s in searches}
        for entry in searches:
            # Equal functions have the results of one search.
            search = named[entry.get("equal_to", entry["function"])]
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
            problems += self.verify(name, output, replaced)
            if self.options.run:
                problems += self.run_replaced(name, output)
        self.keep(name, text, output, problems)
        cut = sum(s["was_cut"] for s in searches)
        with self.lock:
            self.sums.update({"subprograms": len(entries), "unsupported": refused,
                              "replaced": replaced, "replaced by pieces": composed,
                              "cut": cut})
        return (f"{name:45} {refused:3} unsupported {number:3} searched {replaced:3} replaced "
                f"{composed:3} by pieces {cut:3} cut "
                f"{before:9.2f} -> {after:9.2f} us {seconds:6.1f} s {memory:5.0f} MiB",
                problems)


def main():
    options = parse_arguments()
    programs = []
    for path in options.files:
        with open(path) as file:
            programs.append((os.path.basename(path), file.read()))
    generator = divisions if options.divisions else generate
    table = (divisions if options.divisions else kinds).KINDS
    for number in (range(options.random) if options.only is None
                   else [options.only]):
        function = print_function(
            generator.generate(options.seed, number, options.max_ops), table,
            f"p{number}")
        programs.append((f"random {options.seed}/{number}", function))
    if not programs:
        sys.exit("nothing to check: name files, or ask for --random programs")
    checker = Checker(options)
    problems = []
    if options.table:
        open(options.table, "w").close()
        append(options.table, search_remarks.print_head())
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (name, _), (line, found) in zip(programs, pool.map(checker.check, programs)):
            print(line, flush=True)
            if options.table:
                append(options.table, checker.rows.get(name, ()))
            for problem in found:
                print("  " + problem, flush=True)
            problems += found
    print(", ".join(f"{count} {what}" for what, count in checker.sums.items()))
    print(f"{len(programs)} programs, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

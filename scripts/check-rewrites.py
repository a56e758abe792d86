#!/usr/bin/env python3
"""Random programs, rewritten by Mirage's passes, beside what they were.

  scripts/check-rewrites.py --seed 1 --programs 500

The programs are those of fuzz-linalg.py. Each is rewritten by every list of
passes in rewrites.py, and mirage-verify-equivalence must accept the result: it is proved
or equivalent. A program that is outside of what tests decide (an exponential
inside another, exponentials whose arguments share inputs) and that no proof is
found for counts as undecided. So do
composites recognized for what they compute (sqrt(x)^2 is relu(x) where x is
not negative) if no law that tests know tells it and floats agree. Anything else
is a failure, printed with the program.

With --floats, most results get elements that are infinite or that overflow
(fuzz_linalg/infinite.py), and floats are compared as well: they must refuse no
result, and one that they say nothing of counts as undecided.

With --mutants N, N mutants of each program that went through fission and
through all rewrites are compared with the original, too: mirage-mutate's oracle
must agree with every answer, so that no mutant that computes something else is
accepted.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

scripts = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, scripts)
from fuzz_linalg.generate import generate
from fuzz_linalg.infinite import INFINITE, add_infinities
from fuzz_linalg.kinds import KINDS
from fuzz_linalg.program import print_function
from rewrites import KINDS as ANSWERS, REWRITES, beside, classify

# Rewritten programs that mutants are made of.
MUTATED = ("fissioned", "all")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--max-ops", type=int, default=12)
    parser.add_argument("--batch", type=int, default=40,
                        help="programs in one module")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--floats", action="store_true")
    parser.add_argument("--mutants", type=int, default=0, metavar="N")
    parser.add_argument("--keep", metavar="FOLDER",
                        help="write the compared modules there")
    parser.add_argument("--tools", default=os.path.join(
        scripts, "..", "build", "release", "bin"),
        help="folder of mirage-opt and mirage-mutate")
    return parser.parse_args()


class Checker:
    def __init__(self, options):
        self.options = options

    def opt(self, text, *arguments, check=True):
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(text)
            file.flush()
            ran = subprocess.run(
                [os.path.join(self.options.tools, "mirage-opt"), file.name,
                 *arguments], capture_output=True, text=True)
        if check and ran.returncode:
            sys.exit(f"mirage-opt {' '.join(arguments)}: {ran.stderr[:3000]}")
        return ran.stdout

    def print_program(self, number):
        program = generate(self.options.seed, number, self.options.max_ops)
        if self.options.floats:
            draw = random.Random(f"{self.options.seed}:{number}:infinite")
            program = add_infinities(draw, program, KINDS)
        return print_function(program, KINDS | INFINITE, f"p{number}")

    def check(self, numbers):
        """(number, rewrite, answer) for every pair."""
        programs = "".join(self.print_program(n) for n in numbers)
        original = self.opt(programs, "--convert-linalg-to-mirage")
        module = beside(original, {rewrite: self.opt(original, *passes)
                                   for rewrite, passes in REWRITES.items()})
        if self.options.keep:
            path = os.path.join(self.options.keep, f"p{numbers[0]}.mlir")
            with open(path, "w") as file:
                file.write(module)
        floats = str(self.options.floats).lower()
        answers = self.opt(
            module,
            f"--mirage-verify-equivalence=check-floats={floats} threads=1",
            "-o", os.devnull, check=False)
        found = []
        for line in answers.splitlines():
            match = re.match(r"@p(\d+)_(\w+) ", line)
            if match:
                found.append((int(match.group(1)), match.group(2), line))
        if self.options.mutants:
            found += self.mutate(module, numbers)
        expected = len(numbers) * len(REWRITES)
        expected += self.options.mutants and len(numbers) * len(MUTATED)
        if len(found) != expected:
            sys.exit(f"{len(found)} answers, not {expected}:\n{answers[:2000]}")
        return found

    def mutate(self, module, numbers):
        found = []
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(module)
            file.flush()
            for number in numbers:
                for rewrite in MUTATED:
                    ran = subprocess.run(
                        [os.path.join(self.options.tools, "mirage-mutate"),
                         file.name, f"--lhs=p{number}",
                         f"--rhs=p{number}_{rewrite}",
                         f"--mutants={self.options.mutants}",
                         f"--seed={self.options.seed}"],
                        capture_output=True, text=True)
                    answer = ran.stdout + ran.stderr
                    kind = "agrees" if ran.returncode == 0 else answer[:1000]
                    found.append((number, f"mutants, {rewrite}", kind))
        return found


def main():
    options = parse_arguments()
    checker = Checker(options)
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    numbers = range(options.programs)
    batches = [numbers[i:i + options.batch]
               for i in range(0, len(numbers), options.batch)]
    table = collections.defaultdict(collections.Counter)
    failures = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as executor:
        for answers in executor.map(checker.check, batches):
            for number, rewrite, answer in answers:
                kind = "agrees" if answer == "agrees" else classify(answer)
                table[rewrite][kind] += 1
                if kind == "refused":
                    failures.append((number, answer))
    print(f"{'rewrite':16}" + "".join(f"{kind:>12}" for kind in ANSWERS))
    for rewrite in REWRITES:
        print(f"{rewrite:16}" +
              "".join(f"{table[rewrite][kind]:12}" for kind in ANSWERS))
    for rewrite in MUTATED if options.mutants else ():
        counts = table[f"mutants, {rewrite}"]
        print(f"mutants of {counts.total()} programs, {rewrite}: "
              f"{counts['agrees']} without violation")
    for number, answer in failures[:10]:
        print(f"\nprogram {number} of seed {options.seed}: {answer}")
    if failures:
        number = min(failures)[0]
        print(checker.print_program(number))
    print(f"{options.programs} programs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

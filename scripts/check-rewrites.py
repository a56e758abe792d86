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

Beside them are as many pairs of rewrites that authors of kernels make
(kernel_rewrites/ordinary.py), one kind after another: maxima as choices, masks,
merged parts of attention, factors in decimals. Of these, floats are compared, too.

With --floats, most results get elements that are infinite or that overflow
(fuzz_linalg/infinite.py), and floats are compared as well: they must refuse no
result, and one that they say nothing of counts as undecided.

With --mutants N, N mutants of each program that went through fission and
through all rewrites are compared with the original, too: mirage-mutate's oracle
must agree with every answer, so that no mutant that computes something else is
accepted. So are mutants of the rewrites of kernels.
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
from kernel_rewrites.ordinary import REWRITES as ORDINARY, draw_pair
from rewrites import KINDS as ANSWERS, REWRITES, beside, classify, functions
from spellings.kernel_text import print_kernel

# Rewritten programs that mutants are made of.
MUTATED = ("fissioned", "all")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--ordinary", type=int, metavar="N",
                        help="pairs of rewrites of kernels; as many as programs")
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
    options = parser.parse_args()
    if options.ordinary is None:
        options.ordinary = options.programs
    return options


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
        # What several rewrites make of a program is compared once.
        texts, rewritten, standing = {}, {}, {}
        for rewrite, passes in REWRITES.items():
            kept = []
            for name, function in functions(self.opt(original, *passes)):
                first = texts.setdefault((name, function), rewrite)
                standing[int(name[1:]), rewrite] = first
                if first == rewrite:
                    kept.append(function)
            rewritten[rewrite] = "".join(kept)
        module = beside(original, rewritten)
        if self.options.keep:
            path = os.path.join(self.options.keep, f"p{numbers[0]}.mlir")
            with open(path, "w") as file:
                file.write(module)
        floats = str(self.options.floats).lower()
        answers = self.opt(
            module,
            f"--mirage-verify-equivalence=check-floats={floats} threads=1",
            "-o", os.devnull, check=False)
        lines = {(int(number), rewrite): line for line, number, rewrite in
                 re.findall(r"^(@p(\d+)_(\w+) .*)$", answers, re.M)}
        found = [(number, rewrite, lines[number, first])
                 for (number, rewrite), first in standing.items()
                 if (number, first) in lines]
        if self.options.mutants:
            found += self.mutate(module, numbers, standing)
        expected = len(numbers) * len(REWRITES)
        expected += self.options.mutants and len(numbers) * len(MUTATED)
        if len(found) != expected:
            sys.exit(f"{len(found)} answers, not {expected}:\n{answers[:2000]}")
        return found

    def print_pair(self, number):
        rewrite = ORDINARY[number % len(ORDINARY)]
        draw = random.Random(f"{self.options.seed}:{number}:ordinary")
        name, program, rewritten = draw_pair(draw, rewrite)
        program.name, rewritten.name = f"p{number}", f"p{number}_{name}"
        head = f") attributes {{mirage.equivalent_to = @{program.name}}} {{\n"
        return (print_kernel(program) +
                print_kernel(rewritten).replace(") {\n", head, 1))

    def check_ordinary(self, numbers):
        """(number, rewrite, answer) for every pair of a rewrite of kernels."""
        module = "".join(map(self.print_pair, numbers))
        if self.options.keep:
            path = os.path.join(self.options.keep, f"ordinary{numbers[0]}.mlir")
            with open(path, "w") as file:
                file.write(module)
        answers = self.opt(module, "--mirage-verify-equivalence=threads=1", "-o",
                           os.devnull, check=False)
        found = [(int(number), rewrite, line) for number, rewrite, line in
                 re.findall(r"^@p(\d+)_(\w+) (.*)$", answers, re.M)]
        if len(found) != len(numbers):
            sys.exit(f"{len(found)} answers, not {len(numbers)}:\n{answers[:2000]}")
        if self.options.mutants:
            pairs = [(f"p{number}", f"p{number}_{rewrite}")
                     for number, rewrite, _ in found]
            found += [(int(left[1:]), "mutants, ordinary", answer) for left, answer
                      in self.mutate_pairs(module, pairs)]
        return found

    def mutate(self, module, numbers, standing):
        pairs = [(f"p{number}", f"p{number}_{standing[number, rewrite]}")
                 for number in numbers for rewrite in MUTATED]
        return [(int(left[1:]), f"mutants, {MUTATED[i % len(MUTATED)]}", answer)
                for i, (left, answer) in enumerate(self.mutate_pairs(module, pairs))]

    def mutate_pairs(self, module, pairs):
        """(original, "agrees" or what mirage-mutate says) of each pair."""
        found = []
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(module)
            file.flush()
            for left, right in pairs:
                ran = subprocess.run(
                    [os.path.join(self.options.tools, "mirage-mutate"), file.name,
                     f"--lhs={left}", f"--rhs={right}",
                     f"--mutants={self.options.mutants}",
                     f"--seed={self.options.seed}"], capture_output=True, text=True)
                answer = ran.stdout + ran.stderr
                found.append((left, "agrees" if ran.returncode == 0
                              else answer[:1000]))
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
    ordinary = [range(i, min(i + options.batch, options.ordinary))
                for i in range(0, options.ordinary, options.batch)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as executor:
        for check, print_text, parts in (
                (checker.check, checker.print_program, batches),
                (checker.check_ordinary, checker.print_pair, ordinary)):
            for answers in executor.map(check, parts):
                for number, rewrite, answer in answers:
                    kind = "agrees" if answer == "agrees" else classify(answer)
                    table[rewrite][kind] += 1
                    if kind == "refused":
                        failures.append((number, answer, print_text))
    print(f"{'rewrite':20}" + "".join(f"{kind:>12}" for kind in ANSWERS))
    for rewrite in [*REWRITES, *(law.__name__ for law in ORDINARY)]:
        print(f"{rewrite:20}" +
              "".join(f"{table[rewrite][kind]:12}" for kind in ANSWERS))
    for rewrite in (*MUTATED, "ordinary") if options.mutants else ():
        counts = table[f"mutants, {rewrite}"]
        print(f"mutants of {counts.total()} programs, {rewrite}: "
              f"{counts['agrees']} without violation")
    for number, answer, _ in failures[:10]:
        print(f"\nprogram {number} of seed {options.seed}: {answer}")
    if failures:
        number, _, print_text = failures[0]
        print(print_text(number))
    print(f"{options.programs} programs and {options.ordinary} rewrites of kernels, "
          f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

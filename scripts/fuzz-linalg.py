#!/usr/bin/env python3
"""Random programs of linalg on tensors, through Mirage and back.

  scripts/fuzz-linalg.py --seed 1 --programs 2000

Each program has up to 12 operations (contractions, elementwise operations with
fused bodies, comparisons and broadcasts, reductions, softmax, reshapes, slices,
padding, in f32, in f16 with f32 accumulation, and in f32 between bf16). It is run as it is by stock passes and
mlir-runner, and by --convert-linalg-to-mirage, --mirage-fission and
--convert-mirage-to-linalg with the interpreter after each and mlir-runner at
the end; fuzz_linalg/check.py says what is compared. An operation that does not
convert is a failure too. The smallest failing program is made smaller while it
fails, and printed.

Every element is held to the error bound that mirage-run derives. So that bounds
are finite, inputs are uniform in [-1, 1], divisors and arguments of roots and
logarithms are sums of a square and a positive constant, arguments of
exponentials are at most 6, and no f16 comes near to overflow. Where operands of
a comparison are too close to tell, the bound of what it selects covers both.

With --mixed, programs also have operations that Mirage has no counterpart for:
gathers, pooling, dynamic shapes, integers, memory, calls and printing;
fuzz_linalg/opaque.py says what is checked.
"""

import argparse
import collections
import concurrent.futures
import os
import sys

scripts = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, scripts)
from fuzz_linalg import opaque
from fuzz_linalg.check import Checker
from fuzz_linalg.generate import generate
from fuzz_linalg.kinds import KINDS
from fuzz_linalg.program import print_function
from fuzz_linalg.shrink import shrink


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--only", type=int, metavar="N",
                        help="check program number N of the seed alone")
    parser.add_argument("--max-ops", type=int, default=12)
    parser.add_argument("--batch", type=int, default=40,
                        help="programs in one module")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--tools", default=os.path.join(
        scripts, "..", "build", "release", "bin"),
        help="folder of mirage-opt and mirage-run")
    parser.add_argument("--mixed", action="store_true",
                        help="with operations that do not convert")
    parser.add_argument("--print", action="store_true", dest="print_only",
                        help="print the programs and check nothing")
    return parser.parse_args()


def main():
    options = parse_arguments()
    opaque.install(options.mixed)
    numbers = (range(options.programs) if options.only is None
               else [options.only])
    programs = {n: generate(options.seed, n, options.max_ops) for n in numbers}
    if options.print_only:
        for number, program in programs.items():
            print(print_function(program, KINDS, f"p{number}"))
        return 0

    checker = (opaque.MixedChecker if options.mixed else Checker)(options.tools)
    batches = [numbers[i:i + options.batch]
               for i in range(0, len(numbers), options.batch)]
    failures = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as executor:
        answers = executor.map(lambda batch: checker.check(
            [programs[n] for n in batch], options.seed), batches)
        for done, (batch, answer) in enumerate(zip(batches, answers), 1):
            failures.update((n, f) for n, f in zip(batch, answer) if f)
            if sys.stderr.isatty():
                print(f"\r{done * options.batch} programs, {len(failures)} "
                      "failures", end="", file=sys.stderr)

    generated = collections.Counter(
        op.kind for p in programs.values() for op in p.ops)
    converted = collections.Counter(
        op.kind for n, p in programs.items() for op in p.ops
        if n not in failures)
    print("operation          generated  in programs that passed")
    for kind, count in sorted(generated.items()):
        print(f"{kind:<18} {count:9}  {converted[kind]:23}")
    print(f"seed {options.seed}: {len(programs)} programs, "
          f"{sum(generated.values())} operations, {len(failures)} failures, "
          f"{checker.elements} elements compared, {checker.unbounded} of them "
          "without a bound")
    if not failures:
        return 0

    by_kind = collections.Counter(f.kind for f in failures.values())
    print("failures: " + ", ".join(f"{n} {k}" for k, n in by_kind.items()))
    number = min(failures, key=lambda n: programs[n].cost(KINDS))
    program, failure = shrink(programs[number], failures[number], checker,
                              options.seed)
    print(f"smallest failing program, from number {number} of seed "
          f"{options.seed}:\n{failure.message}\n")
    print(print_function(program, KINDS, "main"))
    return 1


if __name__ == "__main__":
    sys.exit(main())

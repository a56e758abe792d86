#!/usr/bin/env python3
"""Runs kernels of random launches with random schedules, without a GPU or on one.

  scripts/check-kernels.py --seed 1 --programs 500
  scripts/check-kernels.py --seed 1 --programs 500 --device cuda --tools build/static/bin

Each program is one launch (products of f16 and bf16 with sums of whatever else,
online softmax, batches, masks, transposes, reductions) with a legal
#mirage.schedule, or without one, so that the lowering chooses. mirage-run
--device=threads lowers it, runs the threads of all blocks, and compares every element
with the derived bound: a race, an access out of bounds, a wait for too little or a
wrong number is a failure, and the program is printed. A program that is refused,
because its tiles need more shared memory than a block has or because the lowering
says at an operation that it has no fragments, is counted. random_kernels/generate.py
says what programs are like. With --device cuda a GPU runs the kernels, and its results are
compared in the same way; races are not looked for there.

With --layouts, operators of programs whose groups of warps do not share iterations get
random layouts in registers (mirage_thread.register_layout), and loads random ones in
shared memory (mirage_thread.memory_layout), which the lowering obeys.

With --nvvm, each kernel is lowered to NVVM as well, which must not refuse what is
right. With --mutants, each kernel is also run with every barrier, and every wait and
commit of asynchronous copies, left out, one at a time; lines at the end say how many
of these mutants were reported. Not all are wrong: a wait may be followed by one that
waits for more, and a commit by one of no copies.
"""

import argparse
import collections
import concurrent.futures
import os
import subprocess
import sys
import tempfile

scripts = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, scripts)
from random_kernels.generate import generate

REFUSED = ("so its launch cannot be executed by a mirage.schedule",
           "a mirage.schedule with wgmma and no product whose rows fill its warpgroups",
           "no loop that loads any (schedule_c6)",
           "no product whose operand can be prepared (schedule_c7)",
           # A loop that nothing uses is removed before the schedule is obeyed.
           "has 0 loops; the blocks of a cluster share the iterations of some",
           # An operator that is made a part of another one has no registers of its own,
           # and one that the loader prepares has those of other warps.
           "and the lowering makes it a part of another operator",
           "has a mirage_thread.register_layout, and warps that load prepare it",
           # wgmma reads chunks, and what is computed of indices lies nowhere.
           "as wgmma takes it as its right operand and reads chunks",
           "has a mirage_thread.memory_layout, and its tile does not lie in shared memory",
           "bytes of shared memory by its mirage.schedule",
           "bytes of shared memory per block, but the target")
REMOVED = {"barrier": "gpu.barrier", "wait": "mirage_thread.async_wait",
           "commit": "mirage_thread.async_commit",
           "cluster barrier": "mirage_thread.cluster_barrier",
           "loader's barrier": "mirage_thread.barrier",
           "acquire": "mirage_thread.ring_acquire",
           "publish": "mirage_thread.ring_publish",
           "receive": "mirage_thread.ring_receive",
           "await": "mirage_thread.ring_await",
           "release": "mirage_thread.ring_release"}


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--only", type=int, metavar="N",
                        help="check program number N of the seed alone")
    parser.add_argument("--device", choices=("threads", "cuda"), default="threads",
                        help="what runs the kernels: threads on the CPU, or a GPU")
    parser.add_argument("--nvvm", action="store_true",
                        help="also lower kernels to NVVM")
    parser.add_argument("--layouts", action="store_true",
                        help="give operators random layouts in registers, and loads "
                             "in shared memory")
    parser.add_argument("--mutants", action="store_true",
                        help="also run kernels without barriers, waits or commits")
    parser.add_argument("--print", action="store_true", dest="print_only",
                        help="print the programs and check nothing")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--tools", default=os.path.join(
        scripts, "..", "build", "release", "bin"),
        help="folder of mirage-opt and mirage-run")
    options = parser.parse_args()
    if options.mutants and options.device == "cuda":
        parser.error("--mutants needs --device threads, which looks for races")
    return options


class Checker:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder

    def generate(self, number):
        return generate(self.options.seed * 1_000_000 + number, self.options.layouts)

    def run(self, path, *arguments):
        """The problem of one run, or nothing."""
        process = subprocess.run(
            [os.path.join(self.options.tools, "mirage-run"), path,
             f"--device={self.options.device}", "--distribution=uniform", *arguments],
            capture_output=True, text=True, timeout=600)
        if process.returncode == 0:
            return None
        errors = [line for line in process.stderr.splitlines()
                  if "error:" in line]
        return errors[0] if errors else process.stdout + process.stderr

    def lower(self, path):
        """The problem of the lowering to NVVM, or nothing."""
        process = subprocess.run(
            [os.path.join(self.options.tools, "mirage-opt"), path,
             "--mirage-lower-to-nvvm", "-o", os.devnull],
            capture_output=True, text=True, timeout=600)
        return process.stderr if process.returncode else None

    def check(self, number):
        """What became of a program, its problem, and numbers of mutants."""
        text = self.generate(number)
        path = os.path.join(self.folder, f"{number}.mlir")
        with open(path, "w") as file:
            file.write(text)
        problem = self.run(path)
        mutants = collections.Counter()
        if problem is None and self.options.nvvm:
            problem = self.lower(path)
        if problem is None and self.options.mutants:
            self.count_mutants(path, mutants)
        if problem is None:
            return "right", None, mutants
        if any(reason in problem for reason in REFUSED):
            return "refused", None, mutants
        return "wrong", f"program {number}: {problem}\n{text}", mutants

    def count_mutants(self, path, counts):
        """Counts the mutants of a kernel by what was removed and whether that
        was reported."""
        lowered = subprocess.run(
            [os.path.join(self.options.tools, "mirage-opt"), path,
             "--mirage-lower-to-thread"],
            capture_output=True, text=True, check=True).stdout.splitlines()
        for i, line in enumerate(lowered):
            for name, operation in REMOVED.items():
                if operation not in line:
                    continue
                mutant = f"{path}.mutant"
                with open(mutant, "w") as file:
                    file.write("\n".join(lowered[:i] + lowered[i + 1:]))
                problem = self.run(path, f"--kernels={mutant}")
                counts[name, bool(problem)] += 1


def main():
    options = parse_arguments()
    numbers = ([options.only] if options.only is not None
               else range(options.programs))
    counts, mutants = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(options, folder)
        if options.print_only:
            for number in numbers:
                print(checker.generate(number))
            return 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for outcome, problem, found in pool.map(checker.check, numbers):
                counts[outcome] += 1
                mutants += found
                if problem:
                    print(problem, flush=True)
    for name in REMOVED:
        known = mutants[name, True]
        if total := known + mutants[name, False]:
            article = "an" if name[0] == "a" else "a"
            print(f"without {article} {name}: {known} of {total} mutants reported")
    print(f"{len(numbers)} programs, {counts['refused']} refused, "
          f"{counts['wrong']} failures")
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Holds what passes make of programs to --mirage-verify-equivalence.

    check-corpus-equivalence.py [options] program.mlir ...

Each file is brought to operators of mirage_kernel and rewritten by every list of
passes in rewrites.py. The table says how many public functions, after each, are

  proved       by the laws of exact arithmetic
  equivalent   random tests found no difference
  undecided    unknown, and floats show no difference: a law that tests don't
               know, or a constant that stands for another number in another type
  rounded      refuted, but floats agree in all digits that are shown: where the
               program has a rounded 1/n, a recognized norm divides by n
  refused      anything else

and below it why what is not proved or equivalent is so. The exit status is 1
if a rewrite is refused. With --optimize, the one rewrite is the pipeline
mirage-optimize, and a line says how many subprograms it replaced.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import re
import subprocess
import sys
import tempfile

from mirage_cpu import ToolError, execute, find_functions, find_tool
from rewrites import KINDS, REWRITES, beside, classify

TOSA_TO_LINALG = ("builtin.module(func.func(tosa-make-broadcastable,"
                  "tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,"
                  "tosa-to-tensor),canonicalize,cse)")
VERDICT = re.compile(r'mirage\.superoptimized = \{.*?verdict = "(\w+)"')
COLUMNS = (*KINDS[:3], "rounded", "refused")
SHOWN = re.compile(r" is (\S+), where @\w+ has (\S+)$")


def classify_more(answer):
    kind = classify(answer)
    if kind != "refused":
        return kind
    if answer.endswith("floats show no difference"):
        return "undecided"
    shown = SHOWN.search(answer)
    return "rounded" if shown and shown.group(1) == shown.group(2) else kind


def check(path, options):
    """(rewrite, kind, answer) for every public function and rewrite, and what
    the superoptimizer noted."""
    opt = [options.mirage_opt, "--mlir-print-local-scope"]
    with open(path) as file:
        text = file.read()
    if "tosa." in text:
        text = execute([find_tool("mlir-opt"),
                        f"--pass-pipeline={TOSA_TO_LINALG}"], text)
    original = execute([*opt, "--convert-linalg-to-mirage=assume-assertions",
                        "--canonicalize"], text)
    entries = find_functions(original)
    module = beside(original, {rewrite: execute([*opt, *passes], original)
                               for rewrite, passes in options.rewrites.items()},
                    entries)
    if options.keep:
        with open(os.path.join(options.keep, os.path.basename(path)), "w") as file:
            file.write(module)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(module)
        file.flush()
        ran = subprocess.run(
            [options.mirage_opt, file.name, "-o", os.devnull,
             "--mirage-verify-equivalence=check-floats=false threads=1"],
            capture_output=True, text=True)
    answers = []
    for entry, rewrite in itertools.product(entries, options.rewrites):
        found = re.search(rf"^@{re.escape(entry)}_{rewrite} .*", ran.stdout, re.M)
        answer = found.group(0) if found else f"no answer: {ran.stderr[:1000]}"
        answers.append((rewrite, classify_more(answer), answer))
    return answers, VERDICT.findall(module)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--tools", default=os.path.join(
        os.path.dirname(os.path.realpath(__file__)), "..", "build", "release",
        "bin"), help="folder of mirage-opt")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", metavar="FOLDER",
                        help="write the compared modules there")
    parser.add_argument("--optimize", metavar="OPTIONS",
                        help="options of mirage-optimize")
    options = parser.parse_args()
    options.rewrites = REWRITES
    if options.optimize is not None:
        options.rewrites = {
            "optimized": [f"--mirage-optimize={options.optimize}"]}
    options.mirage_opt = find_tool(os.path.join(options.tools, "mirage-opt"))
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda path: check(path, options),
                                options.programs))
    table = collections.defaultdict(collections.Counter)
    verdicts = collections.Counter()
    for path, (answers, noted) in zip(options.programs, results):
        verdicts.update(noted)
        for rewrite, kind, answer in answers:
            table[rewrite][kind] += 1
            if kind not in ("proved", "equivalent"):
                print(f"{os.path.basename(path)}: {kind}: {answer}")
    print(f"{'rewrite':16}" + "".join(f"{kind:>12}" for kind in COLUMNS))
    for rewrite in options.rewrites:
        print(f"{rewrite:16}" + "".join(f"{table[rewrite][kind]:12}"
                                        for kind in COLUMNS))
    refused = sum(counts["refused"] for counts in table.values())
    if verdicts:
        print("subprograms: " + ", ".join(f"{count} {verdict}" for verdict, count
                                          in sorted(verdicts.items())))
    print(f"{len(results)} programs, {refused} rewrites refused")
    return bool(refused)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ToolError as error:
        sys.exit(f"error: {error}")

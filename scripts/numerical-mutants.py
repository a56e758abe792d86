#!/usr/bin/env python3
"""Rewrites that are exact over the reals, of which some are useless in floats.

  scripts/numerical-mutants.py --seed 1 --programs 5000

Programs are rewritten by laws of real numbers (kernel_rewrites/numerical.py):
scalings are inserted, maxima dropped, casts moved, fractions split. An oracle,
which shares no code with Mirage, runs both programs at many magnitudes, in
decimals of 40 digits and in the precision that they are written in. It calls a
mutant unusable if that loses ten bits more than the original does, on inputs for
which the original is accurate, and harmless if it never loses more than two.
mirage-verify-equivalence must accept no unusable one, and of harmless ones at
least the share --harmless.
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
from kernel_rewrites.numerical import draw_mutant, judge
from spellings.kernel_text import print_kernel


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--first", type=int, default=0,
                        help="number of the first program")
    parser.add_argument("--harmless", type=float, default=0.995,
                        help="share of harmless mutants to be accepted")
    parser.add_argument("--batch", type=int, default=50,
                        help="programs in one module")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", metavar="FOLDER",
                        help="write what is answered wrongly there")
    parser.add_argument("--tools", default=os.path.join(
        scripts, "..", "build", "release", "bin"), help="folder of mirage-opt")
    return parser.parse_args()


def print_pair(mutant, number):
    mutant.program.name, mutant.rewritten.name = f"p{number}", f"p{number}_mutant"
    text = print_kernel(mutant.rewritten)
    head = f") attributes {{mirage.equivalent_to = @p{number}}} {{\n"
    return print_kernel(mutant.program) + text.replace(") {\n", head, 1)


def verify(text, tools):
    """{number: (is accepted, what the verifier says)}"""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        ran = subprocess.run(
            [os.path.join(tools, "mirage-opt"), file.name,
             "--mirage-verify-equivalence=annotate threads=1 "
             "fail-on-refusal=false"], capture_output=True, text=True)
    answers = {}
    for line in ran.stdout.splitlines():
        if found := re.match(r"\s*@p(\d+)_mutant ", line):
            answers[int(found[1])] = line.strip()
    refused = re.compile(r"func\.func @p(\d+)_mutant.*?(?:unstable|floats_undecided|"
                         r"floats_silent|answer = \"(?:unknown|refuted))")
    bad = {int(n) for n in refused.findall(ran.stdout)}
    if ran.returncode:
        sys.exit(f"mirage-opt: {ran.stderr[:3000]}")
    return {number: (number not in bad, line) for number, line in answers.items()}


def check(options, numbers):
    """(number, name, oracle's word, is accepted, answer) of each mutant."""
    mutants = {n: draw_mutant(random.Random(f"{options.seed}:{n}")) for n in numbers}
    texts = {n: print_pair(mutant, n) for n, mutant in mutants.items()}
    answers = verify("".join(texts.values()), options.tools)
    if len(answers) != len(mutants):
        sys.exit(f"{len(answers)} answers to {len(mutants)} pairs")
    return [(n, mutant.name, judge(mutant, random.Random(f"{options.seed}:{n}:in")),
             *answers[n], texts[n]) for n, mutant in mutants.items()]


def main():
    options = parse_arguments()
    last = options.first + options.programs
    batches = [range(i, min(i + options.batch, last))
               for i in range(options.first, last, options.batch)]
    table = collections.defaultdict(collections.Counter)
    wrong, refused = [], []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as executor:
        for found in executor.map(check, [options] * len(batches), batches):
            for number, name, word, is_accepted, answer, text in found:
                law = name.partition(": ")[2].partition(",")[0]
                kind = f"{word or 'neither'}, {'' if is_accepted else 'not '}accepted"
                table[law][kind] += 1
                table["all"][kind] += 1
                if word == "unusable" and is_accepted:
                    wrong.append((number, name, answer, text))
                elif word == "harmless" and not is_accepted:
                    refused.append((number, name, answer, text))
    kinds = [f"{word}, {accepted}" for word in ("unusable", "harmless", "neither")
             for accepted in ("accepted", "not accepted")]
    print(f"{'law':22}" + "".join(f"{kind:>24}" for kind in kinds))
    for law in sorted(table, key=lambda law: (law == "all", law)):
        print(f"{law:22}" + "".join(f"{table[law][kind]:24}" for kind in kinds))
    for what, pairs in (("unusable, but accepted", wrong),
                        ("harmless, but not accepted", refused)):
        for number, name, answer, text in pairs[:20]:
            print(f"\n{what}: {number} of seed {options.seed}, {name}\n  {answer[:400]}")
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            for number, name, answer, text in pairs:
                path = os.path.join(options.keep, f"{what.split(',')[0]}-{number}.mlir")
                with open(path, "w") as file:
                    file.write(f"// {name}\n// {answer}\n{text}")
    counts = table["all"]
    harmless = counts["harmless, accepted"] + counts["harmless, not accepted"]
    share = counts["harmless, accepted"] / harmless if harmless else 1.0
    print(f"\n{options.programs} mutants: {len(wrong)} unusable accepted; "
          f"{100 * share:.2f} % of {harmless} harmless accepted")
    return 1 if wrong or share < options.harmless else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares ways to choose the sizes of candidates on the CPU.

    scripts/benchmark.sh sizes [--programs NAME,...] [--points N] [--tables LIST]

Over all candidates of the searches for the programs, with one launch or two. Times
found are by the cost model, over the best that there is, for candidates of which no
more than --points (100000) points of single launches need be bounded.

Tables:
  ways       all programs together: descent, algorithm 1 with its defaults, both, and
             all points; each also with lower bounds in place of evaluations where
             these decide nothing. Candidates for which the best is found, evaluated
             launches, bounds and milliseconds of a candidate.
  programs   for each program: candidates, how many of them have more than 20,000
             points, and the ways that chooseSizes has.
  bounds     for each program: the lower bound over the time, on average over launches
             at random points at which they fit. It is an error if one is above.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

from common import BIN, BUILD, print_head, print_row, split
from programs import PROGRAMS, write

TOOL = os.path.join(BIN, "mirage-size-searches")
NAMES = ("gqa_bs1 gqa_bs8 mha_bs1 qknorm_bs1 rmsnorm_bs1 rmsnorm_bs8 lora_bs1 lora_bs8 mlp_bs8 "
         "gatedmlp_bs8 ntrans_bs8 moe G1 G4 G11 S1 S3 S7")  # fmt: skip
WAYS = ("descent", "bounded descent", "algorithm 1", "algorithm 1, descent", "bounded algorithm 1",
        "bounded algorithm 1, descent", "descent, bounded algorithm 1, descent",
        "exhaustive")  # fmt: skip
# What chooseSizes takes for spaces up to so large, and for larger ones.
SMALL, LARGE = "exhaustive", "descent, bounded algorithm 1, descent"
LIMIT = 20_000


def compare(name, points):
    """One entry for each candidate."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in.mlir")
        with open(path, "w") as file:
            file.write(write(name))
        process = subprocess.run([TOOL, path, str(points)], capture_output=True, text=True)
        if process.returncode:
            sys.exit(f"{TOOL} failed for {name}:\n{process.stderr}")
        return [json.loads(line) for line in process.stdout.splitlines()]


def get_ratios(candidates, way):
    """Times over the best ones; none for candidates of which the way finds no point
    that fits, although there are some."""
    known = [c for c in candidates if "microseconds" in c.get("exhaustive", {})]
    return [c[way]["microseconds"] / c["exhaustive"]["microseconds"]
            if "microseconds" in c[way] else None for c in known]  # fmt: skip


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def describe(candidates, way):
    ratios = get_ratios(candidates, way)
    found = [r for r in ratios if r is not None]
    entries = [c[way] for c in candidates if way in c]
    return [f"{mean(found):.4f}", f"{max(found, default=float('nan')):.3f}",
            f"{sum(r < 1 + 1e-9 for r in found)}/{len(ratios)}",
            len(ratios) - len(found), f"{mean(e['evaluations'] for e in entries):.1f}",
            f"{mean(e['bounds'] for e in entries):,.0f}",
            f"{mean(e['seconds'] for e in entries) * 1e3:.2f}"]  # fmt: skip


def ways_table(results):
    print_head("way", "mean ratio", "worst ratio", "best found", "nothing found", "evaluated",
               "bounds", "ms")  # fmt: skip
    everything = [candidate for candidates in results.values() for candidate in candidates]
    large = [c for c in everything if c.get("exhaustive", {"bounds": LIMIT + 1})["bounds"] > LIMIT]
    for way in WAYS:
        print_row(way, *describe(everything, way))
    for way in WAYS:
        print_row(f"{way} (large spaces)", *describe(large, way))


def programs_table(results):
    print_head("program", "candidates", "large", "way", "mean ratio", "worst ratio", "best found",
               "nothing found", "evaluated", "bounds", "ms")  # fmt: skip
    for name, candidates in results.items():
        large = sum(c.get("exhaustive", {"bounds": LIMIT + 1})["bounds"] > LIMIT
                    for c in candidates)  # fmt: skip
        for way in ("descent", "algorithm 1", LARGE, SMALL):
            print_row(name, len(candidates), large, way, *describe(candidates, way))


def bounds_table(results):
    print_head("program", "launches at points", "mean bound")
    for name, candidates in results.items():
        count = sum(c["tightness"]["count"] for c in candidates)
        total = sum(c["tightness"]["sum"] for c in candidates)
        print_row(name, f"{count:,}", f"{total / max(count, 1):.3f}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", default=",".join(NAMES.split()))
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--tables", default="ways,programs,bounds")
    arguments = parser.parse_args()
    tables = {"ways": ways_table, "programs": programs_table, "bounds": bounds_table}
    asked = split(arguments.tables, tables, "table")
    names = split(arguments.programs, PROGRAMS, "program")
    subprocess.run(["ninja", "-C", BUILD, "mirage-size-searches"], check=True,
                   stdout=subprocess.DEVNULL)  # fmt: skip
    results = {name: compare(name, arguments.points) for name in names}
    for table in asked:
        tables[table](results)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times the choice of tilings for MCFuser's chains on the CPU.

    scripts/benchmark.sh tiling [--programs NAME,...] [--tables LIST] [--seeds N]

Tables:
  programs   G1 to G12 and S1 to S9: tiling expressions and candidates before and
             after each of the four rules, with padding of up to 5 % as in the paper;
             candidates that block graphs can have, which pad nothing; seconds to
             choose among them; the tiling and its time by both models.
  models     the tiling that the published model alone chooses, and what our model
             says of it.
  search     algorithm 1 against exhaustive search: the time found over the best,
             and candidates estimated, for populations and numbers of idle
             generations, over --seeds seeds (5).
  rules      the time found with all rules, and without rules 1, 2 and 4.
  space      the best tiling of all against what mirage-superoptimize finds, by the
             same model, for the programs and for --chains random chains (0); fails
             if a tiling is better.
"""
import argparse
import random
import sys

from common import print_head, print_row, run_pass, split
from programs import PROGRAMS

CHAINS = [f"G{i}" for i in range(1, 13)] + [f"S{i}" for i in range(1, 10)]


def tune(name, **options):
    return run_pass("mirage-tile", name, options)


def programs_table(names):
    print_head("program", "before", "rule 1", "rule 2", "rule 3", "rule 4", "without padding",
               "tuning ms", "process s", "tiling", "µs", "published µs")  # fmt: skip
    for name in names:
        stats, seconds = tune(name)
        rules = [f"{r['candidates']:,} ({r['expressions']})" for r in stats["published_space"]]
        print_row(name, *rules, f"{stats['space'][4]['candidates']:,}",
                  f"{stats['seconds'] * 1e3:.1f}", f"{seconds:.2f}", f"`{stats['tiling']}`",
                  f"{stats['microseconds']:.2f}",
                  f"{stats['published_microseconds']:.2f}")  # fmt: skip


def models_table(names):
    print_head("program", "tiling by equations 2 to 5", "published µs", "our µs", "our best µs")
    for name in names:
        published, _ = tune(name, estimate="published", measure="published")
        ours, _ = tune(name)
        print_row(name, f"`{published['tiling']}`", f"{published['published_microseconds']:.2f}",
                  f"{published['microseconds']:.2f}", f"{ours['microseconds']:.2f}")  # fmt: skip


def search_table(names, seeds):
    best = {name: tune(name, exhaustive=10**9)[0]["microseconds"] for name in names}
    print_head("estimate", "population", "patience", "mean ratio", "worst ratio",
               "exact", "estimated", "tuning ms")  # fmt: skip
    for estimate in ("mirage", "published"):
        for population in (32, 64, 128, 256):
            for patience in (1, 3):
                ratios, estimated, spent = [], [], []
                for name in names:
                    for seed in range(seeds):
                        stats, _ = tune(name, exhaustive=0, estimate=estimate, seed=seed,
                                        population=population, patience=patience)  # fmt: skip
                        ratios.append(stats["microseconds"] / best[name])
                        estimated.append(stats["estimated"])
                        spent.append(stats["seconds"])
                exact = sum(r < 1 + 1e-9 for r in ratios)
                print_row(estimate, population, patience, f"{sum(ratios) / len(ratios):.4f}",
                          f"{max(ratios):.3f}", f"{exact}/{len(ratios)}",
                          f"{sum(estimated) / len(estimated):.0f}",
                          f"{sum(spent) / len(spent) * 1e3:.1f}")  # fmt: skip


def rules_table(names):
    print_head("program", "µs", "µs without rules 1, 2 and 4", "candidates", "without rules")
    for name in names:
        ruled, _ = tune(name)
        free, _ = tune(name, rule1="false", rule2="false", rule4="false", exhaustive=10**9)
        print_row(name, f"{ruled['microseconds']:.4f}", f"{free['microseconds']:.4f}",
                  ruled["estimated"], free["estimated"])  # fmt: skip


def draw_chains(count):
    """Adds random chains of two products, of which every other one has a softmax between, to the
    programs, and returns their names."""
    draws = random.Random(0)
    names = []
    for i in range(count):
        function = PROGRAMS["S1" if i % 2 else "G1"][0]
        batch = draws.choice((1, 1, 4, 8))
        m, n, k, h = (16 * draws.randint(1, limit) for limit in (64, 64, 16, 16))
        names.append(f"chain_{batch}_{m}_{n}_{k}_{h}{'_softmax' if i % 2 else ''}")
        PROGRAMS[names[-1]] = (function, (batch, m, n, k, h))
    return names


def space_table(names, chains):
    print_head("program", "tiling", "µs", "search µs", "launches")
    better = []
    for name in [*names, *draw_chains(chains)]:
        tiling, _ = tune(name, exhaustive=10**9)
        found, _ = run_pass("mirage-superoptimize", name, {})
        best = min((one for one in found["judged"] if one["verdict"] in ("proved", "equivalent")),
                   key=lambda one: one["microseconds"])  # fmt: skip
        print_row(name, f"`{tiling['tiling']}`", f"{tiling['microseconds']:.2f}",
                  f"{best['microseconds']:.2f}", best["launches"])  # fmt: skip
        if best["microseconds"] > tiling["microseconds"] * (1 + 1e-9):
            better.append(name)
    if better:
        sys.exit(f"tilings are better than what the search finds: {', '.join(better)}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", default=",".join(CHAINS))
    parser.add_argument("--tables", default="programs")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--chains", type=int, default=0)
    arguments = parser.parse_args()
    tables = {"programs": programs_table, "models": models_table, "rules": rules_table,
              "search": lambda names: search_table(names, arguments.seeds),
              "space": lambda names: space_table(names, arguments.chains)}  # fmt: skip
    names = split(arguments.programs, PROGRAMS, "program")
    for table in split(arguments.tables, tables, "table"):
        tables[table](names)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times the search for µGraphs on the CPU.

    scripts/benchmark.sh search [--programs NAME,...] [--threads N] [--tables LIST]

Tables:
  programs   each program of benchmarks/programs.py through --mirage-optimize: states,
             candidates, verdicts, the cost model's time for it and for the plain
             program, and seconds of the processor from the file to the verified µGraph
             (the whole process, on all threads), which say more than those that pass
             where other processes run.
  operators  rmsnorm_bs8 and gqa_bs1 with 5 to 11 block operators, one kernel and no
             limit of states: states, pruned by each rule, complete graphs, verified
             ones, seconds with 1 and 2 threads, states a second on one thread
             without verification. Rules are all that the search reports.
  ablation   the same programs without pruning by expressions, without the canonical
             order, and with Z3 in place of the normal form, at the largest number of
             operators that takes less than --patience seconds.
"""
import argparse
import resource

from common import print_head, print_row, run_pass, split
from programs import PROGRAMS


def search(name, options, timeout=None):
    return run_pass("mirage-superoptimize", name, options, timeout)


def get_processor_seconds():
    """Seconds that all processes took that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def programs_table(names, threads):
    print_head("program", "states", "candidates", "verified", "refuted", "undecided", "kernels",
               "plain µs", "found µs", "processor s")  # fmt: skip
    for name in names:
        before = get_processor_seconds()
        stats, _ = run_pass("mirage-optimize", name, {"threads": threads})
        seconds = get_processor_seconds() - before
        verdicts = stats["verdicts"]
        accepted = [c for c in stats["judged"] if c["verdict"] in ("proved", "equivalent")]
        if "microseconds" in (composed := stats["composition"]):
            accepted.append({"launches": composed["kernels"], **composed})
        best = min(accepted, key=lambda c: c["microseconds"], default=None)
        print_row(name, f"{stats['states']:,}", stats["candidates"], verdicts["accepted"],
                  verdicts["refuted"], verdicts["unknown"] + verdicts["unstable"],
                  best["launches"] if best else "-", f"{stats['original_microseconds']:.2f}",
                  f"{best['microseconds']:.2f}" if best else "-", f"{seconds:.2f}")  # fmt: skip


GROWTH = ("rmsnorm_bs8", "gqa_bs1")
# Of whole programs.
UNLIMITED = {"kernels": 1, "loops": 1, "pieces": "false", "effort": 0,
             "min-gain": 0}


def operators_table():
    rules = None
    for name in GROWTH:
        for operators in range(5, 12):
            options = {**UNLIMITED, "max-block-operators": operators}
            one, seconds = search(name, {**options, "threads": 1})
            _, parallel = search(name, {**options, "threads": 2})
            if rules is None:
                rules = list(one["pruned"])
                print_head("program", "operators", "states",
                           *(rule.replace("_", " ") for rule in rules), "complete", "fit",
                           "verified", "1 thread s", "2 threads s", "states/s")  # fmt: skip
            rate = one["states"] / max(one["seconds"]["generate"], 1e-9)
            print_row(name, operators, f"{one['states']:,}",
                      *(f"{one['pruned'][rule]:,}" for rule in rules), one["complete"],
                      one["candidates"], one["verdicts"]["accepted"], f"{seconds:.2f}",
                      f"{parallel:.2f}", f"{rate:,.0f}")  # fmt: skip


VARIANTS = {
    "all": {},
    "without expressions": {"prune": "none"},
    "without canonical order": {"canonical-order": "false"},
    "Z3 alone": {"prune": "smt"},
    "normal form and Z3": {"prune": "both"},
}


def ablation_table(patience):
    print_head("program", "variant", "operators", "states", "sizes", "complete", "generation s")
    for name in GROWTH:
        for label, variant in VARIANTS.items():
            best = None
            for operators in range(3, 12):
                options = {**UNLIMITED, **variant, "threads": 1, "max-block-operators": operators}
                result = search(name, options, timeout=patience)
                if not result:
                    break
                best = (operators, result[0])
            operators, stats = best
            print_row(name, label, operators, f"{stats['states']:,}",
                      f"{stats['pruned']['sizes']:,}", stats["complete"],
                      f"{stats['seconds']['generate']:.2f}")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--tables", default="programs,operators,ablation")
    parser.add_argument("--patience", type=float, default=20)
    arguments = parser.parse_args()
    tables = split(arguments.tables, ("programs", "operators", "ablation"), "table")
    names = split(arguments.programs, PROGRAMS, "program")
    if "programs" in tables:
        programs_table(names, arguments.threads)
    if "operators" in tables:
        operators_table()
    if "ablation" in tables:
        ablation_table(arguments.patience)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times the verification of µGraphs on the CPU.

    scripts/benchmark.sh verification [--candidates N] [--threads N]

Candidates a second: a module with N copies of an example's µGraph, compared at
small sizes by random tests, as a search sorts candidates out; reading the
module is not counted. Full size: one pair at its own size, with all stages,
and with random tests alone (no proof, no floats); the time is that of the whole
process, memory its peak. Every pair must be accepted. Medians of three runs.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNS = 3


def run(command):
    """Seconds, peak memory in MiB, and output."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        out.seek(0)
        text = out.read()
    if status != 0:
        sys.exit(f"{' '.join(command)} failed:\n{text}")
    return seconds, usage.ru_maxrss / 1024, text


def measure(command):
    runs = [run(command) for _ in range(RUNS)]
    return (
        statistics.median(r[0] for r in runs),
        max(r[1] for r in runs),
        runs[0][2],
    )


def copies(path, name, count):
    """The module in `path` with `count` candidates for @name."""
    with open(path) as file:
        text = file.read()
    start = text.index(f"func.func @{name}_mugraph")
    end = text.index("\n}\n", start) + 3
    candidate = text[start:end]
    # The attribute goes between the function's type and its body.
    body = re.search(r"\{\n", candidate)
    marked = (
        candidate[: body.start()]
        + f"attributes {{mirage.equivalent_to = @{name}}} "
        + candidate[body.start() :]
    )
    functions = "".join(
        marked.replace(f"@{name}_mugraph", f"@candidate_{i}") for i in range(count)
    )
    return text[:start] + functions + text[end:]


def filter_rate(opt, path, name, count, threads):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(copies(path, name, count))
        file.flush()
        read, _, _ = measure([opt, file.name, "-o", os.devnull])
        options = f"shrink=true prove=false check-floats=false threads={threads}"
        total, memory, text = measure(
            [opt, file.name, f"--mirage-verify-equivalence={options}", "-o", os.devnull]
        )
    assert text.count("equivalent with error") == count, text
    return count / (total - read), memory


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mirage-opt", default=f"{ROOT}/build/release/bin/mirage-opt")
    parser.add_argument("--candidates", type=int, default=500)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()

    print(f"{'candidates at small sizes':34} {'a second':>10} {'MiB':>8}")
    for name in ("rmsnorm_linear", "gated_mlp", "lora", "gqa"):
        rate, memory = filter_rate(
            args.mirage_opt,
            f"{ROOT}/examples/{name}.mlir",
            name,
            args.candidates,
            args.threads,
        )
        print(f"{name:34} {rate:10.0f} {memory:8.0f}")

    print()
    print(f"{'full size':24} {'stages':>9} {'seconds':>10} {'MiB':>8}  answer")
    for name in ("gqa_bs8", "gatedmlp_bs8"):
        for stages, options in (
            ("all", ""),
            ("tests", "prove=false check-floats=false assume-independence"),
        ):
            seconds, memory, text = measure(
                [
                    args.mirage_opt,
                    f"{ROOT}/benchmarks/programs/{name}.mlir",
                    f"--mirage-verify-equivalence=lhs={name} rhs={name}_mugraph "
                    f"threads={args.threads} {options}",
                    "-o",
                    os.devnull,
                ]
            )
            answer = text.strip().split(" does: ", 1)[1]
            print(f"{name:24} {stages:>9} {seconds:10.2f} {memory:8.0f}  {answer}")


if __name__ == "__main__":
    main()

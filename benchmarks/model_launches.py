#!/usr/bin/env python3
"""Puts the model's time of each launch of recorded models beside its measured time.

    scripts/benchmark.sh model_launches make OUT
    scripts/benchmark.sh model_launches run OUT [--programs A,B]

OUT is what `scripts/benchmark.sh models make OUT` has made. `make` needs no GPU: it asks
mirage-opt what each launch of the recorded programs takes by the model, of both that a
graph has, what the search found and what fusion alone gives, and writes
OUT/launches.json. `run`, where a GPU and PyTorch are, runs each program on random inputs
under PyTorch's profiler. It prints a row for each kernel, by the difference of both times:
its name, how often the program launches it, and microseconds of all its launches by the
model and as measured, the median of its launches times their number. Kernels of the
general lowering have no time by the model; they are in the total as measured.
"""
import argparse
import glob
import json
import os
import re
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "benchmarks"))
from common import print_head, print_row  # noqa: E402

_TIME = re.compile(r"^ +([0-9.]+) us by the model", re.MULTILINE)
_FUNCTION = re.compile(r"^@(\S+) on ", re.MULTILINE)
REPLAYS = 20


def read_json(path):
    with open(path) as file:
        return json.load(file)


def get_times(opt, path):
    """Microseconds by the model of the launches of a program's main function, in order,
    without those that are run once, when the program is loaded."""
    printed = subprocess.run(
        [opt, path, "--inline", "--mirage-split-load", "--mirage-print-schedule", "-o", os.devnull],
        check=True, capture_output=True, text=True).stdout  # fmt: skip
    parts = _FUNCTION.split(printed)[1:]
    texts = dict(zip(parts[::2], parts[1::2]))
    return [float(time) for time in _TIME.findall(texts.get("main", ""))]


def get_kernels(records, name):
    """The names of the kernels that a program launches, in order."""
    manifest = read_json(os.path.join(records, name, "manifest.json"))
    functions = {f["name"]: f for f in manifest["functions"]}
    return [kernel["name"] for kernel in functions["main"]["kernels"]]


def make(out, tools):
    records = os.path.join(out, "records")
    found = {}
    for path in sorted(glob.glob(os.path.join(records, "graph-*", "graph.json"))):
        for kind, name in zip(("found", "fused"), read_json(path)["programs"]):
            launches = [k for k in get_kernels(records, name) if k.endswith("_launch")]
            times = get_times(os.path.join(tools, "mirage-opt"),
                              os.path.join(records, name, "program.mlir"))  # fmt: skip
            if len(times) != len(launches):
                print(f"{name} is left out: {len(launches)} launches, {len(times)} times")
                continue
            found[name] = {"kind": kind, "graph": os.path.basename(os.path.dirname(path)),
                           "launches": list(zip(launches, times))}  # fmt: skip
    with open(os.path.join(out, "launches.json"), "w") as file:
        json.dump(found, file, indent=1)
    print(f"{len(found)} programs")


def measure(folder):
    """The durations of each kernel of a program, in microseconds, by name."""
    import torch

    from mirage import program
    from mirage.driver import cuda
    from mirage.launcher import TYPES, Launcher

    launcher = Launcher(program.load(folder), torch.device("cuda", 0), cuda())
    inputs = [torch.randn(b.shape, device="cuda").to(TYPES[b.type]) for b in launcher.inputs]
    with torch.no_grad():
        launcher(*inputs)
        torch.cuda.synchronize()
        activities = [torch.profiler.ProfilerActivity.CUDA]
        with torch.profiler.profile(activities=activities) as profile:
            for _ in range(REPLAYS):
                launcher(*inputs)
            torch.cuda.synchronize()
    durations = {}
    for event in profile.events():
        durations.setdefault(event.name, []).append(event.device_time)
    return durations


def run(out, names):
    sys.path.insert(0, os.path.join(out, "package"))
    records = os.path.join(out, "records")
    for name, entry in read_json(os.path.join(out, "launches.json")).items():
        if names and name not in names:
            continue
        durations = measure(os.path.join(records, name))
        modelled = {}
        for kernel, time in entry["launches"]:
            modelled.setdefault(kernel, []).append(time)
        rows, total = [], 0
        for kernel in dict.fromkeys(get_kernels(records, name)):
            count = len(durations.get(kernel, [])) // REPLAYS
            measured = count * statistics.median(durations[kernel]) if count else 0
            total += measured
            if kernel in modelled:
                rows.append((kernel, count, sum(modelled[kernel]), measured))
        print(f"\n{name}, {entry['kind']} for {entry['graph']}: "
              f"{sum(row[2] for row in rows):.1f} by the model, {total:.1f} measured\n")
        print_head("Kernel", "launches", "model, µs", "measured, µs", "measured / model")
        for row in sorted(rows, key=lambda row: row[2] - row[3]):
            print_row(row[0], str(row[1]), f"{row[2]:.1f}", f"{row[3]:.1f}",
                      f"{row[3] / row[2]:.2f}")  # fmt: skip
        sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("step", choices=("make", "run"))
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--tools", default=os.path.join(ROOT, "build/release/bin"),
                        help="folder of Mirage's tools")
    parser.add_argument("--programs", help="run: names of records, with commas")
    options = parser.parse_args()
    if options.step == "make":
        make(options.out, options.tools)
    else:
        run(options.out, options.programs.split(",") if options.programs else [])


if __name__ == "__main__":
    main()

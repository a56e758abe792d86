#!/usr/bin/env python3
"""Times any programs of kernel operators or linalg beside PyTorch.

    scripts/benchmark.sh deployed make OUT [FILE ...] [--only A,B]     # without a GPU
    scripts/benchmark.sh deployed tune OUT [--only A,B] [--jobs N]     # with one
    scripts/benchmark.sh deployed lower OUT [--only A,B]               # without
    scripts/benchmark.sh deployed run OUT [--only A,B] [--jobs N]      # with one, and PyTorch
    scripts/benchmark.sh deployed report OUT

`make` takes the function of each file (those of examples/deployed, unless files are given)
through --mirage-optimize and --mirage-lower-to-nvvm, and writes it as a program of PyTorch
(OUT/NAME/program.py), an expression for each operator; constants whose elements differ are
made before it is called there, and in each call here. `tune` measures launches by
--mirage-tune-launches, which needs no PyTorch, and `lower` makes the kernels anew by what was
measured; without both they are as the cost model chooses. `run` times both, the latter in eager
mode and by torch.compile (inductor's default mode), which compiles in so many processes
before anything is timed. All are captured in CUDA graphs that rotate over copies of the
inputs, more than the L2 cache holds, take a millisecond at least, and are replayed in turns;
times are medians in microseconds. Results are compared with the program in float64: an error
is that of all elements together, by the Frobenius norm, beside the error of eager mode.
Elements of casts to eight bits and of comparisons differ where rounding moves an operand, in
both. `run` writes OUT/times.json, which `report` prints.
"""
import argparse
import glob
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time

import torch_program
from common import (BIN, KERNELS, MODELLED, call, lower, lower_all, print_head, print_row,
                    split, tune)  # fmt: skip
from turns import ROOT, Replay, load

ROUNDS, ROTATED, MOST_COPIES = 9, 120 << 20, 256
PEERS = ("eager", "inductor")


def make_one(path, folder, search):
    os.makedirs(folder, exist_ok=True)
    plain = call("mirage-opt", path, "--mirage-import-linalg", "--mlir-print-op-generic")
    text, arguments = torch_program.translate(plain)
    begin = time.monotonic()
    optimized = call("mirage-opt", path, f"--mirage-optimize={search}")
    seconds = time.monotonic() - begin
    costs = json.loads(call("mirage-opt", "--mirage-lower-to-launches",
                            "--mirage-print-cost=json", "-o", os.devnull, text=optimized))  # fmt: skip
    for name, content in (("optimized.mlir", optimized), ("program.py", text)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(content)
    lower(folder)
    function = re.search(r"func\.func (?:public )?@(\w+)", optimized)[1]
    with open(os.path.join(folder, "program.json"), "w") as file:
        json.dump({"function": function, "arguments": arguments, "seconds": seconds,
                   "model": sum(c["microseconds"] for c in costs)}, file)  # fmt: skip


def make(out, files, only, search):
    paths = {os.path.splitext(os.path.basename(path))[0]: path for path in files}
    failed = 0
    for name in split(only, paths, "program") if only else paths:
        try:
            make_one(paths[name], os.path.join(out, name), search)
            print(f"{name}: made", flush=True)
        except (RuntimeError, torch_program.TranslationError) as error:
            failed += 1
            print(f"{name}: {type(error).__name__}: {error}", flush=True)
    return failed > 0


class Measured:
    """A program that was made: its functions of PyTorch, and inputs."""

    def __init__(self, out, name):
        self.folder = os.path.join(out, name)
        with open(os.path.join(self.folder, "program.py")) as file:
            self.text = file.read()
        with open(os.path.join(self.folder, "program.json")) as file:
            self.about = json.load(file)

    def of_torch(self, exact=False):
        return torch_program.get_function(self.text, exact)

    def compiled(self):
        import torch

        torch._dynamo.reset()
        return torch.compile(self.of_torch(), dynamic=False)

    def get_inputs(self, seed):
        """Random numbers of standard deviation 1; each argument has its own."""
        import torch

        torch.manual_seed(seed)
        return [torch.randn(shape, device="cuda")
                .to(getattr(torch, torch_program.TYPES[element]))
                for shape, element in self.about["arguments"]]  # fmt: skip

    def get_copies(self):
        size = sum(x.numel() * x.element_size() for x in self.get_inputs(0))
        return max(2, min(MOST_COPIES, ROTATED // size + 1))


def compile_ahead(out, names):
    """Compiles by inductor, whose caches a later process reads."""
    for name in names:
        program = Measured(out, name)
        try:
            program.compiled()(*program.get_inputs(0))
        except Exception as error:  # Inductor's errors are of many classes.
            print(f"{name}: inductor: {str(error).splitlines()[0]}", file=sys.stderr)


def get_error(results, exact):
    """Of all elements that are finite numbers in float64, by the Frobenius norm."""
    import torch

    squares, sums = 0.0, 0.0
    for result, wanted in zip(results, exact, strict=True):
        is_finite = wanted.isfinite()
        difference = torch.where(is_finite, result.double() - wanted, 0)
        squares += difference.square().sum().item()
        sums += torch.where(is_finite, wanted, 0).square().sum().item()
    return math.sqrt(squares / sums) if sums else math.sqrt(squares)


def time_one(out, name, peers):
    import torch

    program = Measured(out, name)
    calls = {"mirage": load(os.path.join(program.folder, KERNELS), program.about["function"])}
    for peer, get in (("eager", program.of_torch), ("inductor", program.compiled)):
        if peer in peers:
            calls[peer] = get()
    if os.path.exists(os.path.join(program.folder, MODELLED)):
        calls[MODELLED] = load(os.path.join(program.folder, MODELLED), program.about["function"])
    sets = [program.get_inputs(seed) for seed in range(program.get_copies())]
    exact = program.of_torch(exact=True)(*(x.double() for x in sets[0]))
    row = {"model": program.about["model"], "kernels": len(calls["mirage"].launches),
           "errors": {}, "times": {}}  # fmt: skip
    sides = {}
    for side, function in calls.items():
        try:
            row["errors"][side] = get_error(function(*sets[0]), exact)
            sides[side] = Replay(function, sets)
        except Exception as error:
            if side in ("mirage", MODELLED):
                raise
            row[f"{side} failed"] = str(error).splitlines()[0]
            torch.cuda.synchronize()
    found = {side: [] for side in sides}
    for _ in range(ROUNDS):
        for side, replay in sides.items():
            found[side].append(replay.time(1, 1))
    row["times"] = {side: statistics.median(times) for side, times in found.items()}
    return row


def run(out, names, jobs, peers=PEERS):
    import torch

    sys.path.insert(0, os.path.join(ROOT, "python"))
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", os.path.join(os.path.abspath(out), "inductor"))
    begin = time.monotonic()
    parts = [names[i::jobs] for i in range(min(jobs, len(names)))] if "inductor" in peers else []
    ahead = [subprocess.Popen([sys.executable, __file__, "compile", out, "--only", ",".join(part)])
             for part in parts]  # fmt: skip
    for process in ahead:
        process.wait()
    gpu = torch.cuda.get_device_name()
    compiled = f"; inductor compiled {len(names)} programs in {time.monotonic() - begin:.0f} s"
    print(f"{gpu}, PyTorch {torch.__version__}{compiled if parts else ''}", flush=True)
    path, times = os.path.join(out, "times.json"), {}
    if os.path.exists(path):
        with open(path) as file:
            times = json.load(file)
    times.update({"gpu": gpu, "PyTorch": torch.__version__})
    wrong = 0
    for name in names:
        try:
            row = times[name] = time_one(out, name, peers)
        except Exception as error:
            wrong += 1
            print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0]}", flush=True)
            torch.cuda.synchronize()
            continue
        print(name, {side: round(t, 2) for side, t in row["times"].items()},
              {side: f"{error:.1e}" for side, error in row["errors"].items()}, flush=True)
        with open(path, "w") as file:
            json.dump(times, file, indent=1)
        torch.cuda.empty_cache()
    return wrong


def get_modelled(row):
    """What the kernels take that the cost model chooses."""
    return row["times"].get(MODELLED, row["times"]["mirage"])


def get_speedup(row):
    return min(row["times"][p] for p in PEERS if p in row["times"]) / row["times"]["mirage"]


def report(out):
    with open(os.path.join(out, "times.json")) as file:
        times = json.load(file)
    print(f"{times.pop('gpu')}, PyTorch {times.pop('PyTorch')}\n")
    print_head("program", "kernels", "model, µs", "chosen by it, µs", "Mirage, µs",
               *(f"{p}, µs" for p in PEERS), "best peer / Mirage", "error / eager's")  # fmt: skip
    for name, row in sorted(times.items(), key=lambda entry: get_speedup(entry[1])):
        errors = row["errors"]
        print_row(name, row["kernels"], f"{row['model']:.1f}", f"{get_modelled(row):.1f}",
                  f"{row['times']['mirage']:.1f}",
                  *(f"{row['times'][p]:.1f}" if p in row["times"] else "fails" for p in PEERS),
                  f"{get_speedup(row):.2f}",
                  f"{errors['mirage']:.1e} / {errors.get('eager', math.nan):.1e}")  # fmt: skip
    logs = [math.log(get_speedup(row)) for row in times.values()]
    modelled = [math.log(get_modelled(row) / row["model"]) for row in times.values()]
    mean = sum(modelled) / len(modelled)
    spread = math.sqrt(sum((x - mean) ** 2 for x in modelled) / len(modelled))
    print(f"\n{len(logs)} programs, geometric mean of the best peer's time over Mirage's "
          f"{math.exp(sum(logs) / len(logs)):.2f}, {sum(x < 0 for x in logs)} slower than it; "
          f"measured over the model's time {math.exp(mean):.2f}, standard deviation of its "
          f"logarithm {spread:.2f}")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("step", choices=("make", "tune", "lower", "run", "report", "compile"))
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--only", help="names, with commas")
    parser.add_argument("--search", default="", help="make: options of mirage-optimize; "
                        "search=false is fusion alone")
    parser.add_argument("--jobs", type=int, default=8, help="processes that compile by inductor, or tune")
    parser.add_argument("--mirage-opt", default=f"{BIN}/mirage-opt", help="what tunes")
    options = parser.parse_args()
    if options.step == "make":
        files = options.files or sorted(glob.glob(f"{ROOT}/examples/deployed/*.mlir"))
        return make(options.out, files, options.only, options.search)
    if options.step == "report":
        return report(options.out)
    made = sorted(os.path.basename(os.path.dirname(path))
                  for path in glob.glob(os.path.join(options.out, "*", "program.json")))  # fmt: skip
    names = split(options.only, made, "program") if options.only else made
    if options.step == "tune":
        return tune(options.out, names, options.mirage_opt, options.jobs)
    if options.step == "lower":
        return lower_all(options.out, names)
    if options.step == "compile":
        return compile_ahead(options.out, names)
    return run(options.out, names, options.jobs) > 0


if __name__ == "__main__":
    sys.exit(main())

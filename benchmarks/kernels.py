#!/usr/bin/env python3
"""Times the kernels of the programs of programs.py beside PyTorch, in one run.

    scripts/benchmark.sh kernels make OUT [--programs A,B]   needs no GPU
    scripts/benchmark.sh kernels run OUT [--programs A,B] [--compile] [--check]
    scripts/benchmark.sh kernels report OUT

`make` takes each program as plain text through --mirage-optimize and
--mirage-lower-to-nvvm and writes OUT/NAME/program.mlir and OUT/NAME/kernels.
`run`, on a machine with a GPU, times the kernels and the peers: PyTorch's eager
mode, its attention (flash and cuDNN), and with --compile torch.compile
(max-autotune). Both sides run inside CUDA graphs that rotate over copies of
their inputs (more than 256 MB in total, so that the L2 cache does not serve
them); medians, in microseconds. With --check every element of the results is
compared with an evaluation in f64 first, by the bound that mirage-run derives,
on two kinds of random inputs. It writes OUT/times.json. `report` prints it as a
table, with the geometric mean of the speedups over the best peer.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import BIN, print_head, print_row, split  # noqa: E402
from programs import PROGRAMS, Program, write  # noqa: E402


def make_one(name, folder):
    """The seconds that optimizing and lowering took."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "program.mlir")
    with open(path, "w") as file:
        file.write(write(name))
    optimize = subprocess.run(
        [f"{BIN}/mirage-opt", path, "--mirage-optimize", "--mirage-lower-to-nvvm"],
        capture_output=True, text=True)  # fmt: skip
    if optimize.returncode:
        return optimize.stderr.strip()
    translate = subprocess.run(
        [f"{BIN}/mirage-translate", "--mirage-to-ptx", "-o", os.path.join(folder, "kernels")],
        input=optimize.stdout, capture_output=True, text=True)  # fmt: skip
    return translate.stderr.strip() if translate.returncode else None


def time_kernels(mirage_run, name, folder, check):
    """Microseconds, or what went wrong."""
    kernels = ["--device=cuda", f"--entry={name}", f"--kernels={folder}/kernels"]
    runs = [[mirage_run, f"{folder}/program.mlir", *kernels, f"--scale={scale}", f"--seed={seed}"]
            for seed, scale in ((1, 1), (2, 8))] if check else []  # fmt: skip
    for command in [*runs, [mirage_run, *kernels, "--time"]]:
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return "took more than 300 s"
        if run.returncode:
            return (run.stdout + run.stderr).strip()[-300:]
    return float(re.search(r"median_us=([0-9.]+)", run.stdout)[1])


# --- peers ---------------------------------------------------------------------


def get_shapes(name):
    function, parameter = PROGRAMS[name]
    program = Program()
    function(program, parameter)
    return [program.types[argument][0] for argument in program.arguments]


def get_peers(name):
    """Functions of the inputs by the peer's name, and whether K is stored by keys for them."""
    import torch
    import torch.nn.functional as F
    from torch.nn.attention import SDPBackend, sdpa_kernel

    def rms(x):
        return F.rms_norm(x.float(), x.shape[-1:], eps=1e-5).half()

    def attention(q, k, v):
        return torch.softmax((q @ k).float(), -1).half() @ v

    def sdpa(backend, before=lambda q, k, v: (q, k, v), scale=1.0, causal=False):
        def run(q, k, v):
            q, k, v = before(q, k, v)
            with sdpa_kernel(backend):
                return F.scaled_dot_product_attention(q[None], k[None], v[None], scale=scale,
                                                      is_causal=causal)

        return run

    def attentions(eager, before=lambda q, k, v: (q, k, v)):
        return {"eager": eager, "flash": sdpa(SDPBackend.FLASH_ATTENTION, before),
                "cudnn": sdpa(SDPBackend.CUDNN_ATTENTION, before)}  # fmt: skip

    kind = PROGRAMS[name][0].__name__
    if kind == "prefill":
        *_, depth, causal = PROGRAMS[name][1]
        return {peer: sdpa(backend, scale=depth**-0.5, causal=causal) for peer, backend in (
            ("flash", SDPBackend.FLASH_ATTENTION), ("cudnn", SDPBackend.CUDNN_ATTENTION))}
    if kind in ("gqa", "mha", "mqa", "self_attention"):
        return attentions(attention)
    if kind == "qknorm":
        return attentions(lambda q, k, v: attention(rms(q), k, rms(v)),
                          lambda q, k, v: (rms(q), k, rms(v)))  # fmt: skip
    if kind == "qknorm_keys":
        return attentions(lambda q, k, v: attention(rms(q), rms(k).mT, v),
                          lambda q, k, v: (rms(q), rms(k), v))  # fmt: skip
    eager = {
        "rmsnorm": lambda x, w: rms(x) @ w,
        "lora": lambda x, w, a, b: x @ w + (x @ a) @ b,
        "gatedmlp": lambda x, v, w: F.silu(x @ v) * (x @ w),
        "ntrans": lambda h, x, a: rms(x + a * (rms(h) + x)),
        "mlp": lambda x, a, b: torch.relu(x @ a) @ b + x,
        "moe": lambda x, a, b: torch.exp(x @ a) @ b,
        "chain": lambda a, b, d: (a @ b) @ d,
    }[kind]
    return {"eager": eager}


def time_peers(name, compiled):
    import torch
    from examples import time_torch

    torch._dynamo.reset()
    shapes = get_shapes(name)
    peers = get_peers(name)
    if compiled and "eager" in peers:
        peers["inductor"] = peers["eager"]
    times = {}
    for peer, function in peers.items():
        # The attention of PyTorch takes K as rows of keys.
        stored = list(shapes)
        by_keys = PROGRAMS[name][0].__name__ in ("qknorm_keys", "prefill")
        if peer in ("flash", "cudnn") and not by_keys:
            heads, depth, keys = stored[1]
            stored[1] = (heads, keys, depth)
        try:
            times[peer] = time_torch(stored, function, compiled=peer == "inductor")
        except RuntimeError as error:
            print(f"{name}: {peer} does not run: {str(error).splitlines()[0]}", file=sys.stderr)
    return times


# --- the three steps -------------------------------------------------------------


def make(out, names):
    for name in names:
        error = make_one(name, os.path.join(out, name))
        print(f"{name}: {error or 'made'}", flush=True)


def run(out, names, options):
    import torch

    path = os.path.join(out, "times.json")
    times = {}
    if os.path.exists(path):
        with open(path) as file:
            times = json.load(file)
    times["gpu"], times["PyTorch"] = torch.cuda.get_device_name(), torch.__version__
    for name in names:
        mirage = time_kernels(options.mirage_run, name, os.path.join(out, name), options.check)
        times[name] = {"mirage": mirage, **time_peers(name, options.compile)}
        print(name, times[name], flush=True)
        with open(path, "w") as file:
            json.dump(times, file, indent=1)


def report(out):
    with open(os.path.join(out, "times.json")) as file:
        times = json.load(file)
    print(f"{times.pop('gpu')}, PyTorch {times.pop('PyTorch')}\n")
    peers = [p for p in ("eager", "flash", "cudnn", "inductor")
             if any(p in row for row in times.values())]  # fmt: skip
    print_head("Program", "Mirage", *peers, "best peer / Mirage")
    logs = []
    for name, row in times.items():
        best = min((row[p] for p in peers if p in row), default=math.nan)
        cells = [f"{row[p]:.1f}" if p in row else "" for p in peers]
        if isinstance(row["mirage"], str):
            print_row(name, row["mirage"], *cells, "")
            continue
        logs.append(math.log(best / row["mirage"]))
        print_row(name, f"{row['mirage']:.1f}", *cells, f"{best / row['mirage']:.2f}")
    print(f"\nGeometric mean of {len(logs)} programs: {math.exp(sum(logs) / len(logs)):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("step", choices=("make", "run", "report"))
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="names, with commas")
    parser.add_argument("--compile", action="store_true", help="time torch.compile as well")
    parser.add_argument("--check", action="store_true", help="compare with f64 before timing")
    parser.add_argument("--mirage-run", default=f"{BIN}/mirage-run")
    options = parser.parse_args()
    names = split(options.programs, PROGRAMS, "program")
    if options.step == "make":
        make(options.out, names)
    elif options.step == "run":
        run(options.out, names, options)
    else:
        report(options.out)


if __name__ == "__main__":
    main()

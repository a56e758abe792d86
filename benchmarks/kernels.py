#!/usr/bin/env python3
"""Times the kernels of the programs of programs.py beside PyTorch, in one run.

    scripts/benchmark.sh kernels make OUT [--programs A,B]   needs no GPU
    scripts/benchmark.sh kernels tune OUT [--programs A,B] [--jobs N]
    scripts/benchmark.sh kernels lower OUT [--programs A,B]  needs no GPU
    scripts/benchmark.sh kernels run OUT [--programs A,B] [--compile] [--check] [--jobs N]
    scripts/benchmark.sh kernels report OUT [--svg FILE]

`make` takes each program as plain text through --mirage-optimize and
--mirage-lower-to-nvvm and writes OUT/NAME/program.mlir, optimized.mlir and kernels.
`tune`, on a machine with a GPU, measures the launches by --mirage-tune-launches, and
`lower` makes the kernels anew by what was measured; without both they are as the cost
model chooses.
`run`, on a machine with a GPU, times the kernels and the peers: PyTorch's eager
mode, its attention (flash and cuDNN), and with --compile torch.compile
(max-autotune), which compiles in so many processes before anything is timed.
Both sides run inside CUDA graphs that rotate over copies of their inputs (more
than 256 MB in total, so that the L2 cache does not serve them); medians, in
microseconds. With --check every element of the results is
compared with an evaluation in f64 first, by the bound that mirage-run derives,
on two kinds of random inputs. It writes OUT/times.json. `report` prints it as a
table, with the geometric mean of the speedups over the best peer and the part of
Mirage's time that the floor is (programs.get_floor), and draws both with --svg.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import (BIN, KERNELS, MODELLED, call, lower, lower_all, print_head, print_row,
                    split, tune)  # fmt: skip  # noqa: E402
from programs import PROGRAMS, Program, get_floor, write  # noqa: E402


def make_one(name, folder):
    """What went wrong, or nothing."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "program.mlir")
    with open(path, "w") as file:
        file.write(write(name))
    try:
        optimized = call("mirage-opt", path, "--mirage-optimize")
        with open(os.path.join(folder, "optimized.mlir"), "w") as file:
            file.write(optimized)
        lower(folder)
    except RuntimeError as error:
        return str(error)


def time_kernels(mirage_run, name, folder, check, kernels=KERNELS):
    """Microseconds, or what went wrong."""
    kernels = ["--device=cuda", f"--entry={name}", f"--kernels={folder}/{kernels}"]
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


def compile_peers(names):
    """Compiles by inductor, whose caches a later process reads."""
    import torch
    from examples import compile_torch

    for name in names:
        torch._dynamo.reset()
        peers = get_peers(name)
        if "eager" in peers:
            inputs = [torch.randn(s, device="cuda").half() for s in get_shapes(name)]
            compile_torch(peers["eager"])(*inputs)


def compile_ahead(out, names, jobs):
    """Compiles the peers of all programs in so many processes."""
    start = time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        failed = list(pool.map(
            lambda name: subprocess.run([sys.executable, __file__, "compile", out,
                                         "--programs", name], stderr=subprocess.DEVNULL).returncode,
            names))  # fmt: skip
    print(f"inductor compiled {len(names) - sum(map(bool, failed))} of {len(names)} programs in "
          f"{time.monotonic() - start:.0f} s")  # fmt: skip


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
    if options.compile:
        compile_ahead(out, names, options.jobs)
    times["gpu"], times["PyTorch"] = torch.cuda.get_device_name(), torch.__version__
    for name in names:
        mirage = time_kernels(options.mirage_run, name, os.path.join(out, name), options.check)
        folder = os.path.join(out, name)
        times[name] = {"mirage": mirage, **time_peers(name, options.compile)}
        if os.path.exists(os.path.join(folder, MODELLED)):
            times[name][MODELLED] = time_kernels(options.mirage_run, name, folder, check=False,
                                                 kernels=MODELLED)  # fmt: skip
        print(name, times[name], flush=True)
        with open(path, "w") as file:
            json.dump(times, file, indent=1)


def report(out, svg):
    with open(os.path.join(out, "times.json")) as file:
        times = json.load(file)
    print(f"{times.pop('gpu')}, PyTorch {times.pop('PyTorch')}\n")
    peers = [p for p in ("eager", "flash", "cudnn", "inductor")
             if any(p in row for row in times.values())]  # fmt: skip
    print_head("Program", "by the model", "Mirage", *peers, "best peer / Mirage",
               "floor / Mirage")  # fmt: skip
    drawn = {}
    for name, row in times.items():
        best = min((row[p] for p in peers if p in row), default=math.nan)
        cells = [f"{row[p]:.1f}" if p in row else "" for p in peers]
        if isinstance(row["mirage"], str):
            print_row(name, "", row["mirage"], *cells, "", "")
            continue
        drawn[name] = best / row["mirage"], get_floor(name) / row["mirage"]
        modelled = row.get(MODELLED, row["mirage"])
        print_row(name, f"{modelled:.1f}", f"{row['mirage']:.1f}", *cells, *(f"{x:.2f}" for x in drawn[name]))
    logs = [math.log(speedup) for speedup, _ in drawn.values()]
    print(f"\nGeometric mean of {len(logs)} programs: {math.exp(sum(logs) / len(logs)):.2f}")
    if svg:
        with open(svg, "w") as file:
            file.write(draw(drawn))


# --- the drawing -----------------------------------------------------------------

ROW, LABEL, PANEL, GAP, TOP = 15, 130, 330, 70, 40


def draw(drawn):
    """An SVG with a row for each program: the speedup over its best peer, by its logarithm, and
    the part of the time that the floor is."""
    height = TOP + ROW * len(drawn) + 30
    left, right = LABEL, LABEL + PANEL + GAP
    least, most = 0.5, max(8.0, *(speedup for speedup, _ in drawn.values()))

    def at(speedup):
        part = math.log(max(speedup, least) / least) / math.log(most / least)
        return left + PANEL * part

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{right + PANEL + 40}" '
             f'height="{height}" font-family="sans-serif" font-size="11">',
             '<rect width="100%" height="100%" fill="white"/>']  # fmt: skip

    def text(x, y, content, anchor="start"):
        lines.append(f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{content}</text>')

    def rule(x, label):
        bottom = TOP + ROW * len(drawn)
        lines.append(f'<line x1="{x:.0f}" y1="{TOP - 4}" x2="{x:.0f}" y2="{bottom}" '
                     f'stroke="{"black" if label == "1" else "#ccc"}"/>')  # fmt: skip
        text(x, bottom + 14, label, "middle")

    text(left, 16, "time of the best peer / Mirage's")
    text(right, 16, "floor / Mirage's time")
    for speedup in (0.5, 1, 2, 4, 8):
        rule(at(speedup), f"{speedup:g}")
    for part in (0, 0.25, 0.5, 0.75):
        rule(right + PANEL * part, f"{part:g}")
    rule(right + PANEL, "1")
    for number, (name, (speedup, part)) in enumerate(drawn.items()):
        y = TOP + ROW * number
        text(left - 8, y + 11, name, "end")
        begin, end = sorted((at(1), at(speedup)))
        color = "#2a7" if speedup >= 1 else "#c33"
        lines.append(f'<rect x="{begin:.1f}" y="{y + 2}" width="{max(end - begin, 0.5):.1f}" '
                     f'height="{ROW - 4}" fill="{color}"/>')  # fmt: skip
        text(end + 4, y + 11, f"{speedup:.2f}")
        lines.append(f'<rect x="{right}" y="{y + 2}" width="{PANEL * part:.1f}" '
                     f'height="{ROW - 4}" fill="#47b"/>')  # fmt: skip
    return "\n".join([*lines, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("step", choices=("make", "tune", "lower", "run", "report", "compile"))
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--programs", default=",".join(PROGRAMS), help="names, with commas")
    parser.add_argument("--compile", action="store_true", help="time torch.compile as well")
    parser.add_argument("--check", action="store_true", help="compare with f64 before timing")
    parser.add_argument("--mirage-run", default=f"{BIN}/mirage-run")
    parser.add_argument("--mirage-opt", default=f"{BIN}/mirage-opt", help="what tunes")
    parser.add_argument("--jobs", type=int, default=8, help="processes that tune, or compile by inductor")
    parser.add_argument("--svg", metavar="FILE", help="draw what `report` prints")
    options = parser.parse_args()
    names = split(options.programs, PROGRAMS, "program")
    if options.step == "make":
        make(options.out, names)
    elif options.step == "tune":
        return tune(options.out, names, options.mirage_opt, options.jobs)
    elif options.step == "lower":
        return lower_all(options.out, names)
    elif options.step == "run":
        run(options.out, names, options)
    elif options.step == "compile":
        compile_peers(names)
    else:
        report(options.out, options.svg)


if __name__ == "__main__":
    sys.exit(main())

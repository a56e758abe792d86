#!/usr/bin/env python3
"""Times the examples' µGraphs beside PyTorch, in one run on one GPU.

    benchmarks/examples.py [--mirage-run build/release/bin/mirage-run]

Both sides run inside CUDA graphs that rotate over copies of their inputs (more
than 256 MB in total, so that the L2 cache doesn't serve them); medians, in
microseconds. mirage-run checks every element of the result against its error
bound before the time is printed; a violation is printed instead of a time.
Needs PyTorch and an NVIDIA GPU.
"""
import argparse
import os
import re
import subprocess

import torch
import torch.nn.functional as F

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def rms(x):
    x = x.float()
    return (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5)).half()


# name: (input shapes, eager PyTorch)
PROGRAMS = {
    "rmsnorm_linear": (
        [(16, 4096), (4096, 6144)],
        lambda x, w: rms(x) @ w,
    ),
    "gated_mlp": (
        [(8, 4096), (4096, 4096), (4096, 4096)],
        lambda x, v, w: F.silu(x @ v) * (x @ w),
    ),
    "lora": (
        [(16, 256), (256, 4096), (256, 16), (16, 4096)],
        lambda x, w, a, b: x @ w + (x @ a) @ b,
    ),
    "gqa": (
        [(2, 256, 64), (2, 64, 4096), (2, 4096, 64)],
        lambda q, k, v: F.scaled_dot_product_attention(
            q[None], k.transpose(1, 2)[None], v[None], scale=1.0
        ),
    ),
}


def time_torch(shapes, function, compiled):
    bytes_per_copy = sum(2 * torch.Size(s).numel() for s in shapes)
    copies = min(512, max(2, -(-(256 << 20) // bytes_per_copy)))
    inputs = [
        [torch.randn(s, device="cuda").half() for s in shapes]
        for _ in range(copies)
    ]
    if compiled:
        function = torch.compile(
            function, mode="max-autotune-no-cudagraphs", dynamic=False
        )
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            function(*inputs[0])
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for arguments in inputs:
            function(*arguments)
    times = []
    for _ in range(33):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) * 1000 / copies)
    times = sorted(times[3:])
    return times[len(times) // 2]


def time_mirage(mirage_run, name):
    run = subprocess.run(
        [mirage_run, f"{ROOT}/examples/{name}.mlir", f"--entry={name}_mugraph",
         "--device=cuda", "--distribution=uniform", "--time"],
        capture_output=True, text=True, timeout=300,
    )
    match = re.search(r"median_us=([0-9.]+)", run.stdout)
    if run.returncode or not match:
        return "failed: " + (run.stdout + run.stderr)[-300:]
    return float(match[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--mirage-run", default=f"{ROOT}/build/release/bin/mirage-run"
    )
    parser.add_argument(
        "--compile", action="store_true", help="time torch.compile as well"
    )
    options = parser.parse_args()
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__)
    print(f"{'program':16} {'µGraph':>10} {'eager':>10} {'inductor':>10}  (µs)")
    for name, (shapes, function) in PROGRAMS.items():
        mirage = time_mirage(options.mirage_run, name)
        eager = time_torch(shapes, function, compiled=False)
        inductor = (
            time_torch(shapes, function, compiled=True)
            if options.compile
            else float("nan")
        )
        cell = f"{mirage:10.1f}" if isinstance(mirage, float) else mirage
        print(f"{name:16} {cell} {eager:10.1f} {inductor:10.1f}", flush=True)


if __name__ == "__main__":
    main()

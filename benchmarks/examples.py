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
from torch.nn.attention import SDPBackend, sdpa_kernel

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def rms(x):
    x = x.float()
    return (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5)).half()


def flash(q, k, v):
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        return F.scaled_dot_product_attention(q, k, v, scale=1.0)


# name: (input shapes, eager PyTorch; attention is FlashAttention)
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
    # K as PyTorch's attention likes it: rows of keys.
    "gqa": (
        [(2, 256, 64), (2, 4096, 64), (2, 4096, 64)],
        lambda q, k, v: flash(q[None], k[None], v[None]),
    ),
}


# `mirage-run --time` queues 20 replays of 16 runs and more.
RUNS = 320


def compile_torch(function):
    """The function by inductor, which chooses kernels by their times."""
    return torch.compile(function, mode="max-autotune-no-cudagraphs", dynamic=False)


def time_torch(shapes, function, compiled):
    bytes_per_copy = sum(2 * torch.Size(s).numel() for s in shapes)
    copies = min(512, max(2, -(-(256 << 20) // bytes_per_copy)))
    inputs = [
        [torch.randn(s, device="cuda").half() for s in shapes]
        for _ in range(copies)
    ]
    if compiled:
        function = compile_torch(function)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            function(*inputs[0])
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for arguments in inputs:
            function(*arguments)
    # As many runs as mirage-run times, and none is waited for: a GPU that rests between
    # replays has a higher clock in the next one.
    replays = max(33, -(-RUNS // copies))
    events = [torch.cuda.Event(enable_timing=True) for _ in range(replays + 1)]
    with torch.cuda.stream(stream):
        events[0].record()
        for event in events[1:]:
            graph.replay()
            event.record()
    torch.cuda.synchronize()
    times = [start.elapsed_time(end) * 1000 / copies
             for start, end in zip(events, events[1:])]  # fmt: skip
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

#!/usr/bin/env python3
"""Times products and attention in turns with PyTorch.

    scripts/benchmark.sh turns make OUT [--only A,B] [--tilings]    # without a GPU
    scripts/benchmark.sh turns run OUT [--only A,B] [--rest]        # with one, and PyTorch
    scripts/benchmark.sh turns report OUT

Products are of f16 with sums in f32, named by rows x columns x contracted elements, beside
torch.matmul (cuBLAS); attention is of 32 heads of 128 as models prefill with it, beside
PyTorch's flash and cuDNN. Programs go through --mirage-optimize. With --tilings products
are made in other tilings as well, each in a folder named by the rows, columns and contracted
elements of a tile and the blocks of a cluster.

All kernels of a row are captured in CUDA graphs that rotate over copies of the inputs, more
than the L2 cache holds, and take a millisecond at least. Graphs are replayed in turns, and
each that is measured right behind a replay of the same graph that is not; times are medians,
in microseconds. Long kernels run into the limit of the GPU's power: so each side of attention
runs for 80 ms at a time, 40 ms after it began (`sustained`), and with --rest once more alone
after a quarter of a second (`rested`). Every element of a product is compared with float64,
within the bound of its sum in f32 that is rounded once. `run` writes OUT/times.json, which
`report` prints.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time

import product_tiles
from common import BIN, print_head, print_row, split
from programs import Program, prefill

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Rows, columns and contracted elements, and whether the left operand is transposed.
PRODUCTS = {
    f"{rows}x{columns}x{depth}" + ("_transposed" if transposed else ""):
        (rows, columns, depth, transposed)
    for rows, columns, depth, transposed in (
        (4096, 4096, 4096, False), (1024, 14336, 4096, False), (1024, 4096, 14336, False),
        (1024, 4096, 4096, False), (2048, 2048, 2048, False), (2048, 2048, 2048, True),
        (512, 4096, 4096, False), (1024, 1024, 4096, False), (256, 4096, 4096, False),
        (128, 4096, 4096, False), (64, 4096, 4096, False), (384, 768, 3072, False),
        (256, 512, 1024, False))
}  # fmt: skip
# Heads, tokens, elements of a head, and whether the mask is causal.
ATTENTIONS = {f"{'causal' if causal else 'prefill'}_{tokens}": (32, tokens, 128, causal)
              for tokens in (1024, 4096) for causal in (False, True)}  # fmt: skip
NAMES = [*PRODUCTS, *ATTENTIONS]
# What is measured of one product in each round, at least, and rounds.
GRAPH_MICROSECONDS, ROUNDS = 1000, 9
ROTATED, MOST_COPIES = 120 << 20, 48
# Milliseconds of attention before it is measured and while it is, and seconds of rest.
BEFORE, DURING, REST, SUSTAINED_ROUNDS = 40, 80, 0.25, 3


def write(name):
    """The module with the program @main."""
    program = Program()
    if name in ATTENTIONS:
        result = prefill(program, ATTENTIONS[name])
    else:
        rows, columns, depth, transposed = PRODUCTS[name]
        left = program.argument(*((depth, rows) if transposed else (rows, depth)))
        right = program.argument(depth, columns)
        result = program._apply(
            f"matmul {left}, {right}" + (" transpose_lhs" if transposed else ""),
            [left, right], (rows, columns))  # fmt: skip
    body = program.finish("main", result)
    return f"module attributes {{mirage.target = #mirage.target<sm_90a>}} {{\n{body}}}\n"


def get_tilings(name):
    """Rows, columns and contracted elements of tiles, and blocks of a cluster, that fill half
    of the multiprocessors at least."""
    rows, columns, depth, transposed = PRODUCTS[name]
    if transposed:
        return
    for tile_rows in (64, 128, 256):
        for tile_columns in (32, 64, 128, 192, 256):
            if rows % tile_rows or columns % tile_columns \
                    or not 64 * 64 <= tile_rows * tile_columns <= 256 * 128:
                continue
            blocks = rows // tile_rows * (columns // tile_columns)
            for step in (64, 128):
                for cluster in (1, 2, 4):
                    if depth // step % cluster == 0 and blocks * cluster >= 64 \
                            and (cluster == 1 or blocks * cluster <= 132) \
                            and not (step == 128 and tile_rows * tile_columns > 128 * 128):
                        yield tile_rows, tile_columns, step, cluster


def lower(text, folder, *passes):
    os.makedirs(folder, exist_ok=True)
    lowered = subprocess.run([f"{BIN}/mirage-opt", *passes], input=text, capture_output=True,
                             text=True)  # fmt: skip
    if lowered.returncode:
        sys.exit(lowered.stderr)
    subprocess.run([f"{BIN}/mirage-translate", "--mirage-to-ptx", "-o", folder],
                   input=lowered.stdout, text=True, check=True)  # fmt: skip


def make(out, names, tilings):
    for name in names:
        folder = os.path.join(out, name)
        optimized = subprocess.run([f"{BIN}/mirage-opt", "--mirage-optimize"], input=write(name),
                                   capture_output=True, text=True, check=True).stdout  # fmt: skip
        lower(optimized, os.path.join(folder, "chosen"), "--mirage-lower-to-nvvm")
        with open(os.path.join(folder, "chosen", "optimized.mlir"), "w") as file:
            file.write(optimized)
        print(f"{name}: made", flush=True)
        if not tilings or name not in PRODUCTS:
            continue
        rows, columns, depth, _ = PRODUCTS[name]
        for tile_rows, tile_columns, step, cluster in get_tilings(name):
            text = product_tiles.write((tile_rows, tile_columns, depth, False, rows // tile_rows,
                                        columns // tile_columns, step, 1))  # fmt: skip
            lower(text, os.path.join(folder, f"{tile_rows}x{tile_columns}x{step}c{cluster}"),
                  f"--mirage-lower-to-nvvm=cluster-blocks={cluster}")


def load(folder, function="main"):
    import torch

    from mirage import driver, launcher, manifest, program

    def read(file):
        with open(os.path.join(folder, file)) as opened:
            return opened.read()

    text = read("manifest.json")
    target, function = manifest.parse(text, function)
    at_load = manifest.parse(text, function.load.function)[1] if function.load else None
    made = program.Program(folder, target, function, read("kernels.ptx"), [], at_load)
    return launcher.Launcher(made, torch.device("cuda"), driver.cuda())


def get_part(transposed, inputs, result):
    """The largest part that an error has of the bound: of a sum in f32 of so many terms, of
    which each product is exact, and of the rounding to the result's type."""
    import torch

    left, right = (x.double() for x in inputs)
    left = left.mT if transposed else left
    exact, sizes = left @ right, left.abs() @ right.abs()
    error = sizes * (left.shape[-1] * 2.0**-23)
    bound = error + (exact.abs() + error) * 2.0**-11 + 2.0**-25
    part = (result.double() - exact).abs() / bound
    return torch.where(part.isnan(), torch.inf, part).max().item()


class Replay:
    """A call in a CUDA graph that rotates over sets of inputs."""

    def __init__(self, call, sets):
        import torch

        self.torch = torch
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for inputs in sets[:2]:
                call(*inputs)
        torch.cuda.synchronize()
        self.runs, self.graph = len(sets), None
        for _ in range(2):
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.kept = [call(*sets[i % len(sets)]) for i in range(self.runs)]
            took = self.time(1, 1) * self.runs
            if took >= GRAPH_MICROSECONDS:
                break
            self.runs = len(sets) * -(-int(GRAPH_MICROSECONDS * 1.2) // max(int(took), 1))

    def time(self, before, replays):
        """Microseconds of a call in so many replays behind so many others."""
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        for _ in range(before):
            self.graph.replay()
        begin.record()
        for _ in range(replays):
            self.graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e3 / self.runs / replays


def get_peers(name):
    import torch
    import torch.nn.functional as F
    from torch.nn.attention import SDPBackend, sdpa_kernel

    if name in PRODUCTS:
        transposed = PRODUCTS[name][3]
        return {"torch": lambda x, y: (x.mT if transposed else x) @ y}

    def sdpa(backend):
        def call(q, k, v):
            with sdpa_kernel(backend):
                return F.scaled_dot_product_attention(q[None], k[None], v[None],
                                                      scale=ATTENTIONS[name][2]**-0.5,
                                                      is_causal=ATTENTIONS[name][3])

        return call

    return {"cudnn": sdpa(SDPBackend.CUDNN_ATTENTION), "flash": sdpa(SDPBackend.FLASH_ATTENTION)}


def time_one(out, name, rest):
    import torch

    calls, parts = get_peers(name), {}
    for kernels in sorted(os.listdir(os.path.join(out, name))):
        # Launches of product_tiles.py are called f.
        calls[kernels] = load(os.path.join(out, name, kernels),
                              "main" if kernels == "chosen" else "f")
    shapes = [b.shape for b in calls["chosen"].inputs]
    size = sum(torch.Size(shape).numel() * 2 for shape in shapes)
    sets = []
    for seed in range(max(2, min(MOST_COPIES, ROTATED // size + 1))):
        torch.manual_seed(seed)
        sets.append([torch.randn(shape, device="cuda").half() for shape in shapes])
    for side, call in calls.items():
        if name in PRODUCTS and side not in get_peers(name):
            parts[side] = get_part(PRODUCTS[name][3], sets[0], call(*sets[0])[0])
    sides = {side: Replay(call, sets) for side, call in calls.items()}
    found = {side: [] for side in sides}
    if name in PRODUCTS:
        for _ in range(ROUNDS):
            for side, replay in sides.items():
                found[side].append(replay.time(1, 1))
        return {"times": {s: statistics.median(t) for s, t in found.items()}, "parts": parts}
    counts = {s: [max(1, int(ms * 1e3 / r.runs / r.time(1, 1))) for ms in (BEFORE, DURING)]
              for s, r in sides.items()}  # fmt: skip
    rested = {side: [] for side in sides}
    for _ in range(SUSTAINED_ROUNDS):
        for side, replay in sides.items():
            found[side].append(replay.time(*counts[side]))
    for _ in range(SUSTAINED_ROUNDS if rest else 0):
        for side, replay in sides.items():
            time.sleep(REST)
            rested[side].append(replay.time(0, 1))
    return {"times": {s: statistics.median(t) for s, t in found.items()},
            "rested": {s: statistics.median(t) for s, t in rested.items() if t}}


def run(out, names, rest):
    import torch

    sys.path.insert(0, os.path.join(ROOT, "python"))
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__)
    times, wrong = {"gpu": torch.cuda.get_device_name(), "PyTorch": torch.__version__}, 0
    for name in names:
        row = times[name] = time_one(out, name, rest)
        worst = max(row.get("parts", {}).values(), default=0)
        wrong += worst > 1
        print(name, {side: round(t, 2) for side, t in sorted(row["times"].items(),
                                                             key=lambda entry: entry[1])},
              {side: round(t, 2) for side, t in row.get("rested", {}).items()},
              f"error / bound {worst:.2f}" if "parts" in row else "", flush=True)  # fmt: skip
        with open(os.path.join(out, "times.json"), "w") as file:
            json.dump(times, file, indent=1)
        torch.cuda.empty_cache()
    return wrong


def report(out):
    with open(os.path.join(out, "times.json")) as file:
        times = json.load(file)
    print(f"{times.pop('gpu')}, PyTorch {times.pop('PyTorch')}\n")
    for kind in PRODUCTS, ATTENTIONS:
        rows = {name: row for name, row in times.items() if name in kind}
        if not rows:
            continue
        peers = [peer for peer in ("torch", "cudnn", "flash")
                 if any(peer in row["times"] for row in rows.values())]  # fmt: skip
        print_head("rows x columns x contracted" if kind is PRODUCTS else "attention", "Mirage",
                   *peers, "best peer / Mirage", *["the same, rested"] * (kind is ATTENTIONS))
        for name, row in rows.items():
            ratios = [min(t[p] for p in peers) / t["chosen"]
                      for t in (row["times"], row.get("rested")) if t]
            print_row(name, f"{row['times']['chosen']:.1f}",
                      *(f"{row['times'][p]:.1f}" for p in peers), *(f"{r:.2f}" for r in ratios))
        print()
    for name, row in times.items():
        tilings = [side for side in row["times"] if re.fullmatch(r"[0-9x]+c\d+", side)]
        if not tilings:
            continue
        print(f"{name}: chosen takes {row['times']['chosen']:.1f}")
        print_head("rows x columns x contracted of a tile, blocks of a cluster", "measured")
        for side in sorted(tilings, key=row["times"].get):
            print_row(side, f"{row['times'][side]:.1f}")
        print()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("step", choices=("make", "run", "report"))
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--only", help="names, with commas")
    parser.add_argument("--tilings", action="store_true", help="make products in other tilings")
    parser.add_argument("--rest", action="store_true", help="time attention after a rest as well")
    options = parser.parse_args()
    names = split(options.only, NAMES, "product or attention") if options.only else NAMES
    if options.step == "make":
        return make(options.out, names, options.tilings)
    if options.step == "run":
        return run(options.out, names, options.rest) > 0
    return report(options.out)


if __name__ == "__main__":
    sys.exit(main())

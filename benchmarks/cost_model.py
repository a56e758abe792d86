#!/usr/bin/env python3
"""Holds the cost model against measured times (docs/performance/cost-model.md).

    benchmarks/cost_model.py [--mirage-opt build/release/bin/mirage-opt] [--check page.md]

Writes µGraphs of the programs below with the grids that the timed kernels have,
and the same programs as pre-defined operators, lets --mirage-print-cost estimate
them with both models, and prints tables and correlations. Needs no GPU: the
measured times, of one NVIDIA H200 in microseconds inside CUDA graphs that rotate
over copies of their inputs, are part of this file. With --check, fails unless the page has
every line of it.
"""
import argparse
import json
import math
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def t(*shape, dtype="f16"):
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>"


class Writer:
    """Writes one function; values are numbered."""

    def __init__(self, name, inputs):
        self.name, self.lines, self.count, self.types = name, [], 0, {}
        self.inputs = [self.new(ty) for ty in inputs]

    def new(self, ty):
        value = f"%v{self.count}"
        self.count += 1
        self.types[value] = ty
        return value

    def emit(self, text, operands, ty):
        """`text` with @ for the operands, and their types."""
        result = self.new(ty)
        types = ", ".join(self.types[o] for o in operands)
        self.lines.append(f"{result} = {text} : ({types}) -> {ty}")
        return result

    def op(self, level, name, operands, ty, suffix=""):
        return self.emit(f"mirage_{level}.{name} {', '.join(operands)}{suffix}", operands, ty)

    def cast(self, level, value, ty):
        result = self.new(ty)
        self.lines.append(f"{result} = mirage_{level}.cast {value} : {self.types[value]} to {ty}")
        return result

    def move(self, name, value, maps, ty):
        result = self.new(ty)
        self.lines.append(
            f"{result} = mirage_block.{name} {value} {maps} : {self.types[value]} to {ty}")
        return result

    def load(self, value, imap, ty, fmap=None):
        maps = f"imap({imap})" + (f" fmap(%i -> {fmap})" if fmap is not None else "")
        return self.move("load", value, maps, ty)

    def store(self, value, omap, ty):
        return self.move("store", value, f"omap({omap})", ty)

    def constant(self, number, ty):
        result = self.new(ty)
        self.lines.append(f"{result} = mirage_block.constant dense<{number:e}> : {ty}")
        return result

    def block_yield(self, values):
        types = ", ".join(self.types[v] for v in values)
        self.lines.append(f"mirage_block.yield {', '.join(values)} : {types}")

    def launch(self, grid, operands, result_types, body):
        dims = ", ".join(f"{d} = {n}" for d, n in zip("xyz", grid))
        arguments = [self.new(self.types[o]) for o in operands]
        results = [self.new(ty) for ty in result_types]
        bound = ", ".join(f"{a} = {o} : {self.types[o]}" for a, o in zip(arguments, operands))
        self.lines.append(f"{', '.join(results)} = mirage_kernel.launch grid({dims}) ({bound})"
                          f" -> ({', '.join(result_types)}) {{")
        self.block_yield(body(*arguments))
        self.lines.append("}")
        return results

    def loop(self, extent, body):
        """`body` returns lists of (kind, value, shift)."""
        start = len(self.lines)
        accumulated = []
        for kind, value, shift in body():
            operands = [value] + ([shift] if shift else [])
            text = f"mirage_block.accumulate {kind} {value}" + (f" shift {shift}" if shift else "")
            accumulated.append(self.emit(text, operands, self.types[value]))
        self.block_yield(accumulated)
        results = [self.new(self.types[a]) for a in accumulated]
        types = ", ".join(self.types[r] for r in results)
        self.lines.insert(start, f"{', '.join(results)} = mirage_block.for %i = 0 to {extent}"
                                 f" -> ({types}) {{")
        self.lines.append("}")
        return results

    def function(self, results):
        arguments = ", ".join(f"{v}: {self.types[v]}" for v in self.inputs)
        types = ", ".join(self.types[r] for r in results)
        body = "\n".join("  " + line for line in self.lines)
        return (f"func.func @{self.name}({arguments}) -> ({types}) {{\n{body}\n"
                f"  return {', '.join(results)} : {types}\n}}\n")


def attention(name, heads, rows, keys, splits=1, tile=64, d=64):
    """softmax(Q K) V by blocks of `tile` queries, keys divided among `splits` blocks."""
    tile = min(tile, rows)
    w = Writer(name, [t(heads, rows, d), t(heads, d, keys), t(heads, keys, d)])
    iterations = keys // splits // 64
    f32 = lambda *s: t(*s, dtype="f32")

    def part(q, k, v):
        z = lambda entry: f", z -> {entry}" if splits > 1 else ""
        qt = w.load(q, f"x -> 0, y -> 1{z('phi')}", t(1, tile, d))

        def body():
            kt = w.load(k, f"x -> 0, y -> phi{z(2)}", t(1, d, 64), fmap=2)
            vt = w.load(v, f"x -> 0, y -> phi{z(1)}", t(1, 64, d), fmap=1)
            s = w.op("block", "matmul", [qt, kt], f32(1, tile, 64))
            m = w.op("block", "reduce max", [s], f32(1, tile, 1), " dim(2) keep")
            e = w.op("block", "exp", [w.op("block", "sub", [s, m], f32(1, tile, 64))],
                     f32(1, tile, 64))
            den = w.op("block", "reduce sum", [e], f32(1, tile, 1), " dim(2) keep")
            num = w.op("block", "matmul", [w.cast("block", e, t(1, tile, 64)), vt],
                       f32(1, tile, d))
            return [("rescaled_sum", num, m), ("rescaled_sum", den, m), ("max", m, None)]

        n, den, m = w.loop(iterations, body)
        if splits == 1:
            o = w.op("block", "div", [n, den], f32(1, tile, d))
            return [w.store(w.cast("block", o, t(1, tile, d)), "x -> 0, y -> 1",
                            t(heads, rows, d))]
        stored = []
        for value, width in ((n, d), (den, 1), (m, 1)):
            r = w.move("reshape", value, "", f32(1, 1, tile, width))
            stored.append(w.store(r, "x -> 1, y -> 2, z -> 0", f32(splits, heads, rows, width)))
        return stored

    def combine(n, den, m):
        load = lambda v, width: w.load(v, "x -> 1, y -> 2", f32(splits, 1, 4, width))
        nt, dt, mt = load(n, d), load(den, 1), load(m, 1)
        most = w.op("block", "reduce max", [mt], f32(1, 1, 4, 1), " dim(0) keep")
        weight = w.op("block", "exp", [w.op("block", "sub", [mt, most], f32(splits, 1, 4, 1))],
                      f32(splits, 1, 4, 1))
        total = w.op("block", "reduce sum",
                     [w.op("block", "mul", [nt, weight], f32(splits, 1, 4, d))],
                     f32(1, 4, d), " dim(0)")
        scale = w.op("block", "reduce sum",
                     [w.op("block", "mul", [dt, weight], f32(splits, 1, 4, 1))],
                     f32(1, 4, 1), " dim(0)")
        o = w.op("block", "div", [total, scale], f32(1, 4, d))
        return [w.store(w.cast("block", o, t(1, 4, d)), "x -> 0, y -> 1", t(heads, rows, d))]

    if splits == 1:
        text = w.launch([heads, rows // tile], w.inputs, [t(heads, rows, d)], part)
        return w.function(text)
    parts = w.launch([heads, rows // tile, splits], w.inputs,
                     [f32(splits, heads, rows, width) for width in (d, 1, 1)], part)
    return w.function(w.launch([heads, rows // 4], parts, [t(heads, rows, d)], combine))


def gated_mlp(name, rows, columns=32):
    w = Writer(name, [t(rows, 4096), t(4096, 4096), t(4096, 4096)])
    f32 = t(rows, columns, dtype="f32")

    def block(x, a, b):
        def body():
            xt = w.load(x, "x -> phi", t(rows, 128), fmap=1)
            return [("sum", w.op("block", "matmul",
                                 [xt, w.load(v, "x -> 1", t(128, columns), fmap=0)], f32), None)
                    for v in (a, b)]

        p, q = w.loop(32, body)
        m = w.op("block", "mul", [w.op("block", "silu", [p], f32), q], f32)
        return [w.store(w.cast("block", m, t(rows, columns)), "x -> 1", t(rows, 4096))]

    return w.function(w.launch([4096 // columns], w.inputs, [t(rows, 4096)], block))


def rmsnorm(name, rows, columns=64):
    w = Writer(name, [t(rows, 4096), t(4096, 6144)])
    f32 = lambda n: t(rows, n, dtype="f32")

    def block(x, a):
        def body():
            xt = w.load(x, "x -> phi", t(rows, 128), fmap=1)
            at = w.load(a, "x -> 1", t(128, columns), fmap=0)
            squares = w.op("block", "square", [w.cast("block", xt, f32(128))], f32(128))
            return [("sum", w.op("block", "matmul", [xt, at], f32(columns)), None),
                    ("sum", w.op("block", "reduce sum", [squares], f32(1), " dim(1) keep"), None)]

        p, s = w.loop(32, body)
        q = w.op("block", "div", [p, w.op("block", "sqrt", [s], f32(1))], f32(columns))
        return [w.store(w.cast("block", q, t(rows, columns)), "x -> 1", t(rows, 6144))]

    return w.function(w.launch([6144 // columns], w.inputs, [t(rows, 6144)], block))


def lora(name, rows, tile, columns):
    w = Writer(name, [t(rows, 256), t(256, 4096), t(256, 16), t(16, 4096)])

    def block(x, m, a, b):
        xt = w.load(x, "x -> phi, y -> 0", t(tile, 256))
        mt = w.load(m, "x -> 1, y -> phi", t(256, columns))
        at = w.load(a, "x -> phi, y -> phi", t(256, 16))
        bt = w.load(b, "x -> 1, y -> phi", t(16, columns))
        p = w.cast("block", w.op("block", "matmul", [xt, at], t(tile, 16, dtype="f32")),
                   t(tile, 16))
        c = w.emit(f"mirage_block.concat_matmul ({xt}, {p}), ({mt}, {bt})", [xt, p, mt, bt],
                   t(tile, columns, dtype="f32"))
        return [w.store(w.cast("block", c, t(tile, columns)), "x -> 1, y -> 0", t(rows, 4096))]

    return w.function(w.launch([4096 // columns, rows // tile], w.inputs, [t(rows, 4096)], block))


def ntrans(name, rows):
    w = Writer(name, [t(rows, 4096)] * 3)
    wide, narrow = t(1, 4096, dtype="f32"), t(1, 1, dtype="f32")

    def rms(x):
        s = w.op("block", "reduce sum", [w.op("block", "square", [x], wide)], narrow,
                 " dim(1) keep")
        return w.op("block", "div", [x, w.op("block", "sqrt", [s], narrow)], wide)

    def block(*arguments):
        h, x, alpha = (w.cast("block", w.load(a, "x -> 0", t(1, 4096)), wide)
                       for a in arguments)
        moved = w.op("block", "mul", [alpha, w.op("block", "add", [rms(h), x], wide)], wide)
        o = rms(w.op("block", "add", [x, moved], wide))
        return [w.store(w.cast("block", o, t(1, 4096)), "x -> 0", t(rows, 4096))]

    return w.function(w.launch([rows], w.inputs, [t(rows, 4096)], block))


def chain(name, batch, m, n, k, h, splits):
    """(A B) D by blocks of 64 rows; the blocks' parts of N are summed over a cluster."""
    w = Writer(name, [t(batch, m, k), t(batch, k, n), t(batch, n, h)])
    f32 = lambda *s: t(1, *s, dtype="f32")

    def block(a, b, d):
        at = w.load(a, "x -> 1, y -> phi, z -> 0", t(1, 64, k))

        def body():
            bt = w.load(b, "x -> phi, y -> 2, z -> 0", t(1, k, 64), fmap=2)
            dt = w.load(d, "x -> phi, y -> 1, z -> 0", t(1, 64, h), fmap=1)
            p = w.cast("block", w.op("block", "matmul", [at, bt], f32(64, 64)), t(1, 64, 64))
            return [("sum", w.op("block", "matmul", [p, dt], f32(64, h)), None)]

        result, = w.loop(n // splits // 64, body)
        return [w.store(result, "x -> 1, y -> sum, z -> 0", t(batch, m, h, dtype="f32"))]

    return w.function(w.launch([m // 64, splits, batch], w.inputs,
                               [t(batch, m, h, dtype="f32")], block))


def gemm(name, n):
    w = Writer(name, [t(n, n), t(n, n)])

    def block(a, b):
        def body():
            return [("sum", w.op("block", "matmul",
                                 [w.load(a, "x -> 0, y -> phi", t(128, 64), fmap=1),
                                  w.load(b, "x -> phi, y -> 1", t(64, 256), fmap=0)],
                                 t(128, 256, dtype="f32")), None)]

        result, = w.loop(n // 64, body)
        return [w.store(w.cast("block", result, t(128, 256)), "x -> 0, y -> 1", t(n, n))]

    return w.function(w.launch([n // 128, n // 256], w.inputs, [t(n, n)], block))


def plain_chain(name, batch, m, n, k, h, between=None):
    """(A B) D by pre-defined operators, with one between the products."""
    w = Writer(name, [t(batch, m, k), t(batch, k, n), t(batch, n, h)])
    a, b, d = w.inputs
    p = w.op("kernel", "matmul", [a, b], t(batch, m, n))
    if between:
        p = w.op("kernel", between, [p], t(batch, m, n),
                 " dim(2)" if between == "softmax" else "")
    return w.function([w.op("kernel", "matmul", [p, d], t(batch, m, h))])


def plain_mlp(name, rows):
    w = Writer(name, [t(rows, 4096), t(4096, 4096), t(4096, 4096)])
    x, a, b = w.inputs
    ty = t(rows, 4096)
    g = w.op("kernel", "silu", [w.op("kernel", "matmul", [x, a], ty)], ty)
    return w.function([w.op("kernel", "mul", [g, w.op("kernel", "matmul", [x, b], ty)], ty)])


def plain_lora(name, rows):
    w = Writer(name, [t(rows, 256), t(256, 4096), t(256, 16), t(16, 4096)])
    x, m, a, b = w.inputs
    ty = t(rows, 4096)
    p = w.op("kernel", "matmul", [w.op("kernel", "matmul", [x, a], t(rows, 16)), b], ty)
    return w.function([w.op("kernel", "add", [w.op("kernel", "matmul", [x, m], ty), p], ty)])


def library_attention(name, heads, rows, keys, d=64):
    w = Writer(name, [t(heads, rows, d), t(heads, keys, d), t(heads, keys, d)])
    return w.function([w.op("kernel", "attention", w.inputs, t(heads, rows, d), " scale(1.0)")])


# name: (the fastest kernel timed, µGraph with its grid). The kernels of gqa_bs1, mqa_bs1 and
# mha_bs1 combine keys in a cluster, of which µGraphs know only sums and maxima: here a second
# launch does. The verifier wants room for sums in shared memory, which the product of 128 x 256 has
# in registers: TARGET says there is.
FUSED = {
    "gqa_bs1": (6.9, lambda n: attention(n, 2, 256, 4096, splits=8)),
    "gqa_bs8": (23.4, lambda n: attention(n, 16, 256, 4096, splits=2)),
    "gqa_bs16": (24.3, lambda n: attention(n, 32, 256, 4096)),
    "mqa_bs1": (10.0, lambda n: attention(n, 1, 1024, 4096, splits=8)),
    "mqa_bs8": (23.9, lambda n: attention(n, 8, 1024, 4096)),
    "mha_bs1": (12.1, lambda n: attention(n, 32, 16, 4096, splits=8)),
    "mha_bs8": (63.4, lambda n: attention(n, 256, 16, 4096)),
    "S1": (5.6, lambda n: attention(n, 8, 512, 512)),
    "S3": (7.0, lambda n: attention(n, 16, 512, 512)),
    "S4": (4.8, lambda n: attention(n, 12, 256, 256)),
    "gatedmlp_bs1": (18.1, lambda n: gated_mlp(n, 8)),
    "gatedmlp_bs8": (19.6, lambda n: gated_mlp(n, 64)),
    "rmsnorm_bs1": (16.2, lambda n: rmsnorm(n, 2)),
    "rmsnorm_bs8": (16.4, lambda n: rmsnorm(n, 16)),
    "rmsnorm_bs16": (17.1, lambda n: rmsnorm(n, 32)),
    "lora_bs1": (4.0, lambda n: lora(n, 16, 16, 32)),
    "lora_bs8": (4.8, lambda n: lora(n, 128, 64, 64)),
    "lora_bs16": (5.5, lambda n: lora(n, 256, 64, 128)),
    "ntrans_bs1": (2.3, lambda n: ntrans(n, 8)),
    "ntrans_bs8": (2.8, lambda n: ntrans(n, 64)),
    "ntrans_bs16": (3.2, lambda n: ntrans(n, 128)),
    "G1": (3.4, lambda n: chain(n, 1, 512, 256, 64, 64, 4)),
    "G4": (6.3, lambda n: chain(n, 1, 512, 512, 256, 256, 8)),
    "G10": (5.5, lambda n: chain(n, 1, 1024, 1024, 128, 128, 8)),
    "G12": (11.7, lambda n: chain(n, 8, 1024, 1024, 128, 128, 1)),
    "gemm_4096": (202, lambda n: gemm(n, 4096)),
}

# name: (PyTorch eager, one library kernel for each operator)
UNFUSED = {
    "gatedmlp_bs1": (29.8, lambda n: plain_mlp(n, 8)),
    "gatedmlp_bs8": (27.1, lambda n: plain_mlp(n, 64)),
    "gatedmlp_bs16": (31.7, lambda n: plain_mlp(n, 128)),
    "lora_bs1": (10.8, lambda n: plain_lora(n, 16)),
    "lora_bs8": (11.8, lambda n: plain_lora(n, 128)),
    "lora_bs16": (13.1, lambda n: plain_lora(n, 256)),
    "moe": (129.3, lambda n: plain_chain(n, 8, 8, 4096, 4096, 4096, "exp")),
}
for i, (shape, time) in enumerate(zip(
        [(1, 512, 256, 64, 64), (1, 512, 256, 64, 128), (1, 512, 256, 64, 256),
         (1, 512, 512, 256, 256), (1, 512, 512, 512, 256), (1, 512, 512, 1024, 256),
         (1, 512, 512, 128, 128), (1, 1024, 512, 128, 128), (1, 2048, 512, 128, 128),
         (1, 1024, 1024, 128, 128), (4, 1024, 1024, 128, 128), (8, 1024, 1024, 128, 128)],
        [5.1, 5.1, 5.2, 7.0, 7.6, 8.7, 6.0, 6.8, 7.5, 8.1, 11.1, 14.8])):
    UNFUSED[f"G{i + 1}"] = (time, lambda n, s=shape: plain_chain(n, *s))
for name, shape, time in [
        ("S1", (8, 512, 512, 64, 64), 13.6), ("S2", (12, 512, 512, 64, 64), 16.2),
        ("S3", (16, 512, 512, 64, 64), 18.3), ("S4", (12, 256, 256, 64, 64), 9.6),
        ("S5", (16, 256, 256, 64, 64), 10.5), ("S6", (16, 256, 256, 80, 80), 11.0),
        ("S7", (1, 512, 256, 64, 64), 7.3), ("S8", (1, 768, 384, 64, 64), 8.5),
        ("S9", (1, 1024, 512, 64, 64), 9.7), ("gqa_bs1", (2, 256, 4096, 64, 64), 20.7),
        ("gqa_bs8", (16, 256, 4096, 64, 64), 82.0), ("gqa_bs16", (32, 256, 4096, 64, 64), 157.2),
        ("mha_bs1", (32, 16, 4096, 64, 64), 24.2), ("mha_bs8", (256, 16, 4096, 64, 64), 142.7),
        ("mqa_bs1", (1, 1024, 4096, 64, 64), 27.8), ("mqa_bs8", (8, 1024, 4096, 64, 64), 152.2)]:
    UNFUSED[name] = (time, lambda n, s=shape: plain_chain(n, *s, between="softmax"))

# name: (the faster of FlashAttention and cuDNN, one attention operator)
LIBRARY = {
    "gqa_bs1": (13.0, lambda n: library_attention(n, 2, 256, 4096)),
    "gqa_bs8": (24.1, lambda n: library_attention(n, 16, 256, 4096)),
    "gqa_bs16": (39.7, lambda n: library_attention(n, 32, 256, 4096)),
    "mha_bs1": (19.0, lambda n: library_attention(n, 32, 16, 4096)),
    "mha_bs8": (79.1, lambda n: library_attention(n, 256, 16, 4096)),
    "mqa_bs1": (14.5, lambda n: library_attention(n, 1, 1024, 4096)),
    "mqa_bs8": (39.3, lambda n: library_attention(n, 8, 1024, 4096)),
    "S1": (9.9, lambda n: library_attention(n, 8, 512, 512)),
    "S2": (10.0, lambda n: library_attention(n, 12, 512, 512)),
    "S3": (9.9, lambda n: library_attention(n, 16, 512, 512)),
    "S4": (7.5, lambda n: library_attention(n, 12, 256, 256)),
    "S5": (7.6, lambda n: library_attention(n, 16, 256, 256)),
}


TARGET = "#mirage.target<sm_90a, shared_memory_per_block = 320000>"


def estimate(opt, text, model):
    module = f"module attributes {{mirage.target = {TARGET}}} {{\n{text}}}\n"
    out = subprocess.run([opt, f"--mirage-print-cost=model={model} json", "-o", os.devnull],
                         input=module, capture_output=True, text=True)
    if out.returncode:
        raise SystemExit(out.stderr)
    return {f["function"]: f for f in json.loads(out.stdout)}


def correlation(xs, ys):
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    cov = sum((x - mx) * (y - my) for x, y in zip(xs, ys))
    return cov / math.sqrt(sum((x - mx) ** 2 for x in xs) * sum((y - my) ** 2 for y in ys))


def report(opt, title, programs):
    text = "".join(make(name) for name, (_, make) in programs.items())
    ours, published = estimate(opt, text, "mirage"), estimate(opt, text, "published")
    lines = ["", f"### {title}", "", "| Program | kernels | bound | measured | model |"
             " model / measured | published model |", "|---|---|---|---|---|---|---|"]
    rows = []
    for name, (measured, _) in programs.items():
        a, b = ours[name], published[name]
        rows.append((measured, a["microseconds"], b["microseconds"]))
        bound = max(a["kernels"], key=lambda k: k["microseconds"])["bound"]
        lines.append(
            f"| {name} | {len(a['kernels'])} | {bound} | {measured:.1f} | {rows[-1][1]:.1f} |"
            f" {rows[-1][1] / measured:.2f} | {rows[-1][2]:.1f} |")
    measured = [r[0] for r in rows]
    lines.append("")
    for column, name in ((1, "model"), (2, "published model")):
        times = [r[column] for r in rows]
        errors = sorted(abs(math.log(x / m)) for x, m in zip(times, measured))
        logs = correlation([math.log(x) for x in times], [math.log(m) for m in measured])
        lines.append(
            f"- {name}: correlation {correlation(times, measured):.3f}, of logarithms"
            f" {logs:.3f}; median error {math.exp(errors[len(errors) // 2]) - 1:.0%},"
            f" largest {math.exp(errors[-1]) - 1:.0%}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mirage-opt", default=f"{ROOT}/build/release/bin/mirage-opt")
    parser.add_argument("--check", metavar="page.md")
    arguments = parser.parse_args()
    lines = (report(arguments.mirage_opt, "µGraphs", FUSED) +
             report(arguments.mirage_opt, "Pre-defined operators", UNFUSED) +
             report(arguments.mirage_opt, "Attention as one operator", LIBRARY))
    print("\n".join(lines))
    if arguments.check:
        with open(arguments.check, encoding="utf-8") as page:
            known = set(page.read().splitlines())
        missing = [line for line in lines if not line.startswith("###") and line not in known]
        if missing:
            raise SystemExit(f"{arguments.check} does not have:\n" + "\n".join(missing))


if __name__ == "__main__":
    main()

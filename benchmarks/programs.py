"""The programs that benchmarks run, as MLIR text.

Names are those of their sources: Mirage (gqa, qknorm, rmsnorm, lora, gatedmlp,
ntrans at batch sizes 1, 8 and 16; mha, mqa, mlp, moe), MCFuser (G1 to G12: chains of two
products; S1 to S9: self-attention), and attention as models prefill with it (32 heads of
128, scaled, without a mask and with a causal one). MODES are the attention modes of the
Mirage paper (table 4). f16 in memory, f32 accumulation.
"""
import math

# What one NVIDIA H200 copies, in bytes a microsecond, and multiplies by tensor cores, in flops a
# microsecond.
COPIED, MULTIPLIED = 4.3e6, 790e6


class Program:
    """Writes a function line by line."""

    def __init__(self):
        self.arguments, self.lines, self.types, self.flops = [], [], {}, 0

    def _add(self, text, shape, element="f16"):
        name = f"%{len(self.lines)}"
        self.types[name] = (shape, element)
        self.lines.append(f"  {name} = mirage_kernel.{text}")
        return name

    def type(self, name):
        shape, element = self.types[name]
        return f"tensor<{'x'.join(map(str, shape))}x{element}>"

    def argument(self, *shape):
        name = f"%arg{len(self.arguments)}"
        self.types[name] = (shape, "f16")
        self.arguments.append(name)
        return name

    def _apply(self, text, operands, shape, element="f16"):
        types = ", ".join(self.type(o) for o in operands)
        result = f"tensor<{'x'.join(map(str, shape))}x{element}>"
        return self._add(f"{text} : ({types}) -> {result}", shape, element)

    def unary(self, name, x, suffix=""):
        return self._apply(f"{name} {x}{suffix}", [x], *self.types[x])

    def binary(self, name, x, y):
        return self._apply(f"{name} {x}, {y}", [x, y], *self.types[x])

    def cast(self, x, element):
        shape, _ = self.types[x]
        result = f"tensor<{'x'.join(map(str, shape))}x{element}>"
        return self._add(f"cast {x} : {self.type(x)} to {result}", shape, element)

    def matmul(self, x, y, transposed=False):
        a, b = self.types[x][0], self.types[y][0]
        shape = (*a[:-1], b[-2] if transposed else b[-1])
        self.flops += 2 * math.prod(shape) * a[-1]
        text = f"matmul {x}, {y}" + (" transpose_rhs" if transposed else "")
        return self._apply(text, [x, y], shape, "f32")

    def rms_norm(self, x):
        return self.unary("rms_norm", x, " epsilon(1.0e-05)")

    def softmax(self, x):
        return self.unary("softmax", x, f" dim({len(self.types[x][0]) - 1})")

    def scale(self, x, factor):
        return self.unary("scale", x, f" by {factor!r}")

    def causal_mask(self, tokens):
        """Zero for keys up to the query's number, and -inf behind it."""
        name = f"%{len(self.lines)}"
        self.types[name] = ((1, tokens, tokens), "f32")
        result = self.type(name)
        zero, hidden, empty = (f"%{part}_of_{name[1:]}" for part in ("zero", "hidden", "empty"))
        dims = "affine_map<(b, i, j) -> (b, i, j)>"
        parallel = ", ".join(['"parallel"'] * 3)
        self.lines.append(f"""  {zero} = arith.constant 0.0 : f32
  {hidden} = arith.constant 0xFF800000 : f32
  {empty} = tensor.empty() : {result}
  {name} = linalg.generic {{indexing_maps = [{dims}], iterator_types = [{parallel}]}}
      outs({empty} : {result}) {{
  ^bb0(%_: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %is_seen = arith.cmpi ule, %j, %i : index
    %element = arith.select %is_seen, {zero}, {hidden} : f32
    linalg.yield %element : f32
  }} -> {result}""")
        return name

    def finish(self, name, result):
        if self.types[result][1] != "f16":
            result = self.cast(result, "f16")
        arguments = ", ".join(f"{a}: {self.type(a)}" for a in self.arguments)
        head = f"func.func @{name}({arguments}) -> {self.type(result)} {{"
        tail = [f"  return {result} : {self.type(result)}", "}"]
        return "\n".join([head, *self.lines, *tail]) + "\n"


def attention(p, q, k, v, transposed=False, factor=None, mask=None):
    scores = p.matmul(q, k, transposed)
    if factor is not None:
        scores = p.scale(scores, factor)
    if mask is not None:
        scores = p.binary("add", scores, mask)
    return p.matmul(p.cast(p.softmax(scores), "f16"), v)


def gqa(p, b):
    q, k, v = p.argument(2 * b, 256, 64), p.argument(2 * b, 64, 4096), p.argument(2 * b, 4096, 64)
    return attention(p, q, k, v)


def qknorm(p, b):
    q, k, v = p.argument(2 * b, 256, 64), p.argument(2 * b, 64, 4096), p.argument(2 * b, 4096, 64)
    return attention(p, p.rms_norm(q), k, p.rms_norm(v))


def qknorm_keys(p, b):
    """Queries and keys normalized, as users need it."""
    q, k, v = p.argument(2 * b, 256, 64), p.argument(2 * b, 4096, 64), p.argument(2 * b, 4096, 64)
    return attention(p, p.rms_norm(q), p.rms_norm(k), v, transposed=True)


def rmsnorm(p, b):
    x, w = p.argument(2 * b, 4096), p.argument(4096, 6144)
    return p.matmul(p.rms_norm(x), w)


def lora(p, b):
    x, w = p.argument(16 * b, 256), p.argument(256, 4096)
    a, c = p.argument(256, 16), p.argument(16, 4096)
    return p.binary("add", p.matmul(x, w), p.matmul(p.cast(p.matmul(x, a), "f16"), c))


def gatedmlp(p, b):
    x, w1, w2 = p.argument(8 * b, 4096), p.argument(4096, 4096), p.argument(4096, 4096)
    return p.binary("mul", p.unary("silu", p.matmul(x, w1)), p.matmul(x, w2))


def ntrans(p, b):
    h, x, alpha = (p.argument(8 * b, 4096) for _ in range(3))
    step = p.binary("add", p.rms_norm(h), x)
    return p.rms_norm(p.binary("add", x, p.binary("mul", alpha, step)))


def mha(p, b):
    q, k, v = p.argument(32 * b, 16, 64), p.argument(32 * b, 64, 4096), p.argument(32 * b, 4096, 64)
    return attention(p, q, k, v)


def mqa(p, b):
    q, k, v = p.argument(b, 1024, 64), p.argument(b, 64, 4096), p.argument(b, 4096, 64)
    return attention(p, q, k, v)


def mlp(p, b):
    x, w1, w2 = p.argument(8 * b, 4096), p.argument(4096, 16), p.argument(16, 4096)
    hidden = p.cast(p.unary("relu", p.matmul(x, w1)), "f16")
    return p.binary("add", p.matmul(hidden, w2), p.cast(x, "f32"))


def moe(p, _):
    x, a, b = p.argument(8, 8, 4096), p.argument(8, 4096, 4096), p.argument(8, 4096, 4096)
    return p.matmul(p.cast(p.unary("exp", p.matmul(x, a)), "f16"), b)


def chain(p, shape):
    batch, m, n, k, h = shape
    a, b, d = p.argument(batch, m, k), p.argument(batch, k, n), p.argument(batch, n, h)
    return p.matmul(p.cast(p.matmul(a, b), "f16"), d)


def self_attention(p, shape):
    heads, m, n, k, h = shape
    a, b, d = p.argument(heads, m, k), p.argument(heads, k, n), p.argument(heads, n, h)
    return attention(p, a, b, d)


def prefill(p, shape):
    heads, tokens, depth, causal = shape
    q, k, v = (p.argument(heads, tokens, depth) for _ in range(3))
    mask = p.causal_mask(tokens) if causal else None
    return attention(p, q, k, v, transposed=True, factor=depth**-0.5, mask=mask)


def attention_mode(p, shape):
    """Queries of some tokens, of heads that share keys and values of 4096 tokens."""
    heads, kv_heads, tokens, depth = shape
    q = p.argument(kv_heads, heads // kv_heads, tokens, depth)
    k, v = (p.argument(kv_heads, 1, 4096, depth) for _ in range(2))
    return attention(p, q, k, v, transposed=True, factor=depth**-0.5)


CHAINS = [
    (1, 512, 256, 64, 64), (1, 512, 256, 64, 128), (1, 512, 256, 64, 256),
    (1, 512, 512, 256, 256), (1, 512, 512, 512, 256), (1, 512, 512, 1024, 256),
    (1, 512, 512, 128, 128), (1, 1024, 512, 128, 128), (1, 2048, 512, 128, 128),
    (1, 1024, 1024, 128, 128), (4, 1024, 1024, 128, 128), (8, 1024, 1024, 128, 128),
]  # fmt: skip
SELF_ATTENTIONS = [
    (8, 512, 512, 64, 64), (12, 512, 512, 64, 64), (16, 512, 512, 64, 64),
    (12, 256, 256, 64, 64), (16, 256, 256, 64, 64), (16, 256, 256, 80, 80),
    (1, 512, 256, 64, 64), (1, 768, 384, 64, 64), (1, 1024, 512, 64, 64),
]  # fmt: skip

PROGRAMS = {}
for _name in (gqa, qknorm, qknorm_keys, rmsnorm, lora, gatedmlp, ntrans):
    for _batch in (1, 8, 16):
        PROGRAMS[f"{_name.__name__}_bs{_batch}"] = (_name, _batch)
for _name in (mha, mqa):
    for _batch in (1, 8):
        PROGRAMS[f"{_name.__name__}_bs{_batch}"] = (_name, _batch)
PROGRAMS["mlp_bs8"] = (mlp, 8)
PROGRAMS["moe"] = (moe, 1)
for _number, _shape in enumerate(CHAINS, 1):
    PROGRAMS[f"G{_number}"] = (chain, _shape)
for _number, _shape in enumerate(SELF_ATTENTIONS, 1):
    PROGRAMS[f"S{_number}"] = (self_attention, _shape)
for _tokens, _causal in ((1024, False), (1024, True), (2048, True), (4096, False)):
    _kind = "causal" if _causal else "prefill"
    PROGRAMS[f"{_kind}_{_tokens}"] = (prefill, (32, _tokens, 128, _causal))

# Heads and heads of keys and values, of LLaMA-2-70B on one of four GPUs.
HEADS = {"llama7b": (32, 32), "llama70b": (16, 2), "falcon": (71, 1)}
MODES = {
    f"{_model}_{_tokens}_{_depth}": (attention_mode, (*_heads, _tokens, _depth))
    for _model, _heads in HEADS.items()
    for _tokens in (1, 32, 512)
    for _depth in (64, 128)
}


def write(name):
    """The module with the program of this name as @name."""
    function, parameter = (PROGRAMS | MODES)[name]
    program = Program()
    body = program.finish(name, function(program, parameter))
    return f"module attributes {{mirage.target = #mirage.target<sm_90a>}} {{\n{body}}}\n"


def get_floor(name):
    """The microseconds below which no kernel computes a program on an H200: to read its
    arguments and write its result at the rate of a copy, or to multiply at that of tensor cores.
    A causal mask leaves out half of what is multiplied."""
    function, parameter = (PROGRAMS | MODES)[name]
    program = Program()
    result = function(program, parameter)
    elements = sum(math.prod(program.types[x][0]) for x in (*program.arguments, result))
    is_causal = function is prefill and parameter[-1]
    return max(2 * elements / COPIED, program.flops / (2 if is_causal else 1) / MULTIPLIED)


if __name__ == "__main__":
    import sys

    if len(sys.argv) != 2 or sys.argv[1] not in PROGRAMS | MODES:
        sys.exit(f"usage: programs.py NAME, with a name of {', '.join(PROGRAMS | MODES)}")
    print(write(sys.argv[1]), end="")

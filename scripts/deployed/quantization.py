"""Quantization to eight bits: per tensor, row, channel and group, and back."""

from .builder import (add, cast, constant, deployed, div, largest, make, mul, plus,
                      reduce, reshape, rms_norm, scale, softmax)

F8 = "f8E4M3FN"
LARGEST_F8 = 448.0


def _factor(x, dim=-1):
    """The largest absolute value, divided by that of the type, and never zero."""
    top = make("max", largest(make("abs", x), dim), constant("f32", x.rank, 1e-12))
    return scale(top, 1 / LARGEST_F8)


def _round(x, factor):
    return cast(div(x, factor), F8)


@deployed()
def quantized_tensor(p):
    """Per tensor: a product of eight bits with the factor of all elements."""
    x = p.wide(64, 512)
    factor = reshape(_factor(reshape(x, (1, 64 * 512))), (1, 1))
    weight = p.argument(512, 512, element=F8)
    return mul(make("matmul", _round(x, factor), weight), mul(factor, p.wide(1, 1)))


@deployed("bf16")
def quantized_rows(p):
    """Per row: each token's factor, rounded elements and factors are returned."""
    x = p.wide(64, 2048)
    factor = _factor(x)
    return _round(x, factor), factor


@deployed("bf16")
def quantized_rows_product(p):
    """Per row and channel, as vLLM: rounded rows, a product, both factors behind."""
    x = p.wide(32, 1024)
    factor = _factor(x)
    product = make("matmul", _round(x, factor), p.argument(1024, 1024, element=F8))
    return mul(mul(product, factor), p.vector(1024))


@deployed()
def scaled_rows_product(p):
    """The same without rounding: divided by row factors, and multiplied behind."""
    x = p.wide(32, 1024)
    factor = _factor(x)
    return mul(p.product(div(x, factor), p.argument(1024, 1024)), factor)


@deployed("f32")
def rounded_and_back(p):
    """Simulated quantization per row: rounded to eight bits and back."""
    x = p.argument(64, 1000)
    factor = _factor(x)
    return mul(cast(_round(x, factor), "f32"), factor)


@deployed("f32")
def scaled_and_back(p):
    """The same, not rounded: clamped to the range of eight bits and scaled back."""
    x = p.argument(64, 1000)
    factor = _factor(x)
    return mul(make("clamp", div(x, factor), lower=-448.0, upper=448.0), factor)


@deployed()
def weight_only_channels(p):
    """Weights of eight bits with a factor for each channel, made f16 for a product."""
    x, w = p.argument(16, 1024), p.argument(1024, 2048, element=F8)
    return p.product(x, mul(cast(w, "f32"), p.vector(2048)))


@deployed("bf16")
def weight_only_groups(p):
    """Weights of eight bits with a factor for 128 rows of each channel."""
    x, w, factors = p.argument(16, 1024), p.argument(8, 128, 1024, element=F8), p.wide(8, 1, 1024)
    return p.product(x, reshape(mul(cast(w, "f32"), factors), (1024, 1024)))


@deployed("bf16")
def quantized_groups(p):
    """DeepSeek V3: activations in groups of 128, rounded, with their factors."""
    x = p.wide(64, 8, 128)
    factor = _factor(x)
    return _round(x, factor), reshape(factor, (64, 8))


@deployed("bf16")
def quantized_groups_product(p):
    """The product of such groups: sums of groups are scaled and added."""
    x, w = p.argument(8, 16, 128, element=F8), p.argument(8, 128, 512, element=F8)
    factors = mul(p.wide(8, 16, 1), p.wide(8, 1, 1))
    return reduce("sum", mul(make("matmul", x, w), factors), 0, keep=False)


@deployed()
def smooth_quantization(p):
    """SmoothQuant: channels are smoothed, then rounded per row, then a product."""
    x = div(p.wide(32, 768), p.vector(768))
    factor = _factor(x)
    product = make("matmul", _round(x, factor), p.argument(768, 768, element=F8))
    return mul(mul(product, factor), p.vector(768))


@deployed("bf16")
def norm_and_quantization(p):
    """A norm with a weight, rounded per row: one kernel in serving engines."""
    x = mul(rms_norm(p.wide(64, 1024)), p.vector(1024))
    factor = _factor(x)
    return _round(x, factor), factor


@deployed("bf16")
def gate_and_quantization(p):
    """A gated layer's elementwise part, rounded by a given factor."""
    hidden = mul(make("silu", p.wide(64, 2816)), p.wide(64, 2816))
    return _round(hidden, p.wide(1, 1))


@deployed("bf16")
def quantized_cache_decode(p):
    """A step of attention whose cache has eight bits, and factors of each head."""
    q = p.argument(8, 4, 128)
    k, v = p.argument(8, 512, 128, element=F8), p.argument(8, 512, 128, element=F8)
    scores = p.product(q, cast(k, "bf16"), transpose_rhs=True)
    weights = softmax(mul(scores, scale(p.wide(8, 1, 1), 128 ** -0.5)))
    return mul(p.product(weights, cast(v, "bf16")), p.wide(8, 1, 1))


@deployed()
def quantized_columns(p):
    """Weights quantized per channel, by the largest element of each column."""
    w = p.wide(512, 1024)
    factor = _factor(w, 0)
    return _round(w, factor), factor


@deployed("bf16")
def asymmetric_groups(p):
    """Groups of 64 between their least and largest: scaled to 0 ... 15, and back."""
    x = p.wide(64, 16, 64)
    low = scale(largest(scale(x, -1)), -1)
    step = plus(scale(make("sub", largest(x), low), 1 / 15), 1e-6)
    level = make("clamp", div(make("sub", x, low), step), lower=0.0, upper=15.0)
    return add(mul(level, step), low)

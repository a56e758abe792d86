"""Programs that models in use are made of, beside those of benchmarks/programs.py:
f16 in memory, products accumulated in f32, one layer or one head group each."""

import math

from .graph import (Program, argument, cast, concat, constant, make, reduce, reshape,
                    scale, swap, take, transpose)


class _Builder:
    """Collects arguments, all of f16."""

    def __init__(self):
        self.arguments = []

    def argument(self, *shape):
        self.arguments.append(argument("f16", *shape))
        return self.arguments[-1]


def _product(x, w, **flags):
    """A product whose operands are rounded to f16."""
    return make("matmul", cast(x, "f16"), cast(w, "f16"), **flags)


def _softmax(x):
    return make("softmax", x, dim=x.rank - 1)


def _scores(q, k, factor=None):
    factor = q.shape[-1] ** -0.5 if factor is None else factor
    return scale(_product(q, k, transpose_rhs=True), factor)


def _along_last(x, rank):
    """A vector of the last dimension, in f32, for sums with values of this rank."""
    return cast(reshape(x, (1,) * (rank - 1) + x.shape), "f32")


def latent_attention(p):
    """Multi-head latent attention of DeepSeek with absorbed weights: all heads read
    one compressed cache of keys, which is also that of values."""
    q, q_rope = p.argument(1, 128, 512), p.argument(1, 128, 64)
    cache, k_rope = p.argument(1, 4096, 512), p.argument(1, 4096, 64)
    scores = make("add", _product(q, cache, transpose_rhs=True),
                  _product(q_rope, k_rope, transpose_rhs=True))
    return _product(_softmax(scale(scores, 192 ** -0.5)), cache)


def window_attention(p):
    """Sliding window attention of Mistral: a mask says which keys are near."""
    q, k, v = (p.argument(32, 1024, 64) for _ in range(3))
    mask = p.argument(1, 1024, 1024)
    return _product(_softmax(make("add", _scores(q, k), cast(mask, "f32"))), v)


def softcap_attention(p):
    """Attention of Gemma 2: scores are kept below 50 by a hyperbolic tangent."""
    q, k, v = (p.argument(16, 1024, 128) for _ in range(3))
    capped = scale(make("tanh", scale(_scores(q, k), 1 / 50)), 50)
    return _product(_softmax(capped), v)


def sink_attention(p):
    """Attention of gpt-oss: each head has a learned logit that no value follows."""
    q, k, v = (p.argument(64, 256, 64) for _ in range(3))
    sink = p.argument(64, 1, 1)
    column = cast(make("broadcast", sink, shape=(64, 256, 1)), "f32")
    weights = _softmax(concat(2, _scores(q, k), column))
    return _product(take(weights, 2, 0, 256), v)


def retention(p):
    """Retention of RetNet: scores decay with distance, and there is no softmax."""
    q, k, v = (p.argument(8, 512, 128) for _ in range(3))
    decay = p.argument(8, 512, 512)
    return _product(make("mul", _scores(q, k), cast(decay, "f32")), v)


def differential_attention(p):
    """Differential attention: one softmax less a part of another."""
    q1, q2, k1, k2 = (p.argument(8, 512, 64) for _ in range(4))
    v = p.argument(8, 512, 128)
    weights = make("sub", _softmax(_scores(q1, k1)),
                   scale(_softmax(_scores(q2, k2)), 0.8))
    return _product(weights, v)


def alibi_attention(p):
    """Attention of BLOOM: each head adds a slope times the distance of the keys."""
    q, k, v = (p.argument(16, 512, 64) for _ in range(3))
    slopes, distances = p.argument(16, 1, 1), p.argument(1, 512, 512)
    bias = make("mul", cast(slopes, "f32"), cast(distances, "f32"))
    return _product(_softmax(make("add", _scores(q, k), bias)), v)


def cross_attention(p):
    """Attention of T5's decoder to its encoder: no scale, and padding is masked."""
    q = p.argument(2, 8, 128, 64)
    k, v = p.argument(2, 8, 512, 64), p.argument(2, 8, 512, 64)
    mask = p.argument(2, 1, 1, 512)
    scores = make("add", _scores(q, k, 1.0), cast(mask, "f32"))
    return _product(_softmax(scores), v)


def linear_attention(p):
    """Attention with rectified features in place of a softmax."""
    q, k, v = (p.argument(16, 1024, 32) for _ in range(3))
    features = make("relu", k)
    state = _product(swap(features), v)
    query = make("relu", q)
    totals = reduce("sum", cast(features, "f32"), 1)
    norm = reduce("sum", make("mul", cast(query, "f32"), totals), 2)
    norm = make("add", norm, constant("f32", 3, 1e-6))
    return make("div", _product(query, state), norm)


def rotary(p):
    """Rotary position embedding: halves of each head are rotated."""
    x = p.argument(1, 32, 1024, 128)
    cosine, sine = p.argument(1, 1, 1024, 128), p.argument(1, 1, 1024, 128)
    x, cosine, sine = (cast(value, "f32") for value in (x, cosine, sine))
    turned = concat(3, scale(take(x, 3, 64, 64), -1), take(x, 3, 0, 64))
    return make("add", make("mul", x, cosine), make("mul", turned, sine))


def qkv_attention(p):
    """A norm, three projections, and attention between their heads."""
    x = p.argument(128, 512)
    weights = [p.argument(512, 512) for _ in range(3)]
    normalized = make("rms_norm", x, epsilon=1e-5)
    heads = [transpose(reshape(_product(normalized, w), (128, 8, 64)), (1, 0, 2))
             for w in weights]
    q, k, v = (cast(head, "f16") for head in heads)
    out = _product(_softmax(_scores(q, k)), v)
    return reshape(transpose(cast(out, "f16"), (1, 0, 2)), (128, 512))


def _gated(p, activation, **attributes):
    x = p.argument(16, 2048)
    gate, up = p.argument(2048, 4096), p.argument(2048, 4096)
    return make("mul", make(activation, _product(x, gate), **attributes),
                _product(x, up))


def geglu(p):
    """A gated layer whose gate is a Gaussian error linear unit, as Gemma's."""
    return _gated(p, "gelu", form="tanh")


def reglu(p):
    """A gated layer whose gate is rectified."""
    return _gated(p, "relu")


def swiglu_mlp(p):
    """Llama's layer: a gated product, and the product that goes back."""
    x = p.argument(16, 1024)
    gate, up = p.argument(1024, 2048), p.argument(1024, 2048)
    down = p.argument(2048, 1024)
    hidden = make("mul", make("silu", _product(x, gate)), _product(x, up))
    return _product(hidden, down)


def residual_gated_mlp(p):
    """A norm before a gated layer, and its input added after it."""
    x = p.argument(16, 1024)
    gate, up = p.argument(1024, 2048), p.argument(1024, 2048)
    down = p.argument(2048, 1024)
    normalized = make("rms_norm", x, epsilon=1e-5)
    hidden = make("mul", make("silu", _product(normalized, gate)),
                  _product(normalized, up))
    return make("add", _product(hidden, down), cast(x, "f32"))


def linear_norm_gelu(p):
    """A product, a bias, a layer norm and a Gaussian error linear unit."""
    x, w, bias = p.argument(256, 768), p.argument(768, 768), p.argument(768)
    y = make("add", _product(x, w), _along_last(bias, 2))
    y = make("layer_norm", y, epsilon=1e-5, operandSegmentSizes=(1, 0, 0))
    return make("gelu", y, form="erf")


def group_norm_silu(p):
    """The start of a block of Stable Diffusion's network."""
    x, weight, bias = p.argument(2, 320, 32, 32), p.argument(320), p.argument(320)
    y = make("group_norm", x, weight, bias, groups=32, epsilon=1e-5,
             operandSegmentSizes=(1, 1, 1))
    return make("silu", y)


def batch_norm_relu(p):
    """Batch normalization by given statistics and a rectifier, as ResNet's."""
    x = p.argument(8, 64, 56, 56)
    mean, variance, weight, bias = (p.argument(64) for _ in range(4))
    y = make("batch_norm", x, mean, variance, weight, bias, epsilon=1e-5,
             operandSegmentSizes=(1, 1, 1, 1, 1))
    return make("relu", y)


def squeeze_excite(p):
    """Channels scaled by what two products make of their means, as EfficientNet's."""
    x, w1, w2 = p.argument(8, 256, 784), p.argument(256, 64), p.argument(64, 256)
    means = reduce("mean", cast(x, "f32"), 2, keep=False)
    hidden = make("silu", _product(means, w1))
    gates = make("sigmoid", _product(hidden, w2))
    return make("mul", cast(x, "f32"), reshape(gates, (8, 256, 1)))


def cross_entropy(p):
    """Loss of a classification, targets given as one-hot rows."""
    x, w, targets = p.argument(64, 512), p.argument(512, 4096), p.argument(64, 4096)
    logarithms = make("log_softmax", _product(x, w), dim=1)
    return scale(reduce("sum", make("mul", logarithms, cast(targets, "f32")), 1), -1)


def vocabulary_loss(p):
    """The same of a language model, whose rows are larger than shared memory."""
    logits, targets = p.argument(256, 128256), p.argument(256, 128256)
    logarithms = make("log_softmax", cast(logits, "f32"), dim=1)
    return scale(reduce("sum", make("mul", logarithms, cast(targets, "f32")), 1), -1)


def vocabulary_softmax(p):
    """The next word's probabilities."""
    return _softmax(scale(cast(p.argument(256, 128256), "f32"), 1.25))


def log_softmax_head(p):
    """The head of a language model: a norm, a product and logarithms."""
    x, w = p.argument(16, 512), p.argument(512, 8192)
    logits = _product(make("rms_norm", x, epsilon=1e-5), w)
    return make("log_softmax", logits, dim=1)


def token_classification(p):
    """The head that labels each token: a product, a bias and a softmax."""
    x, w, bias = p.argument(512, 768), p.argument(768, 16), p.argument(16)
    return _softmax(make("add", _product(x, w), _along_last(bias, 2)))


def low_rank(p):
    """A weight of rank 64 as two products, with the bias of a layer."""
    x, u, v = p.argument(128, 2048), p.argument(2048, 64), p.argument(64, 2048)
    bias = p.argument(2048)
    return make("add", _product(_product(x, u), v), _along_last(bias, 2))


def scaled_lora(p):
    """A low-rank adapter with its scale alpha / rank."""
    x, w = p.argument(64, 1024), p.argument(1024, 1024)
    a, b = p.argument(1024, 16), p.argument(16, 1024)
    adapted = scale(_product(_product(x, a), b), 2.0)
    return make("add", _product(x, w), adapted)


def expert_gate(p):
    """The router of a mixture of experts: a softmax over experts."""
    x, w = p.argument(256, 1024), p.argument(1024, 64)
    return _softmax(_product(x, w))


def residual_layer_norm(p):
    """The end of a block of BERT: a product, a bias, the input added, a norm."""
    x, w, bias, residual = (p.argument(128, 1024), p.argument(1024, 1024),
                            p.argument(1024), p.argument(128, 1024))
    y = make("add", make("add", _product(x, w), _along_last(bias, 2)),
             cast(residual, "f32"))
    return make("layer_norm", y, epsilon=1e-12, operandSegmentSizes=(1, 0, 0))


def layer_scale_mlp(p):
    """A layer of ConvNeXt: two products, a gelu between, a learned scale, a sum."""
    x, w1, w2 = p.argument(196, 384), p.argument(384, 1536), p.argument(1536, 384)
    gamma = p.argument(384)
    hidden = make("gelu", _product(x, w1), form="erf")
    branch = make("mul", _product(hidden, w2), _along_last(gamma, 2))
    return make("add", cast(x, "f32"), branch)


def temperature_contrast(p):
    """CLIP's logits: two normalized embeddings and a temperature."""
    image, text = p.argument(128, 512), p.argument(128, 512)

    def unit(x):
        wide = cast(x, "f32")
        length = reduce("sum", make("square", wide), 1)
        return make("mul", wide, make("rsqrt", length))

    return scale(_product(unit(image), unit(text), transpose_rhs=True), math.exp(4.6))


PROGRAMS = {function.__name__: function for function in (
    latent_attention, window_attention, softcap_attention, sink_attention, retention,
    differential_attention, alibi_attention, cross_attention, linear_attention, rotary,
    qkv_attention, geglu, reglu, swiglu_mlp, residual_gated_mlp, linear_norm_gelu,
    group_norm_silu, batch_norm_relu, squeeze_excite, cross_entropy, vocabulary_loss,
    vocabulary_softmax, log_softmax_head, token_classification, low_rank, scaled_lora, expert_gate, residual_layer_norm,
    layer_scale_mlp, temperature_contrast)}


def build(name):
    builder = _Builder()
    result = cast(PROGRAMS[name](builder), "f16")
    return Program(name, builder.arguments, [result])

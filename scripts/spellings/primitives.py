"""Composite operators taken apart, and attention put together.

The meaning of each composite is that of Mirage/Semantics/Composite.h: inside of
it values are f32, and are rounded once, at the result.
"""

import math

from .graph import (Program, cast, clone, constant, make, rebuild, reduce, reshape,
                    scale, swap, swapped)


def _softmax(x, dim):
    shifted = make("exp", make("sub", x, reduce("max", x, dim)))
    return make("div", shifted, reduce("sum", shifted, dim))


def _log_softmax(x, dim):
    shifted = make("sub", x, reduce("max", x, dim))
    total = reduce("sum", make("exp", shifted), dim)
    return make("sub", shifted, make("log", total))


def _center(x, dim):
    return make("sub", x, reduce("mean", x, dim))


def _normalize(x, power, epsilon):
    """x / sqrt(power + epsilon)."""
    total = make("add", power, constant(x.element, power.rank, epsilon))
    return make("mul", x, make("rsqrt", total))


def _normalize_last(x, epsilon):
    dim = x.rank - 1
    return _normalize(x, reduce("mean", make("square", x), dim), epsilon)


def _scale_and_shift(x, dim, weight, bias):
    along = tuple(size if i == dim else 1 for i, size in enumerate(x.shape))
    if weight is not None:
        x = make("mul", x, reshape(weight, along))
    if bias is not None:
        x = make("add", x, reshape(bias, along))
    return x


def _norm(node, operands):
    """One of the four norms that compute their own statistics."""
    x, *rest = operands
    epsilon = node.attributes["epsilon"]
    has_weight, has_bias = (node.attributes["operandSegmentSizes"][-2:]
                            if node.op != "rms_norm" else (len(rest), 0))
    weight = rest.pop(0) if has_weight else None
    bias = rest.pop(0) if has_bias else None
    if node.op in ("rms_norm", "layer_norm"):
        if node.op == "layer_norm":
            x = _center(x, x.rank - 1)
        return _scale_and_shift(_normalize_last(x, epsilon), x.rank - 1, weight, bias)
    groups = node.get("groups") or x.shape[1]
    flat = reshape(x, (x.shape[0], groups, math.prod(x.shape[1:]) // groups))
    normalized = reshape(_normalize_last(_center(flat, 2), epsilon), x.shape)
    return _scale_and_shift(normalized, 1, weight, bias)


def _batch_norm(node, operands):
    x, mean, variance, *rest = operands
    _, _, _, has_weight, has_bias = node.attributes["operandSegmentSizes"]
    along = tuple(size if i == 1 else 1 for i, size in enumerate(x.shape))
    x = _normalize(make("sub", x, reshape(mean, along)), reshape(variance, along),
                   node.attributes["epsilon"])
    weight = rest.pop(0) if has_weight else None
    return _scale_and_shift(x, 1, weight, rest.pop(0) if has_bias else None)


def _variance(node, x):
    dim = node.attributes["dim"]
    total = reduce("sum", make("square", _center(x, dim)), dim, node.get("keep"))
    return make("div", total, constant(
        x.element, total.rank, x.shape[dim] - node.attributes["correction"]))


def _attention(node, operands):
    query, key, value, *mask = operands
    scores = make("matmul", query, key, transpose_rhs=True)
    scores = scale(scores, node.attributes["scale"])
    if mask:
        scores = make("add", scores, *mask)
    return make("matmul", _softmax(scores, scores.rank - 1), value)


def _sigmoid(x):
    one = constant(x.element, x.rank, 1)
    return make("div", one, make("add", one, make("exp", scale(x, -1))))


def _gelu(node, x):
    one = constant(x.element, x.rank, 1)
    if node.attributes["form"] == "erf":
        inner = make("erf", scale(x, math.sqrt(0.5)))
    else:
        cube = make("mul", make("square", x), x)
        inner = make("tanh", scale(make("add", x, scale(cube, 0.044715)),
                                   math.sqrt(2 / math.pi)))
    return scale(make("mul", x, make("add", inner, one)), 0.5)


def expand(node, operands):
    """What a composite operator, or an activation function, means of f32."""
    x = operands[0]
    if node.op == "softmax":
        return _softmax(x, node.attributes["dim"])
    if node.op == "log_softmax":
        return _log_softmax(x, node.attributes["dim"])
    if node.op in ("rms_norm", "layer_norm", "group_norm", "instance_norm"):
        return _norm(node, operands)
    if node.op == "batch_norm":
        return _batch_norm(node, operands)
    if node.op == "variance":
        return _variance(node, x)
    if node.op == "attention":
        return _attention(node, operands)
    if node.op == "silu":
        return make("mul", x, _sigmoid(x))
    if node.op == "sigmoid":
        return _sigmoid(x)
    if node.op == "gelu":
        return _gelu(node, x)
    if node.op == "relu":
        return make("max", x, constant(x.element, x.rank, 0))
    if node.op == "square":
        return make("mul", x, x)
    return None


def primitive(program):
    """Composite operators and activation functions are taken apart to primitives."""

    def rule(node, operands):
        if not operands:
            return node
        wide = "f32" if node.operands[0].element in ("f16", "bf16") else None
        inside = [cast(o, wide) if wide else o for o in operands]
        expanded = expand(node, inside)
        if expanded is None:
            return clone(node, operands)
        # A square inside of a norm is an operator of its own.
        parts = rebuild(Program("", inside, [expanded]), rule).results[0]
        return cast(parts, node.element)

    return rebuild(program, rule)


# --- Attention ----------------------------------------------------------------


def _through(node, op):
    """The operand of an operator of this kind, or the node itself."""
    return node.operands[0] if node.op == op else node


def _as_rows(key, is_transposed):
    """The keys with one key a row, as attention takes them."""
    if is_transposed:
        return key
    if key.op == "transpose" and key.attributes["permutation"] == swapped(key.rank):
        return key.operands[0]
    return swap(key)


def _match_attention(node):
    """The attention that a product of a softmax and values is, or None."""
    if node.op != "matmul" or node.get("transpose_lhs") or node.get("transpose_rhs"):
        return None
    weights = _through(node.operands[0], "cast")
    if weights.op != "softmax" or weights.attributes["dim"] != weights.rank - 1:
        return None
    scores, masks, factor = weights.operands[0], [], 1.0
    if scores.op == "add":
        for one, other in (scores.operands, scores.operands[::-1]):
            if one.op in ("scale", "matmul"):
                scores, masks = one, [_through(other, "cast")]
                break
    if scores.op == "scale":
        factor = scores.attributes["factor"]
        scores = scores.operands[0]
    if scores.op != "matmul" or scores.get("transpose_lhs"):
        return None
    query, key = scores.operands
    operands = [query, _as_rows(key, scores.get("transpose_rhs")), node.operands[1],
                *masks]
    if len({operand.element for operand in operands}) > 1:
        return None
    return cast(make("attention", *operands, scale=factor), node.element)


def raised(program):
    """A softmax between two products is the operator 'attention'."""
    return rebuild(program, lambda node, operands: (
        lambda copy: _match_attention(copy) or copy)(clone(node, operands)))


# --- Other primitives ---------------------------------------------------------


def means(program):
    """Means are sums divided by the number of elements."""

    def rule(node, operands):
        if node.op != "reduce" or node.attributes["kind"] != "mean":
            return clone(node, operands)
        dim = node.attributes["dim"]
        count = node.get("group") or node.operands[0].shape[dim]
        total = make("reduce", operands[0], **{**node.attributes, "kind": "sum"})
        return make("div", total, constant(total.element, total.rank, count))

    return rebuild(primitive(program), rule)


def roots(program):
    """Products with a reciprocal square root are quotients by a square root."""

    def rule(node, operands):
        if node.op == "mul":
            x, y = operands
            for one, other in ((x, y), (y, x)):
                if other.op == "rsqrt":
                    return make("div", one, make("sqrt", other.operands[0]))
        return clone(node, operands)

    return rebuild(primitive(program), rule)

"""Spellings that change operators between arguments and results, by laws of
arithmetic: operands exchanged, scales, masks and casts moved, differences, quotients
and softmax written by other operators."""

from .graph import COMMUTATIVE, cast, clone, constant, make, rebuild, scale, swap
from .primitives import primitive

LAYOUTS = {"reshape", "transpose", "broadcast", "slice", "concat", "repeat"}


def exchanged(program):
    """Operands of sums, products, maxima and minima change places."""
    return rebuild(program, lambda node, operands: clone(
        node, operands[::-1] if node.op in COMMUTATIVE else operands))


def products_exchanged(program):
    """Products of matrices A B are the transposed products of Bᵀ and Aᵀ."""

    def rule(node, operands):
        if node.op != "matmul":
            return clone(node, operands)
        a, b = operands
        return swap(make("matmul", b, a, transpose_lhs=not node.get("transpose_rhs"),
                         transpose_rhs=not node.get("transpose_lhs"),
                         element=node.element))

    return rebuild(program, rule)


# --- Scales -------------------------------------------------------------------


def _unscaled(node):
    """(node without the scales that it is, their factors)."""
    factors = []
    while node.op == "scale":
        factors.append(node.attributes["factor"])
        node = node.operands[0]
    return node, factors


def _scaled(node, factors):
    """Scales one by one: a product of factors may be no number of f32."""
    for factor in factors:
        node = scale(node, factor)
    return node


def scale_after(program):
    """Scales of a product's operands are taken after the product."""

    def rule(node, operands):
        if node.op != "matmul":
            return clone(node, operands)
        (a, left), (b, right) = map(_unscaled, operands)
        return _scaled(clone(node, [a, b]), left + right)

    return rebuild(program, rule)


def _scale_before(program, side):
    def rule(node, operands):
        copy = clone(node, operands)
        product, factors = _unscaled(copy)
        if not factors or product.op != "matmul":
            return copy
        parts = list(product.operands)
        parts[side] = _scaled(parts[side], factors)
        return clone(product, parts)

    return rebuild(scale_after(program), rule)


def scale_left(program):
    """Scales at a product are those of its left operand, before it."""
    return _scale_before(program, 0)


def scale_right(program):
    """Scales at a product are those of its right operand, before it."""
    return _scale_before(program, 1)


def scale_late(program):
    """Scales by positive factors are taken after maxima and differences."""

    def rule(node, operands):
        copy = clone(node, operands)
        parts = [_unscaled(operand) for operand in operands]
        factors = parts[0][1] if parts else []
        moves = node.op == "sub" or (
            node.op == "reduce" and node.attributes["kind"] == "max")
        if not moves or not factors or min(factors) <= 0 or any(
                other != factors for _, other in parts):
            return copy
        return _scaled(clone(node, [x for x, _ in parts]), factors)

    return rebuild(primitive(program), rule)


# --- Differences and quotients --------------------------------------------------


def differences_added(program):
    """Differences are sums with what is subtracted times -1."""
    return rebuild(primitive(program), lambda node, operands: (
        make("add", operands[0], scale(operands[1], -1)) if node.op == "sub"
        else clone(node, operands)))


def reciprocals(program):
    """Quotients are products with the reciprocal of what they are divided by."""

    def rule(node, operands):
        if node.op != "div" or operands[0].op == "constant":
            return clone(node, operands)
        one = constant(operands[1].element, operands[1].rank, 1)
        return make("mul", operands[0], make("div", one, operands[1]))

    return rebuild(primitive(program), rule)


def logarithms(program):
    """A softmax is the exponential of its logarithm."""
    return rebuild(program, lambda node, operands: (
        make("exp", make("log_softmax", *operands, **node.attributes))
        if node.op == "softmax" else clone(node, operands)))


# --- Masks --------------------------------------------------------------------


def masks_scaled(program):
    """A mask is added before the scale, divided by it."""

    def rule(node, operands):
        copy = clone(node, operands)
        if node.op != "add":
            return copy
        for scores, mask in (operands, operands[::-1]):
            if scores.op == "scale" and mask.op != "scale":
                factor = scores.attributes["factor"]
                divided = make("div", mask, constant(mask.element, mask.rank, factor))
                return scale(make("add", scores.operands[0], divided), factor)
        return copy

    return rebuild(program, rule)


def masks_narrow(program):
    """What is added in f32 after a cast from f16 is added in f16."""

    def rule(node, operands):
        if node.op == "add":
            for scores, mask in (operands, operands[::-1]):
                if mask.op == "cast" and mask.operands[0].element == "f16" and (
                        mask.operands[0].op == "argument"):
                    total = make("add", cast(scores, "f16"), mask.operands[0])
                    return cast(total, node.element)
        return clone(node, operands)

    return rebuild(program, rule)


# --- Casts --------------------------------------------------------------------


def casts_late(program):
    """Casts before an operator that moves elements are after it."""

    def rule(node, operands):
        if node.op in LAYOUTS and operands and all(
                o.op == "cast" for o in operands) and len(
                {o.operands[0].element for o in operands}) == 1:
            return cast(clone(node, [o.operands[0] for o in operands]), node.element)
        return clone(node, operands)

    return rebuild(program, rule)


def casts_early(program):
    """Casts after an operator that moves elements are before it."""

    def move(x, element):
        if x.op not in LAYOUTS:
            return cast(x, element)
        return clone(x, [move(operand, element) for operand in x.operands])

    return rebuild(program, lambda node, operands: (
        move(operands[0], node.element) if node.op == "cast"
        else clone(node, operands)))


def maxima_narrow(program):
    """Maxima are taken before casts to a wider type, which is exact, and before
    scales."""

    def rule(node, operands):
        if node.op != "reduce" or node.attributes["kind"] != "max" or (
                operands[0].op != "cast"
                or operands[0].operands[0].element not in ("f16", "bf16")):
            return clone(node, operands)
        attributes = {**node.attributes, "element": None}
        return cast(make("reduce", operands[0].operands[0], **attributes), node.element)

    return rebuild(scale_late(program), rule)


def products_wide(program):
    """Operands of products of f16 are cast to f32 before, which is exact."""

    def rule(node, operands):
        if node.op == "matmul" and operands[0].element == "f16":
            operands = [cast(operand, "f32") for operand in operands]
        return clone(node, operands)

    return rebuild(program, rule)


# --- Layouts of products ------------------------------------------------------


def axes_exchanged(program):
    """Reductions and softmax along the last dimension are along the one before it, of
    what is transposed."""

    def rule(node, operands):
        if node.op not in ("softmax", "log_softmax", "reduce") or not (
                node.operands[0].rank >= 2 and node.rank == node.operands[0].rank
                and node.attributes["dim"] == node.rank - 1):
            return clone(node, operands)
        attributes = {**node.attributes, "dim": node.rank - 2}
        return swap(make(node.op, swap(operands[0]), **attributes))

    return rebuild(program, rule)


def explicit_transposes(program):
    """Operands that products read transposed are transposed before."""

    def rule(node, operands):
        if node.op != "matmul":
            return clone(node, operands)
        left, right = operands
        return make("matmul", swap(left) if node.get("transpose_lhs") else left,
                    swap(right) if node.get("transpose_rhs") else right,
                    element=node.element)

    return rebuild(program, rule)


def read_transposed(program):
    """Operands that are transposed before products are read transposed by them."""

    def rule(node, operands):
        if node.op != "matmul":
            return clone(node, operands)
        flags = [bool(node.get("transpose_lhs")), bool(node.get("transpose_rhs"))]
        operands = list(operands)
        for i, operand in enumerate(operands):
            if operand.op == "transpose" and (
                    operand.attributes["permutation"]
                    == (*range(operand.rank - 2), operand.rank - 1, operand.rank - 2)):
                operands[i] = operand.operands[0]
                flags[i] = not flags[i]
        return make("matmul", *operands, transpose_lhs=flags[0],
                    transpose_rhs=flags[1], element=node.element)

    return rebuild(program, rule)

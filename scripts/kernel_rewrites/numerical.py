"""Numerical mutants: programs rewritten by laws that hold for real numbers.

In floats some of these rewrites lose everything (a maximum that is dropped, a
square in f16, a pole where a row is zero), and some nothing. An oracle runs both
programs, at many magnitudes, exactly and in the precision that they are written
in, and says which is which.

    mutant = draw_mutant(random.Random("1:0"))
    judge(mutant, random.Random("1:0:inputs"))      # "unusable", "harmless", None
"""

import collections
import math

from spellings.graph import (Program, argument, cast, constant, make, ordered, reduce,
                             substitute)
from . import evaluate
from .ordinary import add, div, exp, mul, negative, number, scaled, sub

Mutant = collections.namedtuple("Mutant", "name program rewritten")


# --- Programs ---------------------------------------------------------------------


class Base:
    """Programs that are mutated: small, stable as they are written."""

    def __init__(self, random):
        self.random = random
        self.arguments = []

    def tensor(self, *shape, element="f32"):
        node = argument(element, *shape)
        self.arguments.append(node)
        return node

    def wide(self, rows=4, columns=8):
        """A tensor of f32, often one that is stored in f16."""
        if self.random.random() < 0.35:
            return cast(self.tensor(rows, columns, element="f16"), "f32")
        return self.tensor(rows, columns)

    def softmax(self):
        return make("softmax", scaled(self.wide(), self.random.choice(
            (0.125, 0.25, 0.5, 1.0))), dim=1)

    def attention(self):
        q, k, v = self.wide(4, 8), self.wide(8, 8), self.wide(8, 4)
        scores = scaled(make("matmul", q, k, transpose_rhs=True), 0.25)
        return make("matmul", make("softmax", scores, dim=1), v)

    def log_sum_exp(self):
        x = self.wide()
        greatest = reduce("max", x, 1)
        return add(greatest,
                   make("log", reduce("sum", exp(sub(x, greatest)), 1)))

    def rms_norm(self):
        x = self.wide()
        mean = reduce("mean", make("square", x), 1)
        return mul(x, make("rsqrt", add(mean, number(mean, 1e-6))))

    def layer_norm(self):
        x = self.wide()
        centred = sub(x, reduce("mean", x, 1))
        variance = reduce("mean", make("square", centred), 1)
        return div(centred, make("sqrt", add(variance, number(x, 1e-5))))

    def variance(self):
        x = self.wide()
        return reduce("mean", make("square", sub(x, reduce("mean", x, 1))), 1)

    def linear(self):
        x, w = self.wide(4, 8), self.wide(8, 4)
        return make("relu", add(make("matmul", x, w), self.tensor(1, 4)))

    def gate(self):
        x, y = self.wide(), self.wide()
        return mul(mul(x, make("sigmoid", x)), y)

    def saturating(self):
        x, y = self.wide(), self.wide()
        return add(make("tanh", x), make("sigmoid", y))

    def quotients(self):
        x, y, z = self.wide(), self.wide(), self.wide()
        one = number(x, 1)
        below = [add(make("abs", y), one), add(make("square", z), one)]
        return div(div(x, below[0]), below[1])

    def distance(self):
        x, y = self.wide(), self.wide()
        return make("sqrt", reduce("sum", make("square", sub(x, y)), 1))

    def ratio_of_weights(self):
        a, b = self.wide(), self.wide()
        return reduce("mean", exp(negative(make("abs", sub(a, b)))), 1)

    def narrow(self):
        x, w = self.tensor(4, 8, element="f16"), self.tensor(4, 8, element="f16")
        return cast(mul(cast(x, "f32"), make("sigmoid", cast(w, "f32"))), "f16")

    def normalised_rows(self):
        x = self.wide()
        total = reduce("sum", make("abs", x), 1)
        return div(x, add(total, number(total, 1.0)))

    def cosine(self):
        x, y = self.wide(), self.wide()

        def norm(a):
            return make("sqrt", add(reduce("sum", make("square", a), 1),
                                    constant("f32", 2, 1e-6)))
        return div(reduce("sum", mul(x, y), 1), mul(norm(x), norm(y)))


PROGRAMS = [name for name in vars(Base) if not name.startswith("_")
            and name not in ("tensor", "wide")]


# --- Laws -------------------------------------------------------------------------
# Each takes a node and a generator of random numbers and returns the same value in
# other words, or None.


def scale_and_back(node, random):
    """The product with a power of two, and with its inverse."""
    if node.op in ("constant", "argument", "compare"):
        return None
    factor = 2.0 ** random.choice((-14, -10, -6, -2, 2, 6, 10, 14))
    return scaled(scaled(node, factor), 1 / factor)


def scale_and_back_narrow(node, random):
    """The same where what lies between is stored in f16."""
    if node.element != "f32" or node.op in ("constant", "argument"):
        return None
    factor = 2.0 ** random.choice((-12, -8, -4, 4, 8))
    stored = cast(cast(scaled(node, factor), "f16"), "f32")
    return scaled(stored, 1 / factor)


def store_narrow(node, random):
    """A value is stored in f16 on its way."""
    if node.element != "f32" or node.op in ("constant", "argument", "cast"):
        return None
    return cast(cast(node, "f16"), "f32")


def compute_narrow(node, random):
    """A cast is moved behind the operator: its operand is f16."""
    if node.op not in ("square", "mul", "add", "sub", "scale", "abs"):
        return None
    inner = [operand.operands[0] for operand in node.operands
             if operand.op == "cast" and operand.operands[0].element == "f16"]
    if len(inner) != len(node.operands):
        return None
    attributes = {k: v for k, v in node.attributes.items() if k != "element"}
    return cast(make(node.op, *inner, **attributes), "f32")


def scale_product(node, random):
    """A factor of a product is scaled, and the product back."""
    if node.op not in ("matmul", "mul"):
        return None
    factor = 2.0 ** random.choice((-20, -12, -4, 4, 12, 20))
    a, b = node.operands
    return scaled(make(node.op, scaled(a, factor), b, **node.attributes), 1 / factor)


def scale_rows(node, random):
    """The rows of a matrix product's operand are divided by their maxima."""
    if node.op != "matmul":
        return None
    a, b = node.operands
    greatest = reduce("max", make("abs", a), 1)
    if random.random() < 0.5:
        greatest = make("max", greatest, number(greatest, 1.0))
    return mul(make("matmul", div(a, greatest), b, **node.attributes), greatest)


def drop_maximum(node, random):
    """A softmax without its shift, or a logarithm of a sum of exponentials."""
    if node.op == "softmax":
        power = exp(node.operands[0])
        return div(power, reduce("sum", power, 1))
    if node.op == "add" and node.operands[0].op == "reduce" \
            and node.operands[1].op == "log":
        x = node.operands[0].operands[0]
        return make("log", reduce("sum", exp(x), 1))
    return None


def shift_otherwise(node, random):
    """The shift of a softmax is another number of the row, or the maximum."""
    if node.op != "softmax":
        return None
    x = node.operands[0]
    shift = reduce(random.choice(("max", "max", "mean")), x, 1)
    power = exp(sub(x, shift))
    return div(power, reduce("sum", power, 1))


def divide_late(node, random):
    """Probabilities are divided by their sum behind the product."""
    if node.op != "matmul" or node.operands[0].op != "softmax":
        return None
    x = node.operands[0].operands[0]
    power = exp(sub(x, reduce("max", x, 1)))
    product = make("matmul", power, node.operands[1])
    return div(product, reduce("sum", power, 1))


def multiply_by_inverse(node, random):
    if node.op != "div":
        return None
    a, b = node.operands
    return mul(a, div(number(b, 1), b))


def scale_fraction(node, random):
    if node.op != "div":
        return None
    factor = 2.0 ** random.choice((-30, -10, 10, 30))
    a, b = node.operands
    return div(scaled(a, factor), scaled(b, factor))


def join_fractions(node, random):
    if node.op != "div":
        return None
    a, b = node.operands
    if a.op == "div":
        return div(a.operands[0], mul(a.operands[1], b))
    if b.op == "mul":
        return div(div(a, b.operands[0]), b.operands[1])
    return None


def split_fraction(node, random):
    if node.op not in ("div", "mul") or node.operands[0].op not in ("add", "sub"):
        return None
    a, b = node.operands
    return make(a.op, make(node.op, a.operands[0], b), make(node.op, a.operands[1], b))


def expand_square(node, random):
    if node.op != "square" or node.operands[0].op != "sub":
        return None
    a, b = node.operands[0].operands
    return add(sub(make("square", a), scaled(mul(a, b), 2.0)), make("square", b))


def subtract_means(node, random):
    """The variance as the mean square less the squared mean."""
    if node.op != "reduce" or node.attributes["kind"] != "mean" \
            or node.operands[0].op != "square":
        return None
    centred = node.operands[0].operands[0]
    if centred.op != "sub":
        return None
    x, mean = centred.operands
    return sub(reduce("mean", make("square", x), 1), make("square", mean))


def root_as_product(node, random):
    if node.op != "sqrt":
        return None
    return mul(node.operands[0], make("rsqrt", node.operands[0]))


def root_as_inverse(node, random):
    if node.op == "rsqrt":
        return div(number(node, 1), make("sqrt", node.operands[0]))
    if node.op == "div" and node.operands[1].op == "sqrt":
        return mul(node.operands[0], make("rsqrt", node.operands[1].operands[0]))
    return None


def sigmoid_as_quotient(node, random):
    if node.op != "sigmoid":
        return None
    x, one = node.operands[0], number(node, 1)
    if random.random() < 0.5:
        return div(one, add(one, exp(negative(x))))
    return div(exp(x), add(one, exp(x)))


def tanh_as_quotient(node, random):
    if node.op != "tanh":
        return None
    x, one = node.operands[0], number(node, 1)
    if random.random() < 0.5:
        return sub(scaled(make("sigmoid", scaled(x, 2.0)), 2.0), one)
    power = exp(scaled(x, 2.0))
    return div(sub(power, one), add(power, one))


def split_exponential(node, random):
    if node.op != "exp" or node.operands[0].op != "sub":
        return None
    a, b = node.operands[0].operands
    if random.random() < 0.5:
        return div(exp(a), exp(b))
    return mul(exp(a), exp(negative(b)))


def add_and_subtract(node, random):
    """A number is added and taken off again."""
    if node.op in ("constant", "argument", "compare"):
        return None
    largest = 4096.0 if node.element == "f16" else 65536.0
    value = number(node, random.choice((1.0, 256.0, largest)))
    return sub(add(node, value), value)


def mean_of_scaled(node, random):
    if node.op != "reduce" or node.attributes["kind"] != "mean":
        return None
    x = node.operands[0]
    size = x.shape[node.attributes["dim"]]
    if random.random() < 0.5:
        return scaled(reduce("sum", x, node.attributes["dim"]), 1 / size)
    return reduce("sum", scaled(x, 1 / size), node.attributes["dim"])


def other_order(node, random):
    if node.op not in ("add", "mul"):
        return None
    a, b = node.operands
    if a.op == node.op and random.random() < 0.7:
        return make(node.op, a.operands[0], make(node.op, a.operands[1], b))
    return make(node.op, b, a)


LAWS = [scale_and_back, scale_and_back_narrow, store_narrow, compute_narrow,
        scale_product, scale_rows, drop_maximum, shift_otherwise, divide_late,
        multiply_by_inverse, scale_fraction, join_fractions, split_fraction,
        expand_square, subtract_means, root_as_product, root_as_inverse,
        sigmoid_as_quotient, tanh_as_quotient, split_exponential,
        add_and_subtract, mean_of_scaled, other_order]


def apply_law(law, results, random):
    """The results with the law applied at one place, or None if there is none."""
    places = [(node, law(node, random)) for node in ordered(results)]
    places = [place for place in places if place[1] is not None]
    if not places:
        return None
    node, rewritten = random.choice(places)
    return substitute(results, {id(node): rewritten})


def draw_mutant(random):
    """A program and a mutant of it, by one law or two."""
    while True:
        base = Base(random)
        name = random.choice(PROGRAMS)
        results = [getattr(base, name)()]
        mutated, names = results, []
        for _ in range(random.choice((1, 1, 1, 2))):
            laws = list(LAWS)
            random.shuffle(laws)
            for law in laws:
                found = apply_law(law, mutated, random)
                if found:
                    mutated = found
                    names.append(law.__name__)
                    break
        if mutated is not results and mutated[0].signature == results[0].signature:
            return Mutant(f"{name}: {', '.join(names)}",
                          Program("f", base.arguments, results),
                          Program("g", base.arguments, mutated))


# --- The oracle -------------------------------------------------------------------


def _normal(random, node, size, structure):
    """Elements around `size`, rounded to the argument's type."""
    rows, columns = node.shape[-2], node.shape[-1]
    zero_row = random.randrange(rows) if structure == "zero row" else None
    only_row = random.randrange(rows) if structure == "one row" else None
    only_column = random.randrange(columns) if structure == "one column" else None
    found = []
    for i in range(math.prod(node.shape)):
        value = random.gauss(0, 1)
        if structure == "offset":
            value += 64
        if structure == "constant":
            value = 0.5
        if structure == "bounded":
            value = math.copysign(min(0.5 + abs(value) / 2, 2.0), value)
        if structure in ("negative", "positive"):
            value = abs(value) if structure == "positive" else -abs(value)
        value *= size
        if i // columns % rows == zero_row:
            value = 0.0
        if only_row not in (None, i // columns % rows) or \
                only_column not in (None, i % columns):
            value = 0.0
        found.append(evaluate.round_to(node.element, value))
    if structure == "outlier":
        huge = 2.0 ** 14 if node.element == "f16" else 2.0 ** 119
        for row in range(rows):
            found[row * columns + random.randrange(columns)] = huge
    if structure in ("-inf", "inf"):
        for row in range(rows):
            found[row * columns + random.randrange(columns)] = float(structure)
    return found


def input_kinds(program):
    """(is within what every kernel meets, sizes, structures) of the arguments."""
    arguments = program.arguments
    count = len(arguments)
    narrow = any(node.element == "f16" for node in arguments)
    ones = [1.0] * count
    dense = ["dense"] * count

    def only(i, value, among):
        return [value if j == i else other for j, other in enumerate(among)]
    for power in ((-6, -3, 0, 3, 6) if narrow else (-20, -12, -6, 0, 4, 8, 12)):
        yield True, [2.0 ** power] * count, dense
    yield True, ones, ["offset"] * count
    yield True, ones, ["constant"] * count
    for i, node in enumerate(arguments):
        is_narrow = node.element == "f16"
        for power in ((-12, -6, 6, 12) if is_narrow else (-24, -12, -5, 5, 10, 15)):
            yield True, only(i, 2.0 ** power, ones), dense
        yield True, ones, only(i, "zero row", dense)
        yield True, ones, only(i, "offset", dense)
        # Further away than most kernels ever get, but the original may be right.
        for power in ((-13, 14) if is_narrow else
                      (-66, -50, -40, -30, 25, 35, 45, 55, 58, 60, 62, 80, 100,
                       110, 117)):
            yield False, only(i, 2.0 ** power, ones), dense
        for structure in ("outlier", "-inf", "inf"):
            yield False, ones, only(i, structure, dense)
    # Structures of larger arguments, and the ends of f16.
    for power in (3, 6):
        sizes = [2.0 ** power] * count
        for structure in ("negative", "positive"):
            yield False, sizes, [structure] * count
        for i in range(count):
            for structure in ("one row", "one column"):
                yield False, sizes, only(i, structure, dense)
    for i, node in enumerate(arguments):
        yield False, [4096.0] * count, only(i, "-inf", dense)
        if node.element == "f16":
            for size in (2.0 ** -20, 21840.0):
                yield False, only(i, size, ones), only(i, "bounded", dense)


# A mutant is unusable if it loses ten bits more than the original, or leaves less
# than two; it is harmless if it never loses more than two bits.
_UNUSABLE, _HARMLESS, _LEAST_KNOWN = 2.0 ** 10, 4.0, 0.25


def _row_errors(mutant, inputs):
    """(original's error, mutant's error, largest element) of rows of results in
    which the original is finite; none if it overflows inside."""
    originals, is_finite = evaluate.run_in_storage(mutant.program, inputs)
    if not is_finite and all(all(map(math.isfinite, x)) for x in inputs):
        return []
    exact = evaluate.run_exactly(mutant.program, inputs)
    mutated, _ = evaluate.run_in_storage(mutant.rewritten, inputs)
    rows = []
    for node, left, right, true in zip(mutant.program.results, originals, mutated,
                                       exact):
        size = node.shape[-1]
        for first in range(0, len(true), size):
            scale = left_error = right_error = 0.0
            for i in range(first, first + size):
                if not (true[i].is_finite() and math.isfinite(left[i])):
                    continue
                value = float(true[i])
                scale = max(scale, abs(value))
                left_error = max(left_error, abs(left[i] - value))
                error = abs(right[i] - value)
                right_error = max(right_error,
                                  math.inf if math.isnan(error) else error)
            rows.append((left_error, right_error, scale, node.element))
    return rows


def judge(mutant, random):
    """Whether a mutant is "unusable" or "harmless"; None if it is neither."""
    is_harmless = True
    for is_common, sizes, structures in input_kinds(mutant.program):
        inputs = [_normal(random, *one) for one in zip(
            mutant.program.arguments, sizes, structures)]
        for left, right, scale, element in _row_errors(mutant, inputs):
            resolved = max(scale, evaluate.NORMAL[element]) * evaluate.UNIT[element]
            # GPUs flush what is smaller in f32 to zero.
            if element != "f16":
                resolved = max(resolved, evaluate.NORMAL[element])
            own = max(left, resolved)
            # Where the original has lost half of its digits, it says nothing.
            is_accurate = left <= max(scale, evaluate.NORMAL[element]) * math.sqrt(
                evaluate.UNIT[element])
            allowed = min(_UNUSABLE * own, max(_LEAST_KNOWN * scale, 2 * own))
            if is_common and is_accurate and right > allowed:
                return "unusable"
            is_harmless = is_harmless and right <= _HARMLESS * own
    return "harmless" if is_harmless else None

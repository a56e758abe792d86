"""Rewrites that authors of kernels make every day, as random pairs.

Each function of REWRITES draws a program and the same in other words: sizes,
types and numbers are drawn. Each must be accepted for the other.

    name, program, rewritten = draw_pair(random.Random("1:0"))

Where a row of which a mask leaves nothing is NaN in one program and in part zero
in the other, the one that is NaN is the program.
"""

import math
import struct

from spellings.graph import (Program, argument, cast, concat, constant, make, reduce,
                             take)

LOG2E = math.log2(math.e)
LOWEST = {"f16": -65504.0, "f32": -3.4028234663852886e38,
          "f64": -1.7976931348623157e308}


def round_to(element, value):
    code = {"f16": "e", "f32": "f", "f64": "d"}[element]
    return struct.unpack(code, struct.pack(code, value))[0]


def number(like, value):
    return constant(like.element, like.rank, value)


def add(a, b):
    return make("add", a, b)


def sub(a, b):
    return make("sub", a, b)


def mul(a, b):
    return make("mul", a, b)


def div(a, b):
    return make("div", a, b)


def exp(x):
    return make("exp", x)


def scaled(x, factor):
    return make("scale", x, factor=float(factor))


def compare(kind, a, b):
    return make("compare", a, b, kind=kind)


def select(condition, a, b):
    return make("select", condition, a, b)


def negative(x):
    return sub(number(x, 0), x)


def table(element, shape, values):
    """A constant of several numbers."""
    def nest(at, rest):
        if not rest:
            return repr(float(values[at]))
        step = math.prod(rest[1:])
        return "[" + ", ".join(nest(at + i * step, rest[1:])
                               for i in range(rest[0])) + "]"
    return make("constant", element=element, shape=tuple(shape),
                value=f"dense<{nest(0, tuple(shape))}>")


class Draw:
    """Random sizes, types and numbers of one pair."""

    def __init__(self, random):
        self.random = random
        self.element = random.choice(("f32", "f32", "f32", "f16", "f64"))

    def size(self, *among):
        return self.random.choice(among or (4, 6, 8, 12, 16, 20, 24))

    def tensor(self, *shape, element=None):
        return argument(element or self.element, *shape)

    def matrix(self, element=None):
        return self.tensor(self.size(), self.size(), element=element)

    def short(self, *among):
        """A number of few digits, which all types hold."""
        return self.random.choice(among or (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 6.0))

    def flip(self):
        return self.random.random() < 0.5


# --- Maxima, choices and their cases --------------------------------------------


def max_as_select(draw):
    a = draw.matrix()
    b = draw.tensor(*a.shape)
    kind = draw.random.choice(("gt", "ge", "lt", "le"))
    first, second = (a, b) if kind in ("gt", "ge") else (b, a)
    if draw.flip():
        return [a, b], make("max", a, b), select(compare(kind, a, b), first, second)
    return [a, b], make("min", a, b), select(compare(kind, a, b), second, first)


def relu_as_select(draw):
    x = draw.matrix()
    kind = draw.random.choice(("gt", "ge"))
    zero = number(x, 0)
    return [x], make("relu", x), draw.random.choice(
        (select(compare(kind, x, zero), x, zero),
         make("max", x, zero), negative(make("min", negative(x), zero))))


def leaky_relu(draw):
    x = draw.matrix()
    slope = draw.short(0.25, 0.125, 0.0625, 0.01, 0.2)
    zero = number(x, 0)
    forms = [select(compare("gt", x, zero), x, scaled(x, slope)),
             select(compare("ge", x, zero), x, scaled(x, slope)),
             make("max", x, scaled(x, slope)),
             add(make("relu", x), scaled(make("min", x, zero), slope)),
             sub(make("relu", x), scaled(make("relu", negative(x)), slope))]
    return [x], *draw.random.sample(forms, 2)


def hard_swish(draw):
    x = draw.matrix(draw.random.choice(("f32", "f64")))
    three, six, zero = (number(x, n) for n in (3, 6, 0))
    shifted = add(x, three)
    forms = [mul(x, div(make("clamp", shifted, lower=0.0, upper=6.0), six)),
             div(mul(x, make("min", make("max", shifted, zero), six)), six),
             div(mul(x, make("max", make("min", shifted, six), zero)), six),
             select(compare("lt", x, number(x, -3)), zero,
                    select(compare("gt", x, three), x, div(mul(x, shifted), six)))]
    return [x], *draw.random.sample(forms, 2)


def hard_sigmoid(draw):
    x = draw.matrix("f32")
    six = number(x, 6)
    shifted = add(x, number(x, 3))
    forms = [div(make("clamp", shifted, lower=0.0, upper=6.0), six),
             make("clamp", div(shifted, six), lower=0.0, upper=1.0),
             div(make("min", make("relu", shifted), six), six)]
    return [x], *draw.random.sample(forms, 2)


def elu(draw):
    x = draw.matrix("f32")
    zero, one = number(x, 0), number(x, 1)
    alpha = draw.short(1.0, 0.5, 1.5)
    below = scaled(sub(exp(make("min", x, zero)), one), alpha)
    forms = [select(compare("gt", x, zero), x, below),
             select(compare("ge", x, zero), x, below),
             add(make("relu", x), below)]
    return [x], *draw.random.sample(forms, 2)


def softplus(draw):
    x = draw.matrix("f32")
    zero, one = number(x, 0), number(x, 1)
    tail = make("log", add(one, exp(negative(make("abs", x)))))
    forms = [add(make("relu", x), tail),
             add(make("max", x, zero), tail),
             select(compare("gt", x, zero),
                    add(x, make("log", add(one, exp(negative(make("abs", x)))))),
                    tail)]
    return [x], *draw.random.sample(forms, 2)


def log_sigmoid(draw):
    x = draw.matrix("f32")
    zero, one = number(x, 0), number(x, 1)
    tail = make("log", add(one, exp(negative(make("abs", x)))))
    return ([x], negative(add(make("relu", negative(x)), tail)),
            sub(make("min", x, zero), tail))


def clamps(draw):
    x = draw.matrix()
    lower = draw.short(-1.0, -2.0, 0.0, -6.0)
    upper = draw.short(1.0, 2.0, 6.0, 0.5)
    low, high = number(x, lower), number(x, upper)
    forms = [make("clamp", x, lower=lower, upper=upper),
             make("max", make("min", x, high), low),
             make("min", make("max", x, low), high),
             select(compare("lt", x, low), low, make("min", x, high)),
             select(compare("gt", x, high), high,
                    select(compare("lt", x, low), low, x))]
    return [x], *draw.random.sample(forms, 2)


def clamp_between(draw):
    """Bounds that are tensors, of which nothing is known."""
    x = draw.matrix()
    low, high = draw.tensor(*x.shape), draw.tensor(*x.shape)
    return ([x, low, high], make("min", make("max", x, low), high),
            select(compare("gt", make("max", x, low), high), high,
                   select(compare("lt", x, low), low, x)))


def max_plus(draw):
    x = draw.matrix()
    y, z = draw.tensor(*x.shape), draw.tensor(*x.shape)
    kind = draw.random.choice(("max", "min"))
    return ([x, y, z], add(make(kind, x, y), z),
            make(kind, add(x, z), add(y, z)))


def row_max_plus(draw):
    x = draw.matrix()
    bias = draw.tensor(x.shape[0], 1)
    return ([x, bias], reduce("max", add(x, bias), 1),
            add(reduce("max", x, 1), bias))


def abs_forms(draw):
    x = draw.matrix("f32")
    zero = number(x, 0)
    forms = [make("abs", x), make("max", x, negative(x)),
             select(compare("lt", x, zero), negative(x), x),
             add(make("relu", x), make("relu", negative(x)))]
    return [x], *draw.random.sample(forms, 2)


def root_of_square(draw):
    """In this order: a square overflows where the number does not."""
    x = draw.matrix()
    return [x], make("sqrt", make("square", x)), make("abs", x)


def root_of_product(draw):
    """Of factors that are positive whatever the arguments are. In this order: a
    product may overflow where its root does not."""
    x = draw.matrix(draw.random.choice(("f32", "f64")))
    y = draw.tensor(*x.shape, element=x.element)

    def positive(z):
        return draw.random.choice(
            (add(make("abs", z), number(z, draw.short(0.25, 0.5, 1.0))),
             add(make("square", z), number(z, 1))))
    a, b = positive(x), positive(y)
    return [x, y], make("sqrt", mul(a, b)), mul(make("sqrt", a), make("sqrt", b))


def quotient_of_roots(draw):
    x = draw.matrix("f32")
    y = draw.tensor(*x.shape, element=x.element)
    below = add(make("abs", y), number(y, draw.short(0.5, 1.0)))
    forms = [div(x, make("sqrt", below)), mul(x, make("rsqrt", below)),
             mul(x, div(number(y, 1), make("sqrt", below)))]
    return [x, y], *draw.random.sample(forms, 2)


def max_of_three(draw):
    a = draw.matrix()
    b, c = draw.tensor(*a.shape), draw.tensor(*a.shape)
    ab = compare("gt", a, b)
    return ([a, b, c], make("max", make("max", a, b), c),
            select(ab, select(compare("gt", a, c), a, c),
                   select(compare("gt", b, c), b, c)))


def nested_maxima(draw):
    """What a maximum or a minimum is taken of twice, or not at all."""
    a = draw.matrix()
    b = draw.tensor(*a.shape)
    forms = [make("max", a, make("min", a, b)), make("min", a, make("max", a, b))]
    other = draw.random.choice((a, make("max", a, a), make("min", a, a)))
    return [a, b], *draw.random.sample([draw.random.choice(forms), other], 2)


def relu_twice(draw):
    x = draw.matrix()
    six = number(x, 6)
    forms = [make("clamp", x, lower=0.0, upper=6.0),
             make("min", make("relu", make("relu", x)), six),
             make("relu", make("clamp", x, lower=-6.0, upper=6.0)),
             sub(make("relu", x), make("relu", sub(x, six)))]
    # The last one cancels in types of few digits.
    return [x], *draw.random.sample(forms[:3], 2)


def row_min_of_negative(draw):
    x = draw.matrix()
    return ([x], negative(reduce("max", negative(x), 1)),
            negative(reduce("max", scaled(x, -1.0), 1)))


def positive_factor_of_max(draw):
    x = draw.matrix("f32")
    y = draw.tensor(*x.shape, element=x.element)
    factor = draw.short()
    kind = draw.random.choice(("max", "min"))
    return ([x, y], scaled(make(kind, x, y), factor),
            make(kind, scaled(x, factor), scaled(y, factor)))


def max_and_min(draw):
    a = draw.matrix("f64")
    b = draw.tensor(*a.shape, element="f64")
    return ([a, b], make("abs", sub(a, b)),
            sub(make("max", a, b), make("min", a, b)))


# --- Softmax, attention and masks -------------------------------------------------


def causal_tables(rows, columns, element, first_row=0, first_column=0):
    return (table(element, (rows, 1), range(first_row, first_row + rows)),
            table(element, (1, columns),
                  range(first_column, first_column + columns)))


def softmax(x, dim=1):
    return make("softmax", x, dim=dim)


def log_sum_exp(x, dim):
    greatest = reduce("max", x, dim)
    return add(greatest,
               make("log", reduce("sum", exp(sub(x, greatest)), dim)))


def softmax_by_log(draw):
    x = draw.tensor(draw.size(), draw.size(8, 12, 16, 32), element="f32")
    return [x], softmax(x), exp(sub(x, log_sum_exp(x, 1)))


def attention_scores(draw, queries, keys, columns):
    q = draw.tensor(queries, columns, element="f32")
    k = draw.tensor(keys, columns, element="f32")
    v = draw.tensor(keys, draw.size(8, 16), element="f32")
    return q, k, v


def split_attention(draw):
    """Parts of the keys, each normalised, merged by their log-sum-exps."""
    parts = draw.size(2, 2, 3, 4)
    size = draw.size(4, 8)
    columns = draw.size(8, 16)
    q, k, v = attention_scores(draw, draw.size(4, 8), parts * size, columns)
    factor = 1 / math.sqrt(columns)

    def scores(keys):
        return scaled(make("matmul", q, keys, transpose_rhs=True), factor)
    whole = make("matmul", softmax(scores(k)), v)
    outputs, sums = [], []
    for i in range(parts):
        part = scores(take(k, 0, i * size, size))
        outputs.append(make("matmul", softmax(part), take(v, 0, i * size, size)))
        sums.append(log_sum_exp(part, 1))
    greatest = sums[0]
    for other in sums[1:]:
        greatest = make("max", greatest, other)
    weights = [exp(sub(other, greatest)) for other in sums]
    total, merged = weights[0], mul(outputs[0], weights[0])
    for weight, output in zip(weights[1:], outputs[1:]):
        total, merged = add(total, weight), add(merged, mul(output, weight))
    if draw.flip():
        return [q, k, v], whole, div(merged, total)
    # The same by one log-sum-exp of all.
    log_total = add(greatest, make("log", total))
    merged = mul(outputs[0], exp(sub(sums[0], log_total)))
    for output, other in zip(outputs[1:], sums[1:]):
        merged = add(merged, mul(output, exp(sub(other, log_total))))
    return [q, k, v], whole, merged


def base_two(draw):
    """The scale of scores and the base of the exponential in one number."""
    columns = draw.random.choice(
        (32, 40, 48, 64, 72, 80, 96, 112, 128, 160, 192, 256, 576))
    element = draw.random.choice(("f32", "f64"))
    q = draw.tensor(4, columns, element=element)
    k = draw.tensor(8, columns, element=element)
    factor = 1 / math.sqrt(columns)
    product = make("matmul", q, k, transpose_rhs=True)
    folded = scaled(product, round_to(element, factor * LOG2E))
    power = make("exp2", sub(folded, reduce("max", folded, 1)))
    return ([q, k], softmax(scaled(product, round_to(element, factor))),
            div(power, reduce("sum", power, 1)))


def base_two_narrow(draw):
    """The same with the numbers as constants of f16. Where the factor alone is a
    power of two, as for 64 columns, only the rewritten program rounds scores."""
    columns = draw.random.choice((32, 80, 96, 112, 128, 160, 192))
    x = draw.tensor(8, 16, element="f16")
    factor = 1 / math.sqrt(columns)
    folded = mul(x, number(x, factor * LOG2E))
    power = make("exp2", sub(folded, reduce("max", folded, 1)))
    return ([x], softmax(mul(x, number(x, factor))),
            div(power, cast(reduce("sum", power, 1), "f16")))


def scale_on_both_sides(draw):
    columns = draw.random.choice((32, 48, 64, 80, 96, 112, 128, 160, 192, 256))
    element = draw.random.choice(("f32", "f64"))
    q = draw.tensor(4, columns, element=element)
    k = draw.tensor(8, columns, element=element)
    root = round_to(element, columns ** -0.25)
    return ([q, k],
            scaled(make("matmul", q, k, transpose_rhs=True),
                   round_to(element, 1 / math.sqrt(columns))),
            make("matmul", scaled(q, root), scaled(k, root), transpose_rhs=True))


def quotient_by_root(draw):
    columns = draw.random.choice((48, 80, 96, 112, 160, 192, 768, 640))
    element = draw.random.choice(("f32", "f64"))
    x = draw.matrix(element)
    return ([x], div(x, number(x, math.sqrt(columns))),
            scaled(x, round_to(element, 1 / math.sqrt(columns))))


def mean_as_sum(draw):
    count = draw.random.choice((3, 5, 6, 10, 12, 20, 24, 96, 100, 640, 768))
    x = draw.tensor(4, count, element="f32")
    return ([x], reduce("mean", x, 1),
            scaled(reduce("sum", x, 1), round_to("f32", 1 / count)))


def mask_as_select(draw):
    x = draw.tensor(8, 16, element="f32")
    rows, columns = causal_tables(8, 16, "f32")
    hidden = compare("lt", rows, columns)
    infinity = constant("f32", 2, -math.inf)
    selected = select(hidden, infinity, x)
    mask = select(hidden, infinity, constant("f32", 2, 0))
    return [x], softmax(selected), softmax(add(x, mask))


def mask_as_choice(draw):
    """Exponentials of what is hidden are zero by choice."""
    x = draw.tensor(8, 16, element="f32")
    rows, columns = causal_tables(8, 16, "f32")
    seen = compare("ge", rows, columns)
    selected = select(seen, x, constant("f32", 2, -math.inf))
    power = select(seen, exp(sub(x, reduce("max", selected, 1))),
                   constant("f32", 2, 0))
    return [x], softmax(selected), div(power, reduce("sum", power, 1))


def causal_blocks(draw):
    """Rows in blocks; columns that a whole block does not see are left out."""
    size = draw.size(4, 8)
    blocks = draw.size(2, 3)
    n = size * blocks
    x = draw.tensor(n, n, element="f32")
    infinity = constant("f32", 2, -math.inf)
    rows, columns = causal_tables(n, n, "f32")
    whole = softmax(select(compare("ge", rows, columns), x, infinity))
    parts = []
    for i in range(blocks):
        width = (i + 1) * size
        part = make("slice", x, offsets=(i * size, 0), sizes=(size, width),
                    strides=(1, 1))
        rows, columns = causal_tables(size, width, "f32", first_row=i * size)
        part = softmax(select(compare("ge", rows, columns), part, infinity))
        if width < n:
            part = make("pad", part, low=(0, 0), high=(0, n - width), value=0.0)
        parts.append(part)
    return [x], whole, concat(0, *parts)


def causal_attention(draw):
    """The same where probabilities are multiplied by values."""
    size = draw.size(4, 8)
    blocks = draw.size(2, 3)
    n = size * blocks
    columns = draw.size(8, 16)
    q, k, v = attention_scores(draw, n, n, columns)
    infinity = constant("f32", 2, -math.inf)

    def attend(queries, keys, values, first_row):
        scores = scaled(make("matmul", queries, keys, transpose_rhs=True),
                        1 / math.sqrt(columns))
        rows, places = causal_tables(queries.shape[0], keys.shape[0], "f32", first_row)
        hidden = select(compare("ge", rows, places), scores, infinity)
        return make("matmul", softmax(hidden), values)
    parts = [attend(take(q, 0, i * size, size), take(k, 0, 0, (i + 1) * size),
                    take(v, 0, 0, (i + 1) * size), i * size)
             for i in range(blocks)]
    return [q, k, v], attend(q, k, v, 0), concat(0, *parts)


def masked_attention(draw):
    """Scores with a mask that is an argument; rows are divided by sums at the end."""
    keys = draw.size(8, 16)
    q, k, v = attention_scores(draw, draw.size(4, 8), keys, draw.size(8, 16))
    mask = draw.tensor(q.shape[0], keys, element="f32")
    scores = add(scaled(make("matmul", q, k, transpose_rhs=True), 0.25), mask)
    power = exp(sub(scores, reduce("max", scores, 1)))
    late = div(make("matmul", power, v), reduce("sum", power, 1))
    return [q, k, v, mask], make("matmul", softmax(scores), v), late


def padded_max(draw):
    """The lowest finite number where a maximum begins."""
    x = draw.matrix()
    low, high = draw.random.choice(((1, 0), (0, 1), (2, 3)))
    lowest = LOWEST[x.element]
    padded = make("pad", x, low=(0, low), high=(0, high), value=lowest)
    kept = reduce("max", x, 1)
    return [x], kept, draw.random.choice(
        (reduce("max", padded, 1), make("max", number(x, lowest), kept)))


# --- Products ---------------------------------------------------------------------


def product_as_reduction(draw):
    m, k, n = draw.size(), draw.size(), draw.size()
    a = draw.tensor(m, k, element="f32")
    b = draw.tensor(k, n, element="f32")
    left = make("reshape", a, shape=(m, k, 1))
    right = make("reshape", b, shape=(1, k, n))
    return ([a, b], make("matmul", a, b),
            reduce("sum", mul(left, right), 1, keep=False))


def turned_product(draw):
    """Sums over the first dimension, and products with a vector."""
    m, k = draw.size(), draw.size()
    a = draw.tensor(k, m, element="f32")
    b = draw.tensor(k, 1, element="f32")
    product = reduce("sum", mul(a, b), 0)
    return ([a, b], make("matmul", b, a, transpose_lhs=True),
            draw.random.choice((product, reduce("sum", mul(b, a), 0))))


def row_dot_products(draw):
    """The diagonal of a product, row by row."""
    m, k = draw.size(), draw.size()
    a = draw.tensor(m, k, element="f32")
    b = draw.tensor(m, k, element="f32")
    left = make("reshape", a, shape=(m, 1, k))
    right = make("reshape", b, shape=(m, k, 1))
    product = make("reshape", make("matmul", left, right), shape=(m, 1))
    return [a, b], reduce("sum", mul(a, b), 1), product


def relu_of_product(draw):
    a = draw.tensor(8, 12, element="f32")
    b = draw.tensor(12, 8, element="f32")
    w = draw.tensor(8, 4, element="f32")
    hidden = make("matmul", a, b)
    zero = number(hidden, 0)
    return ([a, b, w], make("matmul", make("relu", hidden), w),
            make("matmul", select(compare("gt", hidden, zero), hidden, zero), w))


REWRITES = [
    max_as_select, relu_as_select, leaky_relu, hard_swish, hard_sigmoid, elu,
    softplus, log_sigmoid, clamps, clamp_between, max_plus, row_max_plus,
    abs_forms, root_of_square, root_of_product, quotient_of_roots, max_of_three,
    nested_maxima, relu_twice, row_min_of_negative, positive_factor_of_max,
    max_and_min, softmax_by_log, split_attention, base_two, base_two_narrow,
    scale_on_both_sides, quotient_by_root, mean_as_sum, mask_as_select,
    mask_as_choice, causal_blocks, causal_attention, masked_attention, padded_max,
    product_as_reduction, turned_product, row_dot_products, relu_of_product,
]


# The others may be exchanged.
ONE_WAY = [causal_blocks, causal_attention, root_of_square, root_of_product]


def draw_pair(random, rewrite=None):
    """A rewrite's name, a program, and the same rewritten."""
    rewrite = rewrite or random.choice(REWRITES)
    arguments, left, right = rewrite(Draw(random))
    if rewrite not in ONE_WAY and random.random() < 0.5:
        left, right = right, left
    return (rewrite.__name__, Program("f", arguments, [left]),
            Program("g", arguments, [right]))

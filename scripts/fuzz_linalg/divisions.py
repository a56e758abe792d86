"""Draws programs that divide by what they compute of their data.

Quantization, norms, means and their like, composed at random with products
before, between and after them, of sizes at which tiles pay. Divisors may be
zero, and nothing bounds magnitudes: such programs are for checks that look
where the original is finite.

A recipe takes a matrix of the pool and adds the operations that make another
matrix of it. `generate` applies recipes one after another.
"""

import dataclasses
import math
import random as random_module

from . import bodies
from .contractions import NamedProduct
from .generate import Pool, finish
from .kinds import Elementwise, Reduce
from .layouts import Collapse, Expand
from .program import Invalid, Limits, Op, Value

LIMITS = Limits(elements=1 << 20, bounds_magnitudes=False)
# Multiplications of one product.
MAX_WORK = 1 << 24
ROWS = [32, 32, 64, 128, 256]
COLUMNS = [32, 64, 96, 128, 256, 384, 512, 1024]
GROUPS = [32, 64, 128]
EPSILONS = [1e-5, 1e-6, 1e-12]


class Map(Elementwise):
    """An elementwise operation whose result has no bound."""

    @staticmethod
    def infer(values, p):
        shape = [None] * p["rank"]
        for dims, value in zip(p["maps"], values):
            for dim, size in zip(dims, value.shape):
                shape[dim] = size
        return Value(tuple(shape), p["result"])


KINDS = {"Map": Map, "Reduce": Reduce, "NamedProduct": NamedProduct,
         "Collapse": Collapse, "Expand": Expand}


@dataclasses.dataclass
class Divisor:
    """Value number `number` has sums or maxima, one for each index of the
    dimensions `kept`; `functions` make the divisor of them. If `is_inverse`, the
    last one gives the divisor's inverse."""
    number: int
    kept: list
    functions: list
    is_inverse: bool = False


class Drafting:
    """Adds operations to the pool of a program."""

    def __init__(self, random):
        self.random = random
        self.pool = Pool()
        # The element type of the program's inputs and of most results.
        self.element = random.choice(["f16", "f16", "f32"])

    def shape(self, number):
        return self.pool.value(number).shape

    def input(self, *shape):
        return self.pool.add_input(shape, self.element)

    def add(self, kind, operands, parameters):
        values = [self.pool.value(i) for i in operands]
        value = KINDS[kind].infer(values, parameters)
        if value.size > LIMITS.elements:
            raise Invalid("size")
        self.pool.entries.append((value, Op(kind, operands, parameters)))
        return len(self.pool.entries) - 1

    def map(self, steps, operands, maps=None, result="f32"):
        """An elementwise operation; the first operand has all dimensions."""
        rank = len(self.shape(operands[0]))
        maps = [list(range(rank)), *(maps or [])]
        return self.add("Map", operands, {
            "maps": maps, "rank": rank, "compute": "f32", "result": result,
            "steps": steps})

    def apply(self, functions, x, result="f32"):
        """Applies functions of one argument, one after another."""
        return self.map([(f, [i]) for i, f in enumerate(functions)], [x],
                        result=result)

    def reduce(self, x, dims, combine, square=False):
        return self.add("Reduce", [x], {
            "dims": dims, "combine": combine, "form": "generic",
            "keep": False, "square": square})

    def product(self, x, w, turned=False):
        m, k = self.shape(x)
        n = self.shape(w)[0 if turned else 1]
        if m * k * n > MAX_WORK:
            raise Invalid("work")
        if self.pool.value(x).element != self.pool.value(w).element:
            x, w = self.narrowed(x, self.element), self.narrowed(w, self.element)
        return self.add("NamedProduct", [x, w], {
            "name": "matmul", "turned": [False, turned]})

    def narrowed(self, x, element):
        if self.pool.value(x).element == element:
            return x
        return self.map([], [x], result=element)

    def weights(self, x):
        return self.input(self.shape(x)[1], self.random.choice(COLUMNS))

    # --- Divisors -----------------------------------------------------------

    def functions_of_maximum(self):
        return self.random.choice(
            [["over 127.0"], ["over 127.0"], ["over 448.0"], ["over 448.0"], [],
             ["over 127.0", "plus 1e-06"]])

    def divisor(self, x, dims, kind=None):
        """A divisor of x over some of its dimensions."""
        shape = self.shape(x)
        kept = [d for d in range(len(shape)) if d not in dims]
        mean = f"over {float(math.prod(shape[d] for d in dims))!r}"
        kind = kind or self.random.choice(
            ["maximum", "maximum", "maximum", "sum", "absolute", "norm", "norm",
             "mean square", "deviation"])
        epsilon = self.random.choice(
            [[], [], [f"plus {self.random.choice(EPSILONS)!r}"]])
        if kind in ("maximum", "absolute"):
            absolute = self.apply(["abs"], x)
            if kind == "maximum":
                return Divisor(self.reduce(absolute, dims, "max"), kept,
                               self.functions_of_maximum())
            return Divisor(self.reduce(absolute, dims, "add"), kept,
                           self.random.choice([[], [mean]]) + epsilon)
        if kind == "sum":
            return Divisor(self.reduce(x, dims, "add"), kept, epsilon)
        functions = [mean] if kind != "norm" else []
        if kind == "deviation":
            x = self.centered(x, dims)
        root = self.random.choice(["root", "root", "inverse_root"])
        return Divisor(self.reduce(x, dims, "add", square=True), kept,
                       functions + epsilon + [root], root == "inverse_root")

    def centered(self, x, dims):
        """Subtracts the mean of x from x."""
        shape = self.shape(x)
        kept = [d for d in range(len(shape)) if d not in dims]
        count = float(math.prod(shape[d] for d in dims))
        return self.map([(f"over {count!r}", [1]), ("sub", [0, 2])],
                        [x, self.reduce(x, dims, "add")], [kept])

    def materialized(self, divisor):
        """The same divisor, whose functions are applied once or left to its uses."""
        if not divisor.functions or self.random.random() < 0.5:
            return divisor
        return dataclasses.replace(
            divisor, number=self.apply(divisor.functions, divisor.number),
            functions=[])

    def scaled(self, x, divisor, back=False, result="f32", kept=None):
        """Divides x by a divisor, or multiplies by it (`back`)."""
        steps = [(f, [1 if i == 0 else 1 + i])
                 for i, f in enumerate(divisor.functions)]
        multiply = back != divisor.is_inverse
        last = 1 + len(steps)
        if not multiply and self.random.random() < 0.15:
            steps.append(("inverse", [last]))
            last, multiply = last + 1, True
        steps.append(("mul" if multiply else "quotient", [0, last]))
        return self.map(steps, [x, divisor.number],
                        [divisor.kept if kept is None else kept], result)

    def grouped(self, x, recipe):
        """Applies a recipe to groups of a row, as a third dimension."""
        rows, columns = self.shape(x)
        sizes = [g for g in GROUPS if columns % g == 0 and g < columns]
        if not sizes:
            raise Invalid("groups")
        groups = columns // self.random.choice(sizes)
        expanded = self.add("Expand", [x], {"dim": 1, "factor": groups})
        return self.add("Collapse", [recipe(expanded, [2])], {"dim": 1})

    def count_operations(self):
        return sum(op is not None for _, op in self.pool.entries)

    def narrow_type(self):
        return self.random.choice(["f16", "f16", "bf16", "f8E4M3FN"])


# --- Recipes ----------------------------------------------------------------


def _divide(draft, x):
    """Divides x by a divisor of its rows, columns, groups, or all of it; what
    comes out may be rounded and multiplied by the divisor again."""
    random = draft.random

    def recipe(x, dims):
        divisor = draft.materialized(draft.divisor(x, dims))
        if random.random() < 0.3:
            rounded = draft.scaled(x, divisor, result=draft.narrow_type())
            return draft.scaled(rounded, divisor, back=True,
                                result=draft.element)
        return draft.scaled(x, divisor, result=random.choice(
            ["f32", draft.element]))

    if random.random() < 0.2:
        return draft.grouped(x, recipe)
    return recipe(x, random.choice([[1], [1], [1], [0], [0, 1]]))


def _quantized_product(draft, x):
    """A product of quantized matrices, scaled back."""
    random = draft.random
    w = draft.weights(x)
    narrow = random.choice(["f16", "f16", "f8E4M3FN", "f32"])
    of_x = draft.materialized(
        draft.divisor(x, random.choice([[1], [1], [0, 1]]), "maximum"))
    of_w = None
    operands = [draft.scaled(x, of_x, result=narrow), w]
    if random.random() < 0.5:
        of_w = draft.materialized(
            draft.divisor(w, random.choice([[0], [0, 1]]), "maximum"))
        operands[1] = draft.scaled(w, of_w, result=narrow)
    # Matrix instructions of the program's own type.
    operands = [draft.narrowed(i, "f16" if narrow == "f8E4M3FN" else narrow)
                for i in operands]
    y = draft.product(*operands)
    y = draft.scaled(y, of_x, back=True)
    if of_w:
        y = draft.scaled(y, of_w, back=True)
    if random.random() < 0.4:
        y = draft.map([("mul", [0, 1])],
                      [y, draft.input(draft.shape(y)[1])], [[1]])
    return draft.narrowed(y, draft.element)


def _smooth_quantization(draft, x):
    """Columns of x divided by what rows of the weights are multiplied by."""
    w = draft.weights(x)
    of_x = draft.reduce(draft.apply(["abs"], x), [0], "max")
    if draft.random.random() < 0.6:
        of_w = draft.reduce(draft.apply(["abs"], w), [1], "max")
        factor = draft.map([("quotient", [0, 1]), ("root", [2])],
                           [of_x, of_w], [[0]])
    else:
        factor = of_x
    smooth = draft.map([("quotient", [0, 1])], [x, factor], [[1]],
                       draft.element)
    return draft.product(smooth, draft.map(
        [("mul", [0, 1])], [w, factor], [[0]], draft.element))


def _cosine(draft, x):
    """Cosines of the angles between rows of x and of another matrix."""
    random = draft.random
    z = draft.input(random.choice(COLUMNS), draft.shape(x)[1])
    norms = [draft.divisor(i, [1], "norm") for i in (x, z)]
    if random.random() < 0.5:
        return draft.product(*(draft.scaled(i, norm, result=draft.element)
                               for i, norm in zip((x, z), norms)), turned=True)
    y = draft.product(x, z, turned=True)
    y = draft.scaled(y, draft.materialized(norms[0]), kept=[0])
    return draft.scaled(y, draft.materialized(norms[1]), kept=[1])


def _weight_normalization(draft, x):
    """A product with weights of which each column has a norm of its own."""
    w = draft.weights(x)
    columns = draft.shape(w)[1]
    direction = draft.scaled(w, draft.divisor(w, [0], "norm"))
    w = draft.map([("mul", [0, 1])], [direction, draft.input(columns)], [[1]],
                  draft.element)
    return draft.product(x, w)


def _batch_statistics(draft, x):
    """Columns without their means, by their deviations."""
    columns = draft.shape(x)[1]
    y = draft.centered(x, [0])
    y = draft.scaled(y, draft.divisor(y, [0], "mean square"))
    if draft.random.random() < 0.6:
        y = draft.map([("mul", [0, 1]), ("add", [3, 2])],
                      [y, draft.input(columns), draft.input(columns)],
                      [[1], [1]])
    return draft.narrowed(y, draft.element)


def _masked_mean(draft, x):
    """Means over the part of each row or column that a mask shows."""
    random = draft.random
    dim = random.choice([0, 1])
    mask = draft.input(draft.shape(x)[dim])
    hidden = draft.map([("mul", [0, 1])], [x, mask], [[dim]])
    count = draft.reduce(mask, [0], "add")
    total = draft.reduce(hidden, [dim], "add")
    mean = draft.map([("quotient", [0, 1])], [total, count], [[]])
    return draft.map([(random.choice(["sub", "sub", "quotient"]), [0, 1])],
                     [x, mean], [[1 - dim]], draft.element)


def _importance(draft, x):
    """Ratios of two weights, which sum to one in each row, and perhaps what
    they weigh."""
    random = draft.random
    ratio = draft.map([("quotient", [0, 1])],
                      [x, draft.input(*draft.shape(x))], [[0, 1]])
    total = Divisor(draft.reduce(ratio, [1], "add"), [0], [])
    if random.random() < 0.3:
        return draft.scaled(ratio, total, result=draft.element)
    y = draft.product(draft.narrowed(ratio, draft.element), draft.weights(x))
    return draft.scaled(y, total, result=draft.element)


def _saturate(draft, x):
    """x / (1 + |x|) and its like."""
    square = draft.random.random() < 0.3
    first = ["square", "plus 1.0", "root"] if square else ["abs", "plus 1.0"]
    steps = [(f, [i]) for i, f in enumerate(first)]
    return draft.map(steps + [("quotient", [0, len(steps)])], [x],
                     result=draft.element)


def _multiply(draft, x):
    return draft.narrowed(draft.product(x, draft.weights(x)), draft.element)


def _finish_elements(draft, x):
    """A bias, a factor or a residual, and a function."""
    random = draft.random
    function = random.choice([[], [], ["relu"], ["silu"], ["tanh"]])
    if random.random() < 0.5:
        operand, dims = draft.input(draft.shape(x)[1]), [1]
    else:
        operand, dims = draft.input(*draft.shape(x)), [0, 1]
    steps = [(random.choice(["add", "mul"]), [0, 1])]
    steps += [(f, [2]) for f in function]
    return draft.map(steps, [x, operand], [dims], draft.element)


# Divisors that are gone from the exact result come most often.
DIVISIONS = ([_quantized_product] * 6 + [_smooth_quantization] * 3 +
             [_importance] * 2 + [_divide] * 3 +
             [_cosine, _weight_normalization, _batch_statistics, _masked_mean,
              _saturate])
OTHERS = [_multiply, _multiply, _finish_elements]


def generate(seed, index, max_ops):
    """Program number `index` of a seed: the same on every machine."""
    random = random_module.Random(f"divisions {seed}:{index}")
    while True:
        draft = Drafting(random)
        x = draft.input(random.choice(ROWS), random.choice(COLUMNS))
        wanted = random.randint(1, max_ops)
        divides = False
        try:
            while draft.count_operations() < wanted or not divides:
                recipe = random.choice(random.choice(
                    [DIVISIONS, DIVISIONS, OTHERS]))
                divides |= recipe in DIVISIONS
                x = recipe(draft, x)
            program = finish(draft.pool, LIMITS)
            program.values(KINDS)
        except Invalid:
            continue
        return program

"""What the programs of this folder are written with: arguments in the type that a
program has in memory, products that take this type and sum in f32, and the
decorator that names a program."""

import dataclasses

from spellings.graph import (Program, argument, cast, concat, constant, make, reduce,
                             reshape, scale, swap, take, transpose)
from spellings.kernel_text import print_kernel
from spellings.linalg_text import print_linalg

KERNEL, LINALG = "mirage_kernel", "linalg"


@dataclasses.dataclass
class Deployed:
    """A program: its name, one sentence about it, and its text."""
    name: str
    about: str
    text: str


class Builder:
    """Collects arguments, of one type in memory unless they say otherwise."""

    def __init__(self, element):
        self.element, self.arguments = element, []

    def argument(self, *shape, element=None):
        self.arguments.append(argument(element or self.element, *shape))
        return self.arguments[-1]

    def wide(self, *shape):
        """An argument, read into f32."""
        return cast(self.argument(*shape), "f32")

    def vector(self, size, rank=2):
        """A vector along the last of `rank` dimensions, read into f32."""
        return cast(reshape(self.argument(size), (1,) * (rank - 1) + (size,)), "f32")

    def narrow(self, x):
        return cast(x, self.element)

    def product(self, x, y, **flags):
        """A product whose operands are rounded to the type in memory."""
        return make("matmul", self.narrow(x), self.narrow(y), **flags)

    def linear(self, x, size):
        """The product with a weight, which is an argument."""
        return self.product(x, self.argument(x.shape[-1], size))

    def scores(self, q, k, factor=None):
        factor = q.shape[-1] ** -0.5 if factor is None else factor
        return scale(self.product(q, k, transpose_rhs=True), factor)


def softmax(x):
    return make("softmax", x, dim=x.rank - 1)


def add(x, y):
    return make("add", x, y)


def sub(x, y):
    return make("sub", x, y)


def mul(x, y):
    return make("mul", x, y)


def div(x, y):
    return make("div", x, y)


def plus(x, value):
    """The sum with a number."""
    return add(x, constant(x.element, x.rank, value))


def square(x):
    return make("square", x)


def total(x, dim=-1, keep=True):
    return reduce("sum", x, dim % x.rank, keep)


def mean(x, dim=-1, keep=True):
    return reduce("mean", x, dim % x.rank, keep)


def largest(x, dim=-1):
    return reduce("max", x, dim % x.rank)


def rms_norm(x, epsilon=1e-6):
    return make("rms_norm", x, epsilon=epsilon)


def layer_norm(x, epsilon=1e-5):
    return make("layer_norm", x, epsilon=epsilon, operandSegmentSizes=(1, 0, 0))


def gelu(x, form="erf"):
    return make("gelu", x, form=form)


def unit(x):
    """Rows divided by their lengths."""
    return mul(x, make("rsqrt", plus(total(square(x)), 1e-12)))


def positions(size, dim, rank):
    """0, 1, 2, … along a dimension, in f32; the other dimensions have size one."""
    inside, outside = rank - 1 - dim, dim
    elements = [f"{'[' * inside}{float(i)}{']' * inside}" for i in range(size)]
    text = f"{'[' * outside}[{', '.join(elements)}]{']' * outside}"
    shape = tuple(size if i == dim else 1 for i in range(rank))
    return make("constant", element="f32", shape=shape, value=f"dense<{text}>")


PROGRAMS = {}


def deployed(element="f16", language=KERNEL):
    """Names a function that makes a program: it takes a Builder, and returns a value
    or several, which are rounded to the type in memory."""

    def decorate(function):
        def write():
            builder = Builder(element)
            made = function(builder)
            values = made if isinstance(made, tuple) else (made,)
            narrow = ("f8E4M3FN", "f8E5M2", "f16", "bf16")
            results = [value if value.element in narrow else builder.narrow(value)
                       for value in values]
            program = Program(function.__name__, builder.arguments, results)
            text = (print_linalg if language == LINALG else print_kernel)(program)
            about = " ".join(function.__doc__.split())
            return Deployed(function.__name__, about, text)

        PROGRAMS[function.__name__] = write
        return function

    return decorate

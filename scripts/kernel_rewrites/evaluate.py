"""Programs of graph.py, evaluated without Mirage: exactly, and as kernels do.

`Exact` computes with decimals of 40 digits, `Storage` rounds every value to its
element type and adds up in f32 or f64. A tensor is a list of its elements in
row-major order.
"""

import decimal
import itertools
import math
import struct

from spellings.graph import ordered

NAN = math.nan
_CODES = {"f16": "e", "f32": "f", "f64": "d"}
# Half a unit in the last place, and the smallest number with all digits.
UNIT = {"f16": 2.0 ** -11, "f32": 2.0 ** -24, "f64": 2.0 ** -53}
NORMAL = {"f16": 2.0 ** -14, "f32": 2.0 ** -126, "f64": 2.0 ** -1022}
LARGEST = {"f16": 65504.0, "f32": 3.4028234663852886e38,
           "f64": 1.7976931348623157e308}


def round_to(element, value):
    """The nearest number of a type; an infinity beyond the largest."""
    if element == "f64" or value != value or math.isinf(value):
        return value
    code = _CODES[element]
    try:
        return struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


class Exact:
    """Decimals of 40 digits, with an exponent range that nothing leaves."""

    def __init__(self):
        self.context = decimal.Context(
            prec=40, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN,
            traps=[])
        self.zero = decimal.Decimal(0)
        self.one = decimal.Decimal(1)

    def number(self, value, element):
        return decimal.Decimal(value)

    def finish(self, value, element):
        return value

    def add(self, a, b):
        return self.context.add(a, b)

    def sub(self, a, b):
        return self.context.subtract(a, b)

    def mul(self, a, b):
        return self.context.multiply(a, b)

    def div(self, a, b):
        return self.context.divide(a, b)

    def exp(self, a):
        if a.is_finite() and abs(a) > 10 ** 7:
            return self.zero if a < 0 else decimal.Decimal("inf")
        return self.context.exp(a)

    def log(self, a):
        return self.context.ln(a)

    def sqrt(self, a):
        return self.context.sqrt(a)

    accumulate = add


class Storage:
    """Doubles, each rounded to its element type."""
    zero, one = 0.0, 1.0

    def number(self, value, element):
        return round_to(element, value)

    def finish(self, value, element):
        return round_to(element, value)

    def add(self, a, b):
        return a + b

    def sub(self, a, b):
        return a - b

    def mul(self, a, b):
        return a * b

    def div(self, a, b):
        if b:
            return a / b
        return NAN if not a or a != a else math.copysign(
            math.inf, math.copysign(1, a) * math.copysign(1, b))

    def exp(self, a):
        try:
            return math.exp(a)
        except OverflowError:
            return math.inf

    def log(self, a):
        if a > 0:
            return math.log(a)
        return -math.inf if a == 0 else NAN

    def sqrt(self, a):
        return math.sqrt(a) if a >= 0 else NAN

    def accumulate(self, a, b):
        # f16 products are summed in f32.
        return round_to("f32", a + b)


class Storage64(Storage):
    def accumulate(self, a, b):
        return a + b


def _strides(shape):
    strides = [1] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        strides[i] = strides[i + 1] * shape[i + 1]
    return strides


def _positions(shape, to):
    """The element of a tensor of `shape` that each element of `to` reads."""
    strides = [0 if size == 1 else stride
               for size, stride in zip(shape, _strides(shape))]
    return [sum(i * s for i, s in zip(at, strides))
            for at in itertools.product(*map(range, to))]


def _maximum(values):
    greatest = None
    for value in values:
        if value != value:
            return value
        if greatest is None or value > greatest:
            greatest = value
    return greatest


class Evaluator:
    """One run of a program. `isFinite` says whether no operator made what is not
    finite of what is."""

    def __init__(self, system):
        self.system = system
        self.is_finite = True

    def run(self, program, inputs):
        values = {id(node): [self.system.number(v, node.element) for v in tensor]
                  for node, tensor in zip(program.arguments, inputs)}
        for node in ordered(program.results):
            if id(node) not in values:
                operands = [values[id(operand)] for operand in node.operands]
                found = [self.system.finish(v, node.element)
                         for v in getattr(self, "_" + node.op)(node, operands)]
                values[id(node)] = found
                self.is_finite = self.is_finite and all(map(math.isfinite, found))
        return [values[id(node)] for node in program.results]

    def _each(self, node, operands, function):
        read = [operand if of.shape == node.shape
                else [operand[i] for i in _positions(of.shape, node.shape)]
                for operand, of in zip(operands, node.operands)]
        return list(map(function, *read))

    def _add(self, node, operands):
        return self._each(node, operands, self.system.add)

    def _sub(self, node, operands):
        return self._each(node, operands, self.system.sub)

    def _mul(self, node, operands):
        return self._each(node, operands, self.system.mul)

    def _div(self, node, operands):
        return self._each(node, operands, self.system.div)

    def _max(self, node, operands):
        return self._each(node, operands, lambda a, b: _maximum((a, b)))

    def _min(self, node, operands):
        return self._each(node, operands, lambda a, b: -_maximum((-a, -b)))

    def _exp(self, node, operands):
        return list(map(self.system.exp, operands[0]))

    def _log(self, node, operands):
        return list(map(self.system.log, operands[0]))

    def _sqrt(self, node, operands):
        return list(map(self.system.sqrt, operands[0]))

    def _rsqrt(self, node, operands):
        return [self.system.div(self.system.one, self.system.sqrt(x))
                for x in operands[0]]

    def _square(self, node, operands):
        return [self.system.mul(x, x) for x in operands[0]]

    def _sigmoid(self, node, operands):
        s = self.system
        return [s.div(s.one, s.add(s.one, s.exp(-x))) for x in operands[0]]

    def _tanh(self, node, operands):
        s = self.system
        if isinstance(s, Storage):
            return list(map(math.tanh, operands[0]))

        def tanh(x):
            if abs(x) > 200:
                return s.one.copy_sign(x)
            power = s.exp(s.mul(x, s.one + s.one))
            return s.div(s.sub(power, s.one), s.add(power, s.one))
        return list(map(tanh, operands[0]))

    def _relu(self, node, operands):
        return [_maximum((x, self.system.zero)) for x in operands[0]]

    def _abs(self, node, operands):
        return list(map(abs, operands[0]))

    def _cast(self, node, operands):
        return operands[0]

    def _scale(self, node, operands):
        factor = self.system.number(node.attributes["factor"], "f64")
        return [self.system.mul(x, factor) for x in operands[0]]

    def _constant(self, node, operands):
        value = self.system.number(
            round_to(node.element, node.attributes["value"]), node.element)
        return [value] * math.prod(node.shape)

    def _reshape(self, node, operands):
        return operands[0]

    def _sum(self, terms):
        total = self.system.zero
        for term in terms:
            total = self.system.accumulate(total, term)
        return total

    def _reduce(self, node, operands):
        shape, dim = node.operands[0].shape, node.attributes["dim"]
        inner, size = math.prod(shape[dim + 1:]), shape[dim]
        lines = [[operands[0][(outer * size + k) * inner + i] for k in range(size)]
                 for outer in range(math.prod(shape[:dim])) for i in range(inner)]
        if node.attributes["kind"] == "max":
            return list(map(_maximum, lines))
        sums = list(map(self._sum, lines))
        if node.attributes["kind"] == "mean":
            count = self.system.number(size, "f64")
            return [self.system.div(x, count) for x in sums]
        return sums

    def _matmul(self, node, operands):
        (m, k), n = node.operands[0].shape, node.shape[1]
        a, b = operands
        by_row = node.attributes.get("transpose_rhs")
        return [self._sum(self.system.mul(
            a[i * k + c], b[j * k + c] if by_row else b[c * n + j])
            for c in range(k)) for i in range(m) for j in range(n)]

    def _softmax(self, node, operands):
        shape, s = node.shape, self.system
        assert node.attributes["dim"] == len(shape) - 1
        size, found = shape[-1], []
        for first in range(0, len(operands[0]), size):
            row = operands[0][first:first + size]
            greatest = _maximum(row)
            powers = [s.finish(s.exp(s.finish(s.sub(x, greatest), "f32")), "f32")
                      for x in row]
            total = self._sum(powers)
            found += [s.div(p, total) for p in powers]
        return found


def run_exactly(program, inputs):
    return Evaluator(Exact()).run(program, inputs)


def run_in_storage(program, inputs):
    """The results, and whether everything inside was finite."""
    evaluator = Evaluator(Storage64() if any(
        node.element == "f64" for node in ordered(program.results)) else Storage())
    return evaluator.run(program, inputs), evaluator.is_finite

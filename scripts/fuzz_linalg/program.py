"""Programs as lists of operations, and their text.

An operation names its operands by number and holds parameters that mean the
same for other sizes of its operands, so that a program can be shrunk: types
follow from the inputs' types again.

Beside its type every value has a bound of its magnitude for inputs in [-1, 1].
By it operations keep off overflow, and off divisors and arguments of roots and
logarithms that come near to zero, where no error bound is finite.
"""

import dataclasses
import math


class Invalid(Exception):
    """The operation does not go with operands of these types."""


@dataclasses.dataclass(frozen=True)
class Value:
    shape: tuple
    element: str
    # No element is larger than this, for inputs in [-1, 1].
    magnitude: float = 1.0

    @property
    def type(self):
        return f"tensor<{''.join(f'{d}x' for d in self.shape)}{self.element}>"

    @property
    def size(self):
        return math.prod(self.shape)


MAX_ELEMENTS = 4096
MAX_MAGNITUDE = {"f16": 500.0, "bf16": 500.0, "f32": 1e4}


@dataclasses.dataclass(frozen=True)
class Limits:
    """How large the values of a program may be. Where magnitudes are not
    bounded, nothing is known of them."""
    elements: int = MAX_ELEMENTS
    bounds_magnitudes: bool = True


@dataclasses.dataclass
class Op:
    kind: str
    operands: list
    parameters: dict


@dataclasses.dataclass
class Program:
    """Values are numbered: first the inputs, then one for each operation."""
    inputs: list
    ops: list
    results: list
    limits: Limits = Limits()

    def values(self, kinds):
        """The types of all values; Invalid if they don't fit together."""
        values = list(self.inputs)
        varies = [True] * len(values)
        for op in self.ops:
            varies.append(any(varies[i] for i in op.operands))
            # What is folded to a constant has no error bound, but the original
            # rounds when it computes it.
            if op.operands and not varies[-1] and not kinds[op.kind].moves:
                raise Invalid("constant")
            value = kinds[op.kind].infer([values[i] for i in op.operands],
                                         op.parameters)
            if value.size > self.limits.elements or 0 in value.shape:
                raise Invalid("size")
            if (self.limits.bounds_magnitudes and
                    not value.magnitude <= MAX_MAGNITUDE[value.element]):
                raise Invalid("magnitude")
            values.append(value)
        return values

    def pruned(self):
        """Without operations and inputs that no result needs."""
        needed = set(self.results)
        for number in reversed(range(len(self.ops))):
            if len(self.inputs) + number in needed:
                needed.update(self.ops[number].operands)
        kept = sorted(needed)
        renamed = {old: new for new, old in enumerate(kept)}
        count = len(self.inputs)
        return dataclasses.replace(
            self, inputs=[self.inputs[i] for i in kept if i < count],
            ops=[Op(self.ops[i - count].kind,
                    [renamed[j] for j in self.ops[i - count].operands],
                    self.ops[i - count].parameters)
                 for i in kept if i >= count],
            results=[renamed[i] for i in self.results])

    def cost(self, kinds):
        """What shrinking makes smaller: operations, then elements."""
        values = self.values(kinds)
        return (len(self.ops), sum(v.size for v in values), len(self.results))


class Writer:
    """Lines of one function."""

    def __init__(self):
        self.lines = []
        self.count = 0

    def name(self):
        self.count += 1
        return f"%t{self.count}"

    def let(self, text):
        name = self.name()
        self.lines.append(f"{name} = {text}")
        return name

    def empty(self, value):
        return self.let(f"tensor.empty() : {value.type}")

    def scalar(self, number, element):
        text = {math.inf: {"f16": "0x7C00", "bf16": "0x7F80", "f32": "0x7F800000"},
                -math.inf: {"f16": "0xFC00", "bf16": "0xFF80",
                            "f32": "0xFF800000"}}.get(number)
        text = text[element] if text else f"{number:e}"
        return self.let(f"arith.constant {text} : {element}")

    def fill(self, number, value):
        scalar = self.scalar(number, value.element)
        empty = self.empty(value)
        return self.let(f"linalg.fill ins({scalar} : {value.element}) "
                        f"outs({empty} : {value.type}) -> {value.type}")


def print_function(program, kinds, name):
    values = program.values(kinds)
    writer = Writer()
    names = [f"%in{i}" for i in range(len(program.inputs))]
    for number, op in enumerate(program.ops):
        names.append(kinds[op.kind].emit(
            writer, [names[i] for i in op.operands],
            [values[i] for i in op.operands],
            values[len(program.inputs) + number], op.parameters))
    arguments = ", ".join(f"%in{i}: {v.type}"
                          for i, v in enumerate(program.inputs))
    types = ", ".join(values[i].type for i in program.results)
    lines = "".join(f"  {line}\n" for line in writer.lines)
    return (f"func.func @{name}({arguments}) -> ({types}) {{\n{lines}"
            f"  return {', '.join(names[i] for i in program.results)} : {types}"
            "\n}\n")

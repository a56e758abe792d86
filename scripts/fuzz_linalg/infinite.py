"""Results with elements that are infinite, or that overflow.

Most of a result's elements stay what they are; the others get -inf added, as by
a mask, or twice a number near the largest of the type: infinite in the type, and
finite in float64.
"""

from .kinds import affine_map, generic
from .program import Op, Program, Value

INFINITY = {"f16": "0xFC00", "f32": "0xFF800000"}
LARGE = {"f16": "6.0e+04", "f32": "3.0e+38"}


class NotFinite:
    """One of three elements or so; `overflows` says how."""

    # Results may be constants.
    moves = True

    @staticmethod
    def infer(values, parameters):
        return Value(values[0].shape, values[0].element, values[0].magnitude)

    @staticmethod
    def emit(writer, names, values, result, p):
        number = (LARGE if p["overflows"] else INFINITY)[result.element]

        def nested(shape, start):
            if not shape:
                return number if start * 7 % 3 == p["which"] else "0.0"
            size = 1
            for extent in shape[1:]:
                size *= extent
            parts = [nested(shape[1:], start + i * size) for i in range(shape[0])]
            return f"[{', '.join(parts)}]"

        constant = writer.let(
            f"arith.constant dense<{nested(result.shape, 0)}> : {result.type}")

        def body(scalars):
            lines = [f"%n0 = arith.addf {scalars[0]}, {scalars[1]} : {result.element}"]
            if p["overflows"]:
                lines.append(f"%n1 = arith.addf %n0, {scalars[1]} : {result.element}")
            return lines, f"%n{len(lines) - 1}"

        rank = len(result.shape)
        return generic(writer, [affine_map(rank, range(rank))] * 3,
                       ["parallel"] * rank, [names[0], constant],
                       [values[0], result], writer.empty(result), result, body)


INFINITE = {"NotFinite": NotFinite}


def add_infinities(random, program, kinds):
    """The program with some results in which elements are not finite."""
    values = program.values(kinds)
    ops, results = list(program.ops), []
    for number in program.results:
        value = values[number]
        if value.element in INFINITY and value.size > 2 and random.random() < 0.7:
            ops.append(Op("NotFinite", [number],
                          {"overflows": random.random() < 0.5,
                           "which": random.randrange(3)}))
            number = len(program.inputs) + len(ops) - 1
        results.append(number)
    return Program(program.inputs, ops, results)

"""Bodies of linalg.generic: short random computations on scalars.

A body is a list of steps (function, arguments), an argument being the number
of a scalar: first those of the operands, then one for each step.
"""

from .program import Invalid

EXP_LIMIT = 6.0

# Name: number of arguments, bound of the result from those of the arguments,
# and lines of the body. {r} is the result, {x} and {y} are arguments, {t} is
# the element type, {a}, {b}, ... name what lies between.
_FUNCTIONS = {
    "add": (2, lambda x, y: x + y, "{r} = arith.addf {x}, {y} : {t}"),
    "sub": (2, lambda x, y: x + y, "{r} = arith.subf {x}, {y} : {t}"),
    "mul": (2, lambda x, y: x * y, "{r} = arith.mulf {x}, {y} : {t}"),
    "max": (2, max, "{r} = arith.maximumf {x}, {y} : {t}"),
    "min": (2, max, "{r} = arith.minimumf {x}, {y} : {t}"),
    # x / (y^2 + 1)
    "div": (2, lambda x, y: x,
            "{a} = arith.constant 1.0 : {t}\n{b} = arith.mulf {y}, {y} : {t}\n"
            "{c} = arith.addf {b}, {a} : {t}\n{r} = arith.divf {x}, {c} : {t}"),
    "exp": (1, lambda x: 2.72 ** x if x <= EXP_LIMIT else None,
            "{r} = math.exp {x} : {t}"),
    "tanh": (1, lambda x: 1.0, "{r} = math.tanh {x} : {t}"),
    "erf": (1, lambda x: 1.0, "{r} = math.erf {x} : {t}"),
    "neg": (1, lambda x: x, "{r} = arith.negf {x} : {t}"),
    "abs": (1, lambda x: x, "{r} = math.absf {x} : {t}"),
    "half": (1, lambda x: x / 2,
             "{a} = arith.constant 0.5 : {t}\n{r} = arith.mulf {x}, {a} : {t}"),
    "shift": (1, lambda x: x + 1.5,
              "{a} = arith.constant 1.5 : {t}\n{r} = arith.addf {x}, {a} : {t}"),
    "relu": (1, lambda x: x, "{a} = arith.constant 0.0 : {t}\n"
                             "{r} = arith.maximumf {x}, {a} : {t}"),
    "square": (1, lambda x: x * x, "{r} = arith.mulf {x}, {x} : {t}"),
    # Roots and logarithms of x^2 + 0.5.
    **{name: (1, bound,
              "{a} = arith.constant 0.5 : {t}\n{b} = arith.mulf {x}, {x} : {t}\n"
              "{c} = arith.addf {b}, {a} : {t}\n{r} = math." + name +
              " {c} : {t}")
       for name, bound in (("sqrt", lambda x: x + 1), ("rsqrt", lambda x: 1.5),
                           ("log", lambda x: 1 + x))},
    "sigmoid": (1, lambda x: 1.0 if x <= EXP_LIMIT else None,
                "{a} = arith.constant 1.0 : {t}\n{b} = arith.negf {x} : {t}\n"
                "{c} = math.exp {b} : {t}\n{d} = arith.addf {c}, {a} : {t}\n"
                "{r} = arith.divf {a}, {d} : {t}"),
    "silu": (1, lambda x: x if x <= EXP_LIMIT else None,
             "{a} = arith.constant 1.0 : {t}\n{b} = arith.negf {x} : {t}\n"
             "{c} = math.exp {b} : {t}\n{d} = arith.addf {c}, {a} : {t}\n"
             "{r} = arith.divf {x}, {d} : {t}"),
    "gelu": (1, lambda x: x,
             "{a} = arith.constant 0.70710677 : {t}\n"
             "{b} = arith.mulf {x}, {a} : {t}\n{c} = math.erf {b} : {t}\n"
             "{d} = arith.constant 1.0 : {t}\n{e} = arith.addf {c}, {d} : {t}\n"
             "{f} = arith.constant 0.5 : {t}\n{g} = arith.mulf {x}, {f} : {t}\n"
             "{r} = arith.mulf {g}, {e} : {t}"),
}
# x < y, as every predicate: ordered or not, and more than one of them.
_PREDICATES = ["olt", "ole", "ogt", "oge", "oeq", "one",
               "ult", "ule", "ugt", "uge", "ueq", "une"]
_COMPARE = "{a} = arith.cmpf %s, {x}, {y} : {t}\n"
# Continuous functions.
PLAIN = list(_FUNCTIONS)
_FUNCTIONS |= {
    # The greater or the lesser of the two, written with a comparison.
    **{f"pick_{p}": (2, max, _COMPARE % p + "{r} = arith.select {a}, {x}, {y} : {t}")
       for p in ("olt", "uge", "ogt")},
    **{f"choose_{p}": (2, lambda x, y: x + y, _COMPARE % p +
                       "{b} = arith.subf {x}, {y} : {t}\n"
                       "{r} = arith.select {a}, {b}, {x} : {t}")
       for p in _PREDICATES},
    # Between two bounds; the comparison's result is a number, too.
    "between": (1, lambda x: x + 1,
                "{a} = arith.constant 0.5 : {t}\n"
                "{b} = arith.constant -0.25 : {t}\n"
                "{c} = arith.cmpf olt, {x}, {a} : {t}\n"
                "{d} = arith.cmpf oge, {x}, {b} : {t}\n"
                "{e} = arith.andi {c}, {d} : i1\n"
                "{f} = arith.select {e}, {x}, {b} : {t}\n"
                "{g} = arith.uitofp {d} : i1 to {t}\n"
                "{r} = arith.addf {f}, {g} : {t}"),
    "leaky": (1, lambda x: x,
              "{a} = arith.constant 0.0 : {t}\n"
              "{b} = arith.constant 0.125 : {t}\n"
              "{c} = arith.mulf {x}, {b} : {t}\n"
              "{d} = arith.cmpf ogt, {x}, {a} : {t}\n"
              "{r} = arith.select {d}, {x}, {c} : {t}"),
}
# Comparisons are many: together they are drawn about as often as the others.
BINARY = [name for name, f in _FUNCTIONS.items() if f[0] == 2
          for _ in range(3 if name in PLAIN else 1)]
UNARY = [name for name, f in _FUNCTIONS.items() if f[0] == 1]
# Functions that have no bound, of programs whose limits need none. A number may
# follow on a name: "over 127.0" divides by it.
_FUNCTIONS |= {
    "quotient": (2, lambda x, y: None, "{r} = arith.divf {x}, {y} : {t}"),
    "inverse": (1, lambda x: None, "{a} = arith.constant 1.0 : {t}\n"
                                   "{r} = arith.divf {a}, {x} : {t}"),
    "root": (1, lambda x: None, "{r} = math.sqrt {x} : {t}"),
    "inverse_root": (1, lambda x: None, "{r} = math.rsqrt {x} : {t}"),
    "over": (1, lambda x: None, "{a} = arith.constant {number} : {t}\n"
                                "{r} = arith.divf {x}, {a} : {t}"),
    "plus": (1, lambda x: None, "{a} = arith.constant {number} : {t}\n"
                                "{r} = arith.addf {x}, {a} : {t}"),
}


def random_steps(random, operands):
    """Steps that use each of the operands, and perhaps more."""
    steps, last = [], 0
    for number in range(1, operands):
        if random.random() < 0.3:
            steps.append((random.choice(UNARY), [last]))
            last = operands + len(steps) - 1
        steps.append((random.choice(BINARY), [last, number]))
        last = operands + len(steps) - 1
    for _ in range(random.choice([0, 0, 1, 2]) + (operands == 1)):
        if steps and random.random() < 0.2:
            other = random.randrange(operands + len(steps))
            steps.append((random.choice(BINARY), [last, other]))
        else:
            steps.append((random.choice(UNARY), [last]))
        last = operands + len(steps) - 1
    return steps


def bound_steps(steps, magnitudes, element):
    """Bound of the last scalar. Squares of what lies between are finite."""
    magnitudes, limit = list(magnitudes), {"f16": 200.0, "bf16": 200.0,
                                           "f32": 1e6}[element]
    for function, arguments in steps:
        bound = _FUNCTIONS[function][1](*[magnitudes[i] for i in arguments])
        if bound is None or max(bound, *magnitudes) > limit:
            raise Invalid("magnitude")
        magnitudes.append(bound)
    return magnitudes[-1]


def print_steps(steps, scalars, element):
    """Lines, and the name of the last scalar."""
    scalars, lines = list(scalars), []
    for number, (function, arguments) in enumerate(steps):
        names = {letter: f"%s{number}{letter}" for letter in "abcdefg"}
        names.update(zip("xy", (scalars[i] for i in arguments)))
        name, _, constant = function.partition(" ")
        names.update(r=f"%s{number}", t=element,
                     number=constant and f"{float(constant):e}")
        lines += _FUNCTIONS[name][2].format(**names).split("\n")
        scalars.append(names["r"])
    return lines, scalars[-1]


def cast(source, scalar, target, name):
    """A line that makes `scalar` a `target`, and its name."""
    if source == target:
        return [], scalar
    operation = "truncf" if source == "f32" else "extf"
    return [f"{name} = arith.{operation} {scalar} : {source} to {target}"], name

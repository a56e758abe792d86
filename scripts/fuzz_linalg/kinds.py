"""The kinds of operations that programs are made of.

Each has `make(random, pool)`, which returns operands and parameters or raises
Invalid; `infer(operand values, parameters)`, the result's value; and
`emit(writer, names, operand values, result value, parameters)`, which writes
the operation and returns the result's name. `pool` gives operands: existing
values, or new inputs.
"""

from . import bodies
from .program import Invalid, Value

KINDS = {}


def kind(weight, moves=False):
    """`moves` says that the operation moves elements and computes nothing."""
    def register(cls):
        cls.weight = weight
        cls.moves = moves
        KINDS[cls.__name__] = cls
        return cls
    return register


def affine_map(rank, results):
    """Text of a map; a result is a dimension, or None for the constant 0."""
    dims = ", ".join(f"d{i}" for i in range(rank))
    exprs = ", ".join("0" if d is None else f"d{d}" for d in results)
    return f"affine_map<({dims}) -> ({exprs})>"


def generic(writer, maps, iterators, names, values, target, result, body):
    """linalg.generic; body(scalars) returns lines and the scalar yielded."""
    scalars = [f"%e{i}" for i in range(len(names))] + ["%acc"]
    elements = [v.element for v in values] + [result.element]
    arguments = ", ".join(f"{s}: {e}" for s, e in zip(scalars, elements))
    lines, last = body(scalars)
    kinds = ", ".join(f'"{i}"' for i in iterators)
    r = writer.name()
    inputs = ""
    if names:
        inputs = (f" ins({', '.join(names)} : "
                  f"{', '.join(v.type for v in values)})")
    writer.lines += [
        f"{r} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
        f"iterator_types = [{kinds}]}}{inputs} outs({target} : {result.type}) {{",
        f"^bb0({arguments}):", *("  " + line for line in lines),
        f"  linalg.yield {last} : {result.element}", f"}} -> {result.type}"]
    return r


def sizes_of(maps, values, rank):
    """Extents of the iteration space from the operands' sizes."""
    sizes = [None] * rank
    for results, value in zip(maps, values):
        if len(results) != len(value.shape):
            raise Invalid("rank")
        for dim, size in zip(results, value.shape):
            if dim is None:
                if size != 1:
                    raise Invalid("broadcast")
            elif sizes[dim] not in (None, size):
                raise Invalid("sizes")
            else:
                sizes[dim] = size
    if None in sizes:
        raise Invalid("unknown size")
    return sizes


def widen(values):
    """Contractions and sums of f16 are accumulated in f32."""
    if any(v.element != values[0].element for v in values):
        raise Invalid("element types")


@kind(10)
class Elementwise:
    """linalg.generic with a fused body, broadcasts and transposed operands."""

    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        rank = len(pool.value(x).shape)
        order = list(range(rank))
        if rank > 1 and random.random() < 0.25:
            random.shuffle(order)
        operands, maps = [x], [order]
        sizes = [0] * rank
        for dim, size in zip(order, pool.value(x).shape):
            sizes[dim] = size
        for _ in range(random.choice([0, 1, 1, 1, 2])):
            y, results = pool.broadcast(random, sizes, pool.value(x).element)
            operands.append(y)
            maps.append(results)
        element = pool.value(x).element
        compute = random.choice([element, "f32"])
        if element == "bf16":
            compute = "f32"
        result = element if compute == "f16" else random.choice(
            [element, element, "f32"])
        return operands, {"maps": maps, "rank": rank, "compute": compute,
                          "result": result,
                          "steps": bodies.random_steps(random, len(operands))}

    @staticmethod
    def infer(values, p):
        sizes = sizes_of(p["maps"], values, p["rank"])
        if p["compute"] == "f16" and any(v.element != "f16" for v in values):
            raise Invalid("element types")
        if p["compute"] == "f16" and p["result"] != "f16":
            raise Invalid("element types")
        if p["compute"] == "bf16":
            raise Invalid("arithmetic in bf16")
        return Value(tuple(sizes), p["result"], bodies.bound_steps(
            p["steps"], [v.magnitude for v in values], p["compute"]))

    @staticmethod
    def emit(writer, names, values, result, p):
        def body(scalars):
            lines, casted = [], []
            for i, value in enumerate(values):
                more, name = bodies.cast(value.element, scalars[i],
                                         p["compute"], f"%x{i}")
                lines += more
                casted.append(name)
            more, last = bodies.print_steps(p["steps"], casted, p["compute"])
            lines += more
            more, last = bodies.cast(p["compute"], last, result.element, "%y")
            return lines + more, last

        maps = [affine_map(p["rank"], m) for m in p["maps"]]
        maps.append(affine_map(p["rank"], range(p["rank"])))
        return generic(writer, maps, ["parallel"] * p["rank"], names, values,
                       writer.empty(result), result, body)


@kind(3)
class Cast:
    """linalg.generic that only changes the element type."""

    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        narrow = random.choice(["f16", "f16", "bf16"])
        return [x], {"to": narrow if pool.value(x).element == "f32" else "f32"}

    @staticmethod
    def infer(values, p):
        if (values[0].element == "f32") == (p["to"] == "f32"):
            raise Invalid("element type")
        return Value(values[0].shape, p["to"], values[0].magnitude * 1.01)

    @staticmethod
    def emit(writer, names, values, result, p):
        rank = len(result.shape)
        identity = affine_map(rank, range(rank))
        return generic(writer, [identity] * 2, ["parallel"] * rank, names,
                       values, writer.empty(result), result,
                       lambda s: bodies.cast(values[0].element, s[0],
                                             p["to"], "%y"))


_NAMED_UNARY = {"exp": "exp", "tanh": "tanh", "abs": "abs", "negf": "neg",
                "square": "square", "erf": "erf"}
_NAMED_BINARY = {"add": "add", "sub": "sub", "mul": "mul", "max": "max",
                 "min": "min"}


@kind(4)
class NamedElementwise:
    """linalg.add, linalg.exp and their like."""

    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        if random.random() < 0.5:
            return [x], {"name": random.choice(list(_NAMED_UNARY))}
        return [x, pool.like(random, pool.value(x))], {
            "name": random.choice(list(_NAMED_BINARY))}

    @staticmethod
    def infer(values, p):
        widen(values)
        if any(v.shape != values[0].shape for v in values):
            raise Invalid("shapes")
        if values[0].element == "bf16":
            raise Invalid("arithmetic in bf16")
        function = _NAMED_UNARY.get(p["name"]) or _NAMED_BINARY[p["name"]]
        return Value(values[0].shape, values[0].element, bodies.bound_steps(
            [(function, list(range(len(values))))],
            [v.magnitude for v in values], values[0].element))

    @staticmethod
    def emit(writer, names, values, result, p):
        return writer.let(
            f"linalg.{p['name']} ins({', '.join(names)} : "
            f"{', '.join(v.type for v in values)}) "
            f"outs({writer.empty(result)} : {result.type}) -> {result.type}")


@kind(4)
class Reduce:
    """linalg.reduce, or linalg.generic that may square and keep dimensions."""

    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        rank = len(pool.value(x).shape)
        if not rank:
            raise Invalid("rank")
        dims = sorted(random.sample(range(rank), random.choice(
            [1, 1, 1, min(2, rank)])))
        form = random.choice(["reduce", "generic", "generic"])
        combine = random.choice(["add", "add", "max"])
        return [x], {"dims": dims, "form": form, "combine": combine,
                     "keep": form == "generic" and random.random() < 0.5,
                     "square": form == "generic" and combine == "add"
                     and random.random() < 0.4}

    @staticmethod
    def infer(values, p):
        x, dims = values[0], p["dims"]
        if dims[-1] >= len(x.shape):
            raise Invalid("rank")
        shape = [1 if i in dims else size for i, size in enumerate(x.shape)]
        if not p["keep"]:
            shape = [size for i, size in enumerate(x.shape) if i not in dims]
        magnitude = x.magnitude * (x.magnitude if p["square"] else 1)
        if p["combine"] == "add":
            for dim in dims:
                magnitude *= x.shape[dim]
        return Value(tuple(shape), x.element if p["combine"] == "max" else "f32",
                     magnitude)

    @staticmethod
    def emit(writer, names, values, result, p):
        x, rank = values[0], len(values[0].shape)
        target = writer.fill(
            0.0 if p["combine"] == "add" else float("-inf"), result)
        operation = "addf" if p["combine"] == "add" else "maximumf"

        def body(scalars):
            lines, last = bodies.cast(x.element, scalars[0], result.element,
                                      "%x")
            if p["square"]:
                lines += [f"%q = arith.mulf {last}, {last} : {result.element}"]
                last = "%q"
            return lines + [f"%y = arith.{operation} {last}, {scalars[-1]} : "
                            f"{result.element}"], "%y"

        if p["form"] == "reduce":
            lines, last = body(["%e", "%acc"])
            r = writer.name()
            writer.lines += [
                f"{r} = linalg.reduce ins({names[0]} : {x.type}) outs({target} "
                f": {result.type}) dimensions = {p['dims']}",
                f"  (%e: {x.element}, %acc: {result.element}) {{",
                *("    " + line for line in lines),
                f"    linalg.yield {last} : {result.element}", "  }"]
            return r
        kept = [None if d in p["dims"] else d for d in range(rank)
                if p["keep"] or d not in p["dims"]]
        iterators = ["reduction" if d in p["dims"] else "parallel"
                     for d in range(rank)]
        return generic(writer, [affine_map(rank, range(rank)),
                                affine_map(rank, kept)],
                       iterators, names, values, target, result, body)


@kind(2)
class Softmax:
    """linalg.softmax, in f32: in f16 its decomposition rounds on the way.

    Narrower elements are widened before and narrowed after it.
    """

    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        if not pool.value(x).shape:
            raise Invalid("rank")
        return [x], {"dim": random.randrange(len(pool.value(x).shape))}

    @staticmethod
    def infer(values, p):
        if p["dim"] >= len(values[0].shape):
            raise Invalid("operand")
        return Value(values[0].shape, values[0].element, 1.01)

    @staticmethod
    def emit(writer, names, values, result, p):
        wide = Value(result.shape, "f32")
        is_wide = result.element == "f32"
        x = names[0] if is_wide else Cast.emit(writer, names, values, wide,
                                               {"to": "f32"})
        y = writer.let(
            f"linalg.softmax dimension({p['dim']}) ins({x} : "
            f"{wide.type}) outs({writer.empty(wide)} : {wide.type}) "
            f"-> {wide.type}")
        return y if is_wide else Cast.emit(writer, [y], [wide], result,
                                           {"to": result.element})


@kind(1)
class Constant:
    """A splat or dense constant."""

    @staticmethod
    def make(random, pool):
        like = pool.value(pool.existing(random))
        if like.size > 64:
            raise Invalid("size")
        values = [random.choice([0.5, -1.0, 0.25, 2.0, -0.75])
                  for _ in range(random.choice([1, like.size]))]
        return [], {"shape": like.shape, "element": like.element,
                    "values": values}

    @staticmethod
    def infer(values, p):
        return Value(tuple(p["shape"]), p["element"], 2.0)

    @staticmethod
    def emit(writer, names, values, result, p):
        numbers = [f"{v:e}" for v in p["values"]]
        if len(numbers) == 1:
            return writer.let(
                f"arith.constant dense<{numbers[0]}> : {result.type}")

        def nested(shape, start):
            if not shape:
                return numbers[start]
            step = len(numbers[start:start + Value(shape, "f32").size]) // shape[0]
            return "[" + ", ".join(nested(shape[1:], start + i * step)
                                   for i in range(shape[0])) + "]"

        return writer.let(
            f"arith.constant dense<{nested(result.shape, 0)}> : {result.type}")

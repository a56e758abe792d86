"""Kinds of operations that move elements and compute nothing."""

from .kinds import kind
from .program import Invalid, Value


def _brackets(numbers):
    return "[" + ", ".join(map(str, numbers)) + "]"


@kind(3, moves=True)
class Transpose:
    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        order = list(range(len(pool.value(x).shape)))
        random.shuffle(order)
        return [x], {"permutation": order}

    @staticmethod
    def infer(values, p):
        x = values[0]
        if len(p["permutation"]) != len(x.shape) or not x.shape:
            raise Invalid("rank")
        return Value(tuple(x.shape[d] for d in p["permutation"]), x.element,
                     x.magnitude)

    @staticmethod
    def emit(writer, names, values, result, p):
        target = writer.empty(result)
        r = writer.name()
        writer.lines.append(
            f"{r} = linalg.transpose ins({names[0]} : {values[0].type}) "
            f"outs({target} : {result.type}) "
            f"permutation = {p['permutation']}")
        return r


@kind(2, moves=True)
class Broadcast:
    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        rank = len(pool.value(x).shape)
        if rank > 3:
            raise Invalid("rank")
        return [x], {"dim": random.randint(0, rank),
                     "size": random.choice([1, 2, 3, 4])}

    @staticmethod
    def infer(values, p):
        x = values[0]
        if p["dim"] > len(x.shape):
            raise Invalid("rank")
        shape = x.shape[:p["dim"]] + (p["size"],) + x.shape[p["dim"]:]
        return Value(shape, x.element, x.magnitude)

    @staticmethod
    def emit(writer, names, values, result, p):
        target = writer.empty(result)
        r = writer.name()
        writer.lines.append(
            f"{r} = linalg.broadcast ins({names[0]} : {values[0].type}) "
            f"outs({target} : {result.type}) dimensions = [{p['dim']}]")
        return r


def _groups(rank, dim):
    """Reassociation that joins dimensions dim and dim + 1 of `rank`."""
    groups = [[d] for d in range(dim)] + [[dim, dim + 1]]
    return groups + [[d] for d in range(dim + 2, rank)]


@kind(3, moves=True)
class Collapse:
    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        rank = len(pool.value(x).shape)
        if rank < 2:
            raise Invalid("rank")
        return [x], {"dim": random.randrange(rank - 1)}

    @staticmethod
    def infer(values, p):
        x, d = values[0], p["dim"]
        if d + 2 > len(x.shape):
            raise Invalid("rank")
        shape = x.shape[:d] + (x.shape[d] * x.shape[d + 1],) + x.shape[d + 2:]
        return Value(shape, x.element, x.magnitude)

    @staticmethod
    def emit(writer, names, values, result, p):
        groups = _groups(len(values[0].shape), p["dim"])
        return writer.let(f"tensor.collapse_shape {names[0]} {groups} : "
                          f"{values[0].type} into {result.type}")


@kind(3, moves=True)
class Expand:
    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        shape = pool.value(x).shape
        if not 1 <= len(shape) <= 4:
            raise Invalid("rank")
        d = random.randrange(len(shape))
        factors = [f for f in range(1, shape[d] + 1) if shape[d] % f == 0]
        return [x], {"dim": d, "factor": random.choice(factors)}

    @staticmethod
    def infer(values, p):
        x, d, f = values[0], p["dim"], p["factor"]
        if d >= len(x.shape) or x.shape[d] % f:
            raise Invalid("size")
        shape = x.shape[:d] + (f, x.shape[d] // f) + x.shape[d + 1:]
        return Value(shape, x.element, x.magnitude)

    @staticmethod
    def emit(writer, names, values, result, p):
        groups = _groups(len(result.shape), p["dim"])
        return writer.let(
            f"tensor.expand_shape {names[0]} {groups} output_shape "
            f"{list(result.shape)} : {values[0].type} into {result.type}")


@kind(3, moves=True)
class Slice:
    """tensor.extract_slice; per dimension what is left out and the stride."""

    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        cuts = [random.choice([[0, 0, 1], [0, 0, 1], [1, 0, 1], [0, 1, 1],
                               [0, 0, 2], [1, 0, 2]])
                for _ in pool.value(x).shape]
        if not any(cut != [0, 0, 1] for cut in cuts):
            raise Invalid("identity")
        return [x], {"cuts": cuts}

    @staticmethod
    def infer(values, p):
        x = values[0]
        if len(p["cuts"]) != len(x.shape):
            raise Invalid("rank")
        shape = tuple((n - low - high + stride - 1) // stride
                      for n, (low, high, stride) in zip(x.shape, p["cuts"]))
        if min(shape) < 1:
            raise Invalid("size")
        return Value(shape, x.element, x.magnitude)

    @staticmethod
    def emit(writer, names, values, result, p):
        offsets = _brackets(c[0] for c in p["cuts"])
        strides = _brackets(c[2] for c in p["cuts"])
        return writer.let(
            f"tensor.extract_slice {names[0]}{offsets} "
            f"{_brackets(result.shape)} {strides} : {values[0].type} to "
            f"{result.type}")


@kind(2, moves=True)
class Concat:
    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        shape = pool.value(x).shape
        if not shape:
            raise Invalid("rank")
        dim = random.randrange(len(shape))
        operands = [x]
        for _ in range(random.choice([1, 1, 2])):
            other = list(shape)
            other[dim] = random.choice([1, 2, shape[dim]])
            operands.append(pool.with_shape(random, tuple(other),
                                            pool.value(x).element))
        return operands, {"dim": dim}

    @staticmethod
    def infer(values, p):
        dim, first = p["dim"], values[0]
        for v in values:
            if (v.element != first.element or len(v.shape) != len(first.shape)
                    or dim >= len(v.shape) or v.shape[:dim] != first.shape[:dim]
                    or v.shape[dim + 1:] != first.shape[dim + 1:]):
                raise Invalid("shapes")
        shape = list(first.shape)
        shape[dim] = sum(v.shape[dim] for v in values)
        return Value(tuple(shape), first.element,
                     max(v.magnitude for v in values))

    @staticmethod
    def emit(writer, names, values, result, p):
        types = ", ".join(v.type for v in values)
        return writer.let(f"tensor.concat dim({p['dim']}) {', '.join(names)} : "
                          f"({types}) -> {result.type}")


@kind(2, moves=True)
class Pad:
    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        widths = [random.choice([[0, 0], [0, 0], [1, 0], [0, 2], [1, 1]])
                  for _ in pool.value(x).shape]
        if not any(sum(w) for w in widths):
            raise Invalid("identity")
        return [x], {"widths": widths, "value": random.choice([0.0, 0.0, -1.0])}

    @staticmethod
    def infer(values, p):
        x = values[0]
        if len(p["widths"]) != len(x.shape):
            raise Invalid("rank")
        shape = tuple(n + low + high
                      for n, (low, high) in zip(x.shape, p["widths"]))
        return Value(shape, x.element, max(x.magnitude, 1.0))

    @staticmethod
    def emit(writer, names, values, result, p):
        value = writer.scalar(p["value"], result.element)
        low = _brackets(w[0] for w in p["widths"])
        high = _brackets(w[1] for w in p["widths"])
        r = writer.name()
        indices = ", ".join(f"%i{d}: index" for d in range(len(result.shape)))
        writer.lines += [f"{r} = tensor.pad {names[0]} low{low} high{high} {{",
                         f"^bb0({indices}):",
                         f"  tensor.yield {value} : {result.element}",
                         f"}} : {values[0].type} to {result.type}"]
        return r


@kind(2, moves=True)
class Insert:
    """tensor.insert_slice into a larger tensor."""

    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        value = pool.value(x)
        if not value.shape:
            raise Invalid("rank")
        margins = [random.choice([[0, 0], [1, 0], [0, 1], [1, 2]])
                   for _ in value.shape]
        shape = tuple(n + low + high
                      for n, (low, high) in zip(value.shape, margins))
        return [x, pool.with_shape(random, shape, value.element)], {
            "offsets": [m[0] for m in margins]}

    @staticmethod
    def infer(values, p):
        x, into = values
        if x.element != into.element or not (
                len(x.shape) == len(into.shape) == len(p["offsets"])):
            raise Invalid("types")
        if any(o + n > m for o, n, m in zip(p["offsets"], x.shape, into.shape)):
            raise Invalid("size")
        return Value(into.shape, x.element, max(x.magnitude, into.magnitude))

    @staticmethod
    def emit(writer, names, values, result, p):
        ones = _brackets([1] * len(p["offsets"]))
        return writer.let(
            f"tensor.insert_slice {names[0]} into {names[1]}"
            f"{_brackets(p['offsets'])} {_brackets(values[0].shape)} {ones} : "
            f"{values[0].type} into {result.type}")

"""Kinds of operations that multiply and sum: products and convolutions."""

from . import bodies
from .kinds import affine_map, generic, kind, sizes_of, widen
from .program import Invalid, Value


@kind(6)
class Contraction:
    """linalg.matmul and its like with any maps, linalg.contract and generic."""

    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        shape = pool.value(x).shape
        if not 1 <= len(shape) <= 4:
            raise Invalid("rank")
        roles = [random.choice("bmmk") for _ in shape]
        if "k" not in roles:
            roles[random.randrange(len(roles))] = "k"
        new = [random.choice([2, 3, 4, 5, 8]) for _ in
               range(random.choice([0, 1, 1, 1, 2]))]
        sizes = dict(enumerate(shape))
        # A batch dimension may be missing from the right operand.
        right = [d for d, role in enumerate(roles)
                 if role == "k" or (role == "b" and random.random() < 0.8)]
        out = [d for d, role in enumerate(roles) if role != "k"]
        for size in new:
            sizes[len(sizes)] = size
            right.append(len(sizes) - 1)
            out.append(len(sizes) - 1)
        if random.random() < 0.6:
            random.shuffle(right)
        if random.random() < 0.3:
            random.shuffle(out)
        y = pool.with_shape(random, tuple(sizes[d] for d in right),
                            pool.value(x).element)
        maps = [list(range(len(shape))), right, out]
        operands = [x, y]
        if random.random() < 0.3:
            operands.reverse()
            maps[:2] = maps[1], maps[0]
        return operands, {"maps": maps, "rank": len(sizes),
                          "form": random.choice(["contract", "generic"])}

    @staticmethod
    def infer(values, p):
        widen(values)
        sizes = sizes_of(p["maps"][:2], values, p["rank"])
        magnitude = values[0].magnitude * values[1].magnitude
        for dim, size in enumerate(sizes):
            if dim not in p["maps"][2]:
                magnitude *= size
        return Value(tuple(sizes[d] for d in p["maps"][2]), "f32", magnitude)

    @staticmethod
    def emit(writer, names, values, result, p):
        target = writer.fill(0.0, result)
        maps = [affine_map(p["rank"], m) for m in p["maps"]]

        def body(scalars):
            lines, x = bodies.cast(values[0].element, scalars[0], "f32", "%x")
            more, y = bodies.cast(values[1].element, scalars[1], "f32", "%z")
            return lines + more + [
                f"%p = arith.mulf {x}, {y} : f32",
                f"%y = arith.addf {scalars[-1]}, %p : f32"], "%y"

        if p["form"] == "generic":
            iterators = ["parallel" if d in p["maps"][2] else "reduction"
                         for d in range(p["rank"])]
            return generic(writer, maps, iterators, names, values, target,
                           result, body)
        return writer.let(
            f"linalg.contract indexing_maps = [{', '.join(maps)}] "
            f"ins({', '.join(names)} : {values[0].type}, {values[1].type}) "
            f"outs({target} : {result.type}) -> {result.type}")


# Rank of the operands and dimensions of each operand and the result, m, n and
# k being counted after the batch.
_PRODUCTS = {
    "matmul": (2, 2), "batch_matmul": (3, 3), "matvec": (2, 1),
    "vecmat": (1, 2), "batch_matvec": (3, 2), "dot": (1, 1),
}


@kind(6)
class NamedProduct:
    """linalg.matmul, batch_matmul, matvec, vecmat, batch_matvec and dot."""

    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        value = pool.value(x)
        names = [n for n, ranks in _PRODUCTS.items()
                 if ranks[0] == len(value.shape)]
        if not names:
            raise Invalid("rank")
        name = random.choice(names)
        turned = [False, False]
        if name.endswith("matmul"):
            turned = [random.random() < 0.25, random.random() < 0.35]
        k = value.shape[-2] if turned[0] else value.shape[-1]
        shape = [k]
        if name in ("matmul", "batch_matmul", "vecmat"):
            shape.append(random.choice([1, 2, 3, 5, 8]))
        if turned[1]:
            shape.reverse()
        if name.startswith("batch"):
            shape.insert(0, value.shape[0])
        y = pool.with_shape(random, tuple(shape), value.element)
        return [x, y], {"name": name, "turned": turned}

    @staticmethod
    def maps(p):
        batch = ["b"] if p["name"].startswith("batch") else []
        rows = ["m"] if p["name"] not in ("vecmat", "dot") else []
        columns = (["n"] if p["name"] in ("matmul", "batch_matmul", "vecmat")
                   else [])
        dims = batch + rows + columns + ["k"]
        left, right = rows + ["k"], ["k"] + columns
        if p["turned"][0]:
            left.reverse()
        if p["turned"][1]:
            right.reverse()
        number = dims.index
        return len(dims), [[number(d) for d in results] for results in
                           (batch + left, batch + right, batch + rows + columns)]

    @staticmethod
    def infer(values, p):
        widen(values)
        rank, maps = NamedProduct.maps(p)
        sizes = sizes_of(maps[:2], values, rank)
        return Value(tuple(sizes[d] for d in maps[2]), "f32",
                     values[0].magnitude * values[1].magnitude * sizes[-1])

    @staticmethod
    def emit(writer, names, values, result, p):
        target = writer.fill(0.0, result)
        indexing = ""
        if any(p["turned"]):
            rank, maps = NamedProduct.maps(p)
            maps = ", ".join(affine_map(rank, m) for m in maps)
            indexing = f" indexing_maps = [{maps}]"
        return writer.let(
            f"linalg.{p['name']}{indexing} ins({', '.join(names)} : "
            f"{values[0].type}, {values[1].type}) outs({target} : "
            f"{result.type}) -> {result.type}")


@kind(2)
class Convolution:
    """linalg.conv_2d_nchw_fchw and conv_2d_nhwc_hwcf."""

    @staticmethod
    def make(random, pool):
        nchw = random.random() < 0.5
        x = pool.existing(random)
        if len(pool.value(x).shape) != 4:
            channels, size = random.choice([1, 2, 3]), random.choice([4, 5, 7])
            shape = (1, channels, size, size) if nchw else (
                1, size, size, channels)
            x = pool.with_shape(random, shape, pool.value(x).element)
        value = pool.value(x)
        channels = value.shape[1 if nchw else 3]
        window = [random.choice([1, 2, 3]) for _ in range(2)]
        filters = random.choice([1, 2, 4])
        shape = ([filters, channels] + window if nchw
                 else window + [channels, filters])
        y = pool.with_shape(random, tuple(shape), value.element)
        return [x, y], {"nchw": nchw,
                        "strides": [random.choice([1, 1, 2]) for _ in range(2)],
                        "dilations": [random.choice([1, 1, 2])
                                      for _ in range(2)]}

    @staticmethod
    def infer(values, p):
        widen(values)
        x, w = values[0].shape, values[1].shape
        if len(x) != 4 or len(w) != 4:
            raise Invalid("rank")
        if p["nchw"]:
            n, c, *image = x
            f, wc, *window = w
        else:
            n, *image, c = x
            *window, wc, f = w
        if c != wc:
            raise Invalid("channels")
        out = [(size - (taps - 1) * d - 1) // s + 1 for size, taps, s, d in
               zip(image, window, p["strides"], p["dilations"])]
        if min(out) < 1:
            raise Invalid("window")
        shape = [n, f, *out] if p["nchw"] else [n, *out, f]
        return Value(tuple(shape), "f32", values[0].magnitude *
                     values[1].magnitude * c * window[0] * window[1])

    @staticmethod
    def emit(writer, names, values, result, p):
        name = "conv_2d_nchw_fchw" if p["nchw"] else "conv_2d_nhwc_hwcf"
        target = writer.fill(0.0, result)
        attributes = ", ".join(
            f"{key} = dense<{p[key]}> : tensor<2xi64>"
            for key in ("dilations", "strides"))
        return writer.let(
            f"linalg.{name} {{{attributes}}} ins({', '.join(names)} : "
            f"{values[0].type}, {values[1].type}) outs({target} : "
            f"{result.type}) -> {result.type}")

"""Random launches with random schedules.

Tiles have named axes: rows `m`, which the first grid dimension divides, columns
`n`, which the second one divides, and `k` and `p`, over which products contract;
the loop divides one of these two. So shapes agree wherever axes do, and what a
block stores is known to be its own part of the result.
"""

import dataclasses
import random

from .layouts import Layouts
from .values import Stored, Value, print_type

UNARY = ("relu", "tanh", "sigmoid", "silu", "square", "abs")
BINARY = ("add", "sub", "mul", "max", "min")


def generate(seed, layouts=False):
    """The text of a module with one function @f of one launch; with layouts, some
    of its operators say in which registers they are executed."""
    text = None
    while text is None:
        text = Generator(seed, layouts).generate()
        seed += 0.5
    return text


class Generator:
    """One function @f with one launch."""

    def __init__(self, seed, layouts=False):
        self.random = random.Random(seed)
        self.layouts = Layouts(*(random.Random(f"{what} {seed}") if layouts else None
                                 for what in ("layouts", "rows")))
        # What stands around the launch is drawn apart, so that it may change
        # without another launch.
        self.around = random.Random(f"around {seed}")
        choose = self.random.choice
        self.narrow = choose(("f16", "f16", "bf16"))
        self.size = {
            "m": choose((1, 4, 8, 16, 16, 24, 32, 48, 64, 64, 128)),
            "n": choose((8, 16, 16, 24, 32, 32, 40, 64, 128)),
            "k": choose((16, 16, 32, 48, 64)),
            "p": choose((16, 32, 32, 64)),
            "b": choose((1, 2, 3)),
        }
        # Depths that no matrix instruction divides.
        for axis in "kp":
            if self.around.random() < 0.25:
                self.size[axis] = self.around.choice((5, 8, 12, 20, 24, 33, 40, 75))
        self.parts = {"m": choose((1, 1, 2, 3)), "n": choose((1, 1, 2)),
                      "b": choose((1, 1, 2))}
        self.has_batch = self.random.random() < 0.2
        if not self.has_batch:
            self.parts["b"] = 1
        self.trips = choose((1, 2, 3, 4, 4, 6, 8))
        self.num_loops = 0
        # Whether a product of a loop has an operand that is computed.
        self.prepared = False
        self.loop_axis = choose(("k", "k", "p"))
        self.inputs = []
        self.lines = []
        self.indent = "    "
        self.in_loop = False
        self.counter = 0
        # Values by scope; those of the loop's body are gone after it.
        self.pool = []

    # Printing.

    def emit(self, line):
        self.lines.append(self.indent + line)

    def fresh(self):
        self.counter += 1
        return f"%v{self.counter}"

    def add(self, dims, type, parts, text):
        value = Value(self.fresh(), tuple(dims), type, frozenset(parts))
        self.emit(f"{value.name} = mirage_block.{text.format(type=value.mlir)}")
        self.pool.append(value)
        return value

    def operator(self, mnemonic, operands, dims, type, middle=""):
        parts = frozenset().union(*(value.parts for value in operands))
        names = ", ".join(value.name for value in operands)
        types = ", ".join(value.mlir for value in operands)
        return self.add(dims, type, parts,
                        f"{mnemonic} {names}{middle} : ({types}) -> {{type}}")

    # Operators.

    def load(self, axes, type, ones=()):
        """Loads a tile of a new input; the dimensions of axes in `ones` have
        size one."""
        dims = [(axis, 1 if axis in ones else self.size[axis]) for axis in axes]
        shape = [size for _, size in dims]
        parts = set()
        maps = []
        for dim, axis in enumerate(("m", "n", "b")):
            if axis in axes and axis not in ones:
                place = axes.index(axis)
                shape[place] *= self.parts[axis]
                maps.append(f"{'xyz'[dim]} -> {place}")
                parts.add(axis)
            else:
                maps.append(f"{'xyz'[dim]} -> phi")
        fmap = ""
        if self.in_loop:
            if self.loop_axis in axes and self.loop_axis not in ones:
                place = axes.index(self.loop_axis)
                shape[place] *= self.trips
                fmap = f" fmap(%i -> {place})"
                parts.add("loop")
            else:
                fmap = " fmap(%i -> phi)"
        source = print_type(shape, type)
        number = len(self.inputs)
        self.inputs.append((shape, type))
        return self.add(dims, type, parts,
                        f"load %a{number} imap({', '.join(maps)}){fmap}"
                        f"{self.layouts.place_rows(dims, type != 'f32')} : "
                        f"{source} to {{type}}")

    def cast(self, value, type):
        if value.type == type:
            return value
        return self.add(value.dims, type, value.parts,
                        f"cast {value.name}{self.layouts.place(value.dims)} : "
                        f"{value.mlir} to {{type}}")

    def unary(self, value):
        if self.random.random() < 0.2:
            number = self.random.choice((0.5, 0.125, -1.5))
            return self.operator("scale", [value], value.dims, value.type,
                                 f" by {number}{self.layouts.place(value.dims)}")
        return self.operator(self.random.choice(UNARY), [value], value.dims,
                             value.type, self.layouts.place(value.dims))

    def binary(self, a, b, mnemonic=None):
        dims = [(axis, max(x, y)) for (axis, x), (_, y) in zip(a.dims, b.dims)]
        return self.operator(mnemonic or self.random.choice(BINARY), [a, b], dims,
                             a.type, self.layouts.place(dims))

    def reduce(self, value, place, kind, keep=True):
        dims = list(value.dims)
        if keep:
            dims[place] = (dims[place][0], 1)
        else:
            del dims[place]
        return self.operator(f"reduce {kind}", [value], dims, value.type,
                             f" dim({place})" + (" keep" if keep else "") +
                             self.layouts.place(value.dims))

    def can_reduce(self, value, place):
        """Whether no other block has a part of the dimension."""
        axis, size = value.dims[place]
        return size > 1 and self.parts.get(axis, 1) == 1

    def transpose(self, value):
        places = list(range(len(value.dims)))
        self.random.shuffle(places)
        return self.operator("transpose", [value],
                             [value.dims[place] for place in places], value.type,
                             f" {places}")

    def matmul(self, lhs, rhs, contracted, transposed):
        """A product of tiles over one axis; `transposed` says of which operands
        the contracted axis does not stand where a product has it."""
        middle = "".join(
            f" {name}" for name, is_so in
            zip(("transpose_lhs", "transpose_rhs"), transposed) if is_so)
        left = [dim for dim in lhs.dims[-2:] if dim[0] != contracted][0]
        right = [dim for dim in rhs.dims[-2:] if dim[0] != contracted][0]
        batch = [(axis, max(x, y)) for (axis, x), (_, y) in
                 zip(lhs.dims[:-2], rhs.dims[:-2])]
        parts = lhs.parts | rhs.parts
        type = "f32" if self.random.random() < 0.9 else self.narrow
        return self.add(batch + [left, right], type, parts,
                        f"matmul {lhs.name}, {rhs.name}{middle} : ({lhs.mlir}, "
                        f"{rhs.mlir}) -> {{type}}")

    def product_operand(self, outer, inner, transposed):
        """A tile of 16-bit elements with these axes, loaded or computed."""
        axes = (inner, outer) if transposed else (outer, inner)
        if self.has_batch:
            axes = ("b",) + axes
        known = [value for value in self.pool
                 if value.axes == axes and
                 all(size == self.size.get(axis) for axis, size in value.dims)]
        if known and self.random.random() < 0.5:
            value = self.random.choice(known)
        else:
            ones = ("b",) if self.random.random() < 0.3 else ()
            value = self.load(axes, self.narrow, ones)
        choice = self.random.random()
        places = [place for place in range(len(value.dims))
                  if self.can_reduce(value, place) and
                  value.dims[place][0] not in value.parts]
        if choice < 0.2:
            value = self.unary(self.cast(value, self.random.choice(
                ("f32", self.narrow))))
            self.prepared |= self.in_loop
        elif choice < 0.35 and places:
            wide = self.cast(value, "f32")
            size = self.reduce(
                self.operator("abs", [wide], wide.dims, "f32"),
                self.random.choice(places), self.random.choice(("max", "mean")))
            value = self.binary(wide, size, self.random.choice(("mul", "add")))
            self.prepared |= self.in_loop
        return self.cast(value, self.narrow)

    def product(self, rows, contracted, columns):
        transposed = (self.random.random() < 0.15, self.random.random() < 0.5)
        known = self.prepared
        lhs = self.product_operand(rows, contracted, transposed[0])
        # A loader prepares right operands.
        self.prepared = known
        rhs = self.product_operand(contracted, columns, transposed[1])
        return self.matmul(lhs, rhs, contracted, transposed)

    def matrix(self, rows, columns):
        return (("b",) if self.has_batch else ()) + (rows, columns)

    def step(self):
        """One random operator on values that there are, if it fits."""
        value = self.random.choice(self.pool)
        choice = self.random.random()
        if choice < 0.3:
            return self.unary(self.cast(value, "f32"))
        if choice < 0.55:
            a = self.cast(value, "f32")
            others = [b for b in self.pool if b.axes == a.axes and all(
                x == y or 1 in (x, y) for (_, x), (_, y) in zip(a.dims, b.dims))]
            return self.binary(a, self.cast(self.random.choice(others), "f32"))
        if choice < 0.75:
            places = [place for place in range(len(value.dims))
                      if self.can_reduce(value, place)]
            if places:
                return self.reduce(self.cast(value, "f32"),
                                   self.random.choice(places),
                                   self.random.choice(("sum", "max", "mean")),
                                   self.random.random() < 0.8)
        elif choice < 0.85 and len(value.dims) > 1:
            return self.transpose(value)
        elif choice < 0.92:
            return self.load(value.axes, self.random.choice(("f32", self.narrow)),
                             [axis for axis in value.axes
                              if axis not in self.size or
                              self.random.random() < 0.4]) \
                if all(axis in self.size for axis in value.axes) else None
        else:
            return self.part(value)
        return None

    def part(self, value):
        """A slice of a value, or two values one after the other, if there is a
        dimension for it."""
        places = [place for place, (_, size) in enumerate(value.dims) if size > 1]
        if not places:
            return None
        place = self.around.choice(places)
        axis, size = value.dims[place]
        dims = list(value.dims)
        if self.around.random() < 0.6:
            count = self.around.choice((1, size // 2, size - 1))
            offsets = [0] * len(dims)
            offsets[place] = self.around.randrange(size // count) * count
            dims[place] = (axis, count)
            middle = f"{offsets} {[n for _, n in dims]} {[1] * len(dims)}"
            return self.operator("slice", [value], dims, value.type, middle)
        others = [b for b in self.pool if b.dims == value.dims and
                  b.type == value.type]
        dims[place] = (axis, 2 * size)
        return self.operator(f"concat dim({place})",
                             [value, self.around.choice(others)], dims, value.type)

    def weights(self, scores, keys=-1):
        """The exponentials of scores relative to a row's maximum."""
        shift = self.reduce(scores, keys % len(scores.dims), "max")
        weights = self.operator(
            "exp", [self.binary(scores, shift, "sub")], scores.dims, scores.type)
        return shift, weights

    # The loop.

    def loop_of_products(self):
        """Sums over k of products and of what else there is."""
        rows = [self.product("m", "k", "n")]
        if self.random.random() < 0.4:
            rows.append(self.product("m", "k", "n"))
        for _ in range(self.random.randrange(4)):
            self.step()
        accumulated = [self.accumulate(value, "sum") for value in rows]
        extra = [value for value in self.pool if value not in rows]
        for value in self.random.sample(extra, min(len(extra),
                                                   self.random.randrange(3))):
            kind = self.random.choice(("sum", "max"))
            accumulated.append(self.accumulate(value, kind))
        return accumulated

    def loop_of_keys(self):
        """Online softmax over p."""
        # Scores of keys by rows are as good as those of rows by keys.
        exchanged = self.random.random() < 0.25
        keys = -2 if exchanged else -1
        scores = self.cast(self.product(*("pkm" if exchanged else "mkp")), "f32")
        scores = self.operator("scale", [scores], scores.dims, "f32", " by 0.25")
        if self.random.random() < 0.4:
            mask = self.load(self.matrix(*("pm" if exchanged else "mp")),
                             self.narrow,
                             self.random.choice(((), ("m",), ("b",))))
            scores = self.binary(scores, self.cast(mask, "f32"), "add")
        shift, weights = self.weights(scores, keys)
        total = self.reduce(weights, keys % len(weights.dims), "sum")
        transposed = (exchanged, self.random.random() < 0.5)
        values = self.product_operand("p", "n", transposed[1])
        output = self.matmul(self.cast(weights, self.narrow), values, "p",
                             transposed)
        if exchanged:
            total, shift = self.exchange(total), self.exchange(shift)
        accumulated = [self.accumulate(self.cast(total, "f32"), "rescaled_sum",
                                       shift),
                       self.accumulate(self.cast(output, "f32"), "rescaled_sum",
                                       shift)]
        if self.random.random() < 0.3:
            accumulated.append(self.accumulate(shift, "max"))
        return accumulated

    def exchange(self, value):
        """A row as a column."""
        dims = list(value.dims)
        dims[-2:] = dims[:-3:-1]
        type = print_type([size for _, size in dims], value.type)
        return self.add(dims, value.type, value.parts,
                        f"reshape {value.name} : {value.mlir} to {type}")

    def accumulate(self, value, kind, shift=None):
        type = "f32" if kind != "max" else value.type
        by = f" shift {shift.name}" if shift else ""
        types = value.mlir + (f", {shift.mlir}" if shift else "")
        result = self.add(value.dims, type, value.parts - {"loop"},
                          f"accumulate {kind} {value.name}{by} : ({types}) -> "
                          f"{{type}}")
        self.pool.pop()
        return result

    def join(self, value):
        """The tiles of all iterations, one after the other."""
        place = self.around.randrange(len(value.dims))
        dims = list(value.dims)
        axis, size = dims[place]
        dims[place] = (axis, size * self.trips)
        result = self.add(dims, value.type, value.parts - {"loop"},
                          f"accumulate concat {value.name} dim({place}) : "
                          f"({value.mlir}) -> {{type}}")
        self.pool.pop()
        return result

    def loop_of_rows(self):
        """Sums and maxima over k of what is computed of rows."""
        axes = self.matrix(*self.random.choice((("m", "k"), ("k", "n"))))
        value = self.load(axes, self.random.choice(("f32", self.narrow)))
        for _ in range(1 + self.random.randrange(4)):
            self.step()
        found = [value] + self.random.sample(self.pool, min(2, len(self.pool)))
        found = [self.cast(value, "f32") for value in found]
        return [self.accumulate(value, self.random.choice(("sum", "max")))
                for value in found]

    def loop(self):
        self.num_loops += 1
        before, lines = list(self.pool), self.lines
        self.lines, self.in_loop, self.indent = [], True, "      "
        if self.loop_axis == "p":
            accumulated = self.loop_of_keys()
        elif self.random.random() < 0.2:
            accumulated = self.loop_of_rows()
        else:
            accumulated = self.loop_of_products()
        varying = [value for value in self.pool
                   if "loop" in value.parts and value.dims]
        if varying and self.around.random() < 0.15:
            accumulated.append(self.join(self.around.choice(varying)))
        body, self.lines = self.lines, lines
        self.in_loop, self.indent, self.pool = False, "    ", before
        types = ", ".join(value.mlir for value in accumulated)
        name = self.fresh()
        self.emit(f"{name}:{len(accumulated)} = mirage_block.for %i = 0 to "
                  f"{self.trips} -> ({types}) {{")
        self.lines += body
        self.emit(f"  mirage_block.yield "
                  f"{', '.join(value.name for value in accumulated)} : {types}")
        self.emit("}")
        results = [dataclasses.replace(value, name=f"{name}#{i}")
                   for i, value in enumerate(accumulated)]
        self.pool += results
        return results

    # The launch.

    def finish(self, results):
        """What stands after the loop; returns what is stored."""
        stored = list(results)
        if self.loop_axis == "p":
            stored = [self.binary(results[1], results[0], "div")] + results[2:]
        for _ in range(self.random.randrange(5)):
            value = self.step()
            if value and self.random.random() < 0.5:
                stored.append(value)
        if self.parts["n"] == 1 and self.size["n"] % 8 == 0 and \
                self.random.random() < 0.25:
            stored.append(self.product("m", "n", "p"))
        return stored

    def store(self, value):
        """The store of a value, if each block has its own part of it."""
        if self.random.random() < 0.4:
            value = self.cast(value, self.narrow)
        shape = [size for _, size in value.dims]
        maps = []
        for dim, axis in enumerate(("m", "n", "b")):
            if self.parts[axis] == 1:
                maps.append(f"{'xyz'[dim]} -> phi")
                continue
            if axis not in value.axes:
                return None
            place = value.axes.index(axis)
            if value.dims[place][1] != self.size[axis]:
                return None
            shape[place] *= self.parts[axis]
            maps.append(f"{'xyz'[dim]} -> {place}")
        type = print_type(shape, value.type)
        name = self.fresh()
        self.emit(f"{name} = mirage_block.store {value.name} "
                  f"omap({', '.join(maps)}) : {value.mlir} to {type}")
        return Stored(name, shape, value.type)

    # Around the launch.

    def reshape(self, shape):
        """Another shape of as many elements: some dimensions are joined and some
        are taken apart."""
        result = []
        for size in shape:
            choice = self.around.random()
            if choice < 0.25 and result:
                result[-1] *= size
            elif choice < 0.5 and size % 4 == 0:
                result += [size // 4, 4]
            elif choice < 0.6:
                result += [1, size]
            else:
                result.append(size)
        return result

    def shrink(self, shape):
        """A shape that has fewer elements along some dimensions."""
        return [size - self.around.choice((0, 1, 3, 8, 17)) % size for size in shape]

    def put_together(self, stores):
        """Lines that give results other shapes and join two of one type, and the
        name and type of each thing that is returned."""
        lines, results = [], []
        for i, store in enumerate(stores):
            name, shape = f"%r#{i}", store.shape
            if self.around.random() < 0.15:
                # Only the beginning of each dimension is used.
                name, shape = f"%u{i}", self.shrink(shape)
                lines.append(f"  {name} = mirage_kernel.slice %r#{i}"
                             f"{[0] * len(shape)} {shape} {[1] * len(shape)} : "
                             f"({store.mlir}) -> {print_type(shape, store.type)}")
            if self.around.random() < 0.3:
                before, of = name, print_type(shape, store.type)
                name, shape = f"%s{i}", self.reshape(shape)
                lines.append(f"  {name} = mirage_kernel.reshape {before} : {of} "
                             f"to {print_type(shape, store.type)}")
            type = print_type(shape, store.type)
            if results and results[-1][1] == type and shape and \
                    self.around.random() < 0.5:
                dim = self.around.randrange(len(shape))
                first, _ = results.pop()
                joined = list(shape)
                joined[dim] *= 2
                lines.append(f"  %t{i} = mirage_kernel.concat dim({dim}) {first}, "
                             f"{name} : ({type}, {type}) -> "
                             f"{print_type(joined, store.type)}")
                name, type = f"%t{i}", print_type(joined, store.type)
            results.append((name, type))
        return lines, results

    def schedule(self):
        """The attribute of the launch; without it the lowering chooses, and
        resizes loops."""
        choose = self.random.choice
        if self.random.random() < 0.3:
            return ""
        while True:
            rows, columns = choose((1, 1, 2, 2, 4)), choose((1, 1, 2, 4))
            if self.size["m"] % 64 == 0 and self.random.random() < 0.6:
                # The rows of warpgroups are whole.
                rows, columns = choose([r for r in (4, 8)
                                        if self.size["m"] % (16 * r) == 0]), 1
            groups = choose([g for g in (1, 1, 2, 3, 4) if self.trips % g == 0])
            blocks = choose([b for b in (1, 1, 2, 3, 4)
                             if self.trips % (groups * b) == 0])
            loaders = choose((0, 0, 0, 1, 2, 4))
            if rows * columns * groups + loaders <= 32:
                break
        # The blocks of a cluster share the iterations of one loop.
        cluster = (f", cluster_blocks = {blocks}"
                   if blocks > 1 and self.num_loops == 1 else "")
        # All products have rows along m.
        fills = rows % 4 == 0 and columns == 1 and self.size["m"] % (16 * rows) == 0
        # Few rows: the columns may be those of warpgroups.
        fills |= rows == 1 and columns == 4 and self.size["m"] % 8 == 0
        wgmma = ", wgmma = true" if fills and self.random.random() < 0.7 else ""
        loader = f", loader_warps = {loaders}" if loaders else ""
        if loaders and self.prepared and self.random.random() < 0.7:
            loader += ", loader_prepares = true"
        if loaders and wgmma and self.random.random() < 0.5:
            loader += ", bulk_copies = true"
        if groups == 1:
            self.layouts.warps = rows * columns
        return (" attributes {mirage.schedule = "
                f"#mirage.schedule<row_warps = {rows}, column_warps = {columns}, "
                f"loop_groups = {groups}, stages = {choose((2, 2, 3, 4, 5))}"
                f"{cluster}{wgmma}{loader}>}}")

    def generate(self):
        """The text of a module, or nothing where no value can be stored."""
        for _ in range(self.random.randrange(2)):
            self.load(self.matrix("m", "k"), self.narrow)
        stored = []
        if self.random.random() < 0.25:
            # What the first loop computes is used in and after the second.
            loop_axis, self.loop_axis = self.loop_axis, "k"
            stored = self.loop()[:1]
            self.loop_axis = loop_axis
        stored += self.finish(self.loop())
        stores = [self.store(value) for value in stored]
        stores = [store for store in stores if store]
        if not stores:
            # What one block knows is no result of several.
            return None
        names = ", ".join(store.name for store in stores)
        types = ", ".join(store.mlir for store in stores)
        self.emit(f"mirage_block.yield {names} : {types}")
        arguments, operands, views = [], [], []
        for i, (shape, type) in enumerate(self.inputs):
            of = print_type(shape, type)
            operands.append(f"%a{i} = %x{i} : {of}")
            name, seen = f"%x{i}", shape
            if self.around.random() < 0.2:
                # The operand has the bytes of a tensor of another shape.
                name, seen = f"%z{i}", self.reshape(shape)
                views.append(f"  %x{i} = mirage_kernel.reshape {name} : "
                             f"{print_type(seen, type)} to {of}")
            is_whole = self.random.random() < 0.9
            if is_whole and self.around.random() < 0.15:
                # The operand has zeros at the ends of its dimensions.
                smaller = self.shrink(seen)
                source = print_type(smaller, type)
                high = [a - b for a, b in zip(seen, smaller)]
                views.insert(0, f"  {name} = mirage_kernel.pad %y{i} low "
                                f"{[0] * len(seen)} high {high} value(0.0) : "
                                f"({source}) -> {print_type(seen, type)}")
                arguments.append(f"%y{i}: {source}")
                continue
            if is_whole:
                arguments.append(f"{name}: {print_type(seen, type)}")
                continue
            # The operand is a part of a larger tensor.
            offsets = [self.random.choice((0, 1, 8, 16)) for _ in seen]
            larger = [size + offset + self.random.choice((0, 8))
                      for size, offset in zip(seen, offsets)]
            source = print_type(larger, type)
            arguments.append(f"%y{i}: {source}")
            views.insert(0, f"  {name} = mirage_kernel.slice %y{i}{offsets} {seen} "
                            f"{[1] * len(seen)} : ({source}) -> "
                            f"{print_type(seen, type)}")
        returns, results = self.put_together(stores)
        grid = ", ".join(f"{name} = {self.parts[axis]}"
                         for name, axis in zip("xyz", ("m", "n", "b")))
        returned = ", ".join(name for name, _ in results)
        result_types = ", ".join(type for _, type in results)
        return self.layouts.write("\n".join([
            "module attributes {mirage.target = #mirage.target<sm_90a>} {",
            f"func.func @f({', '.join(arguments)}) -> ({result_types}) {{", *views,
            f"  %r:{len(stores)} = mirage_kernel.launch grid({grid}) "
            f"({', '.join(operands)}) -> ({types}){self.schedule()} {{",
            *self.lines, "  }", *returns,
            f"  return {returned} : {result_types}", "}", "}", ""]))

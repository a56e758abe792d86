"""Graphs of operators of mirage_kernel, and functions that rewrite them.

A Node is an operator applied to other nodes; `make` infers its type. A Program
is a function: its arguments, which are nodes too, and the nodes that it returns.
Nodes never change: `rebuild` makes a new graph of an old one.

    x, w = argument("f16", 8, 64), argument("f16", 64, 32)
    y = make("cast", make("matmul", x, w), element="f16")
    Program("linear", [x, w], [y])
"""

import dataclasses
import math
import struct

UNARY = {"abs", "exp", "exp2", "log", "sqrt", "rsqrt", "square", "silu", "sigmoid",
         "mish", "erf", "relu", "tanh", "gelu", "clamp", "scale", "pow", "cast"}
BINARY = {"add", "sub", "mul", "div", "max", "min"}
COMMUTATIVE = {"add", "mul", "max", "min"}
ELEMENTWISE = UNARY | BINARY | {"compare", "select"}
NORMS = {"rms_norm", "layer_norm", "group_norm", "instance_norm", "batch_norm"}
# Attributes that only say what the result's type is, which the text has anyway.
OF_TYPE = {"cast": ("element",), "reshape": ("shape",), "broadcast": ("shape",),
           "constant": ("element", "shape"), "matmul": ("element",),
           "reduce": ("element",), "conv2d": ("element",)}
ACCUMULATED_IN_F32 = ("f16", "bf16", "f8E4M3FN", "f8E5M2")


class NotApplicable(Exception):
    """A rewrite, or a printer, does not know what to do with a program."""


@dataclasses.dataclass(frozen=True, eq=False)
class Node:
    op: str
    operands: tuple
    attributes: dict
    element: str
    shape: tuple

    @property
    def rank(self):
        return len(self.shape)

    @property
    def type(self):
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.element}>"

    @property
    def signature(self):
        return self.element, self.shape

    def get(self, name):
        return self.attributes.get(name)


@dataclasses.dataclass
class Program:
    name: str
    arguments: list
    results: list


def argument(element, *shape):
    return Node("argument", (), {}, element, tuple(shape))


def _stretched(shapes):
    """The shape to which dimensions of size one are stretched."""
    if len({len(shape) for shape in shapes}) > 1:
        raise NotApplicable(f"ranks differ: {shapes}")
    sizes = []
    for column in zip(*shapes):
        size = max(column)
        if not set(column) <= {1, size}:
            raise NotApplicable(f"sizes differ: {shapes}")
        sizes.append(size)
    return tuple(sizes)


def _product_shape(node_shapes, attributes):
    (*batch, m, k), (*other, l, n) = node_shapes
    if attributes.get("transpose_lhs"):
        m, k = k, m
    if attributes.get("transpose_rhs"):
        l, n = n, l
    if k != l:
        raise NotApplicable(f"sizes differ: {node_shapes}")
    return (*_stretched([batch, other]), m, n)


def _reduced_shape(shape, attributes):
    dim = attributes["dim"]
    if attributes.get("keep"):
        middle = (1,)
    else:
        group = attributes.get("group")
        middle = (shape[dim] // group,) if group else ()
    return shape[:dim] + middle + shape[dim + 1:]


def _convolved_shape(image, kernel, attributes):
    nchw = attributes["layout"] == "nchw"
    sizes = image[2:] if nchw else image[1:3]
    windows = kernel[2:] if nchw else kernel[:2]
    padding = attributes["padding"]
    spatial = tuple(
        (size + padding[2 * i] + padding[2 * i + 1]
         - attributes["dilations"][i] * (window - 1) - 1)
        // attributes["strides"][i] + 1
        for i, (size, window) in enumerate(zip(sizes, windows)))
    return ((image[0], kernel[0], *spatial) if nchw
            else (image[0], *spatial, kernel[3]))


def _infer_shape(op, shapes, attributes):
    first = shapes[0] if shapes else ()
    if op in ("reshape", "broadcast", "constant"):
        return tuple(attributes["shape"])
    if op in ELEMENTWISE:
        return _stretched(shapes)
    if op in NORMS or op in ("softmax", "log_softmax"):
        return first
    if op in ("reduce", "variance"):
        return _reduced_shape(first, attributes)
    if op == "matmul":
        return _product_shape(shapes, attributes)
    if op == "attention":
        return (*_stretched([shape[:-2] for shape in shapes[:3]]), first[-2],
                shapes[2][-1])
    if op == "transpose":
        return tuple(first[i] for i in attributes["permutation"])
    if op == "slice":
        return tuple(attributes["sizes"])
    if op == "concat":
        dim = attributes["dim"]
        return (first[:dim] + (sum(shape[dim] for shape in shapes),)
                + first[dim + 1:])
    if op == "pad":
        return tuple(low + size + high for low, size, high in
                     zip(attributes["low"], first, attributes["high"]))
    if op == "repeat":
        return tuple(a * b for a, b in zip(first, attributes["times"]))
    if op == "conv2d":
        return _convolved_shape(*shapes, attributes)
    raise NotApplicable(f"'{op}' is not an operator that spellings know")


def make(op, *operands, **attributes):
    """A node. Products of narrow types are f32 unless `element` is given."""
    attributes = {name: value for name, value in attributes.items()
                  if value is not None and value is not False}
    element = attributes.get("element")
    if element is None:
        element = operands[0].element
        if op == "matmul" and element in ACCUMULATED_IN_F32:
            element = "f32"
    if len({operand.element for operand in operands}) > 1:
        raise NotApplicable(f"{op} of several element types")
    shape = _infer_shape(op, [operand.shape for operand in operands], attributes)
    if op in ("cast", "matmul", "reduce", "conv2d"):
        attributes["element"] = element
    return Node(op, tuple(operands), attributes, element, shape)


def constant(element, rank, value):
    """One number as a tensor whose dimensions have size one."""
    return make("constant", element=element, shape=(1,) * rank, value=float(value))


def scale(x, factor):
    """A product with a number that f32 holds, as it is where text has it."""
    factor, = struct.unpack("f", struct.pack("f", factor))
    return make("scale", x, factor=factor)


def cast(x, element):
    return x if x.element == element else make("cast", x, element=element)


def reshape(x, shape):
    if tuple(shape) == x.shape:
        return x
    if math.prod(shape) != math.prod(x.shape):
        raise NotApplicable(f"{x.shape} has other elements than {shape}")
    return make("reshape", x, shape=tuple(shape))


def transpose(x, permutation):
    return make("transpose", x, permutation=tuple(permutation))


def swapped(rank):
    """The permutation that exchanges the innermost two of `rank` dimensions."""
    return (*range(rank - 2), rank - 1, rank - 2)


def swap(x):
    return transpose(x, swapped(x.rank))


def take(x, dim, offset, size):
    """`size` neighbours of dimension `dim`."""
    offsets = tuple(offset * (i == dim) for i in range(x.rank))
    sizes = tuple(size if i == dim else n for i, n in enumerate(x.shape))
    return make("slice", x, offsets=offsets, sizes=sizes, strides=(1,) * x.rank)


def concat(dim, *parts):
    return make("concat", *parts, dim=dim)


def reduce(kind, x, dim, keep=True):
    return make("reduce", x, kind=kind, dim=dim, keep=keep)


def clone(node, operands):
    """The same operator of other operands."""
    if node.op in ("argument", "constant"):
        return node
    return make(node.op, *operands, **node.attributes)


def ordered(results):
    """All nodes that the results are made of, operands before their users."""
    order, seen = [], set()
    stack = [(node, False) for node in reversed(results)]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack += [(operand, False) for operand in reversed(node.operands)]
    return order


def users(program):
    """{id of a node: the nodes that use it}."""
    found = {}
    for node in ordered(program.results):
        for operand in node.operands:
            found.setdefault(id(operand), []).append(node)
    return found


def substitute(results, replaced, rule=clone):
    """The results with `replaced` {id of a node: node} in place of nodes.

    `rule(node, operands)` says what becomes of every other node.
    """
    replaced = dict(replaced)
    for node in ordered(results):
        if id(node) not in replaced:
            replaced[id(node)] = rule(
                node, [replaced[id(operand)] for operand in node.operands])
    return [replaced[id(node)] for node in results]


def rebuild(program, rule):
    """The program with `rule(node, operands)` in place of every node that is no
    argument, from operands to users."""
    kept = {id(node): node for node in program.arguments}
    return Program(program.name, program.arguments,
                   substitute(program.results, kept, rule))


def is_same(program, other):
    """Whether two programs with the same arguments are the same graph."""
    if program.arguments != other.arguments:
        return False
    numbers = []
    for results in (program.results, other.results):
        keys = {id(node): ("argument", i) for i, node in enumerate(program.arguments)}
        table = {}
        for node in ordered(results):
            if id(node) in keys:
                continue
            key = (node.op, node.signature, repr(sorted(node.attributes.items())),
                   tuple(keys[id(operand)] for operand in node.operands))
            keys[id(node)] = table.setdefault(key, len(table))
        numbers.append((table, [keys[id(node)] for node in results]))
    return numbers[0] == numbers[1]

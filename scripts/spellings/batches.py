"""Spellings that compute with other batch dimensions: one split in two, two joined,
one of size one dropped."""

import math

from .graph import (ELEMENTWISE, NotApplicable, Program, argument, clone, make, reshape,
                    substitute)
from .storage import Stored, stored_signature


class _Rebatched:
    """Replaces the leading `count` dimensions of all batched values by `sizes`."""

    def __init__(self, program, count, sizes):
        self.program, self.count, self.sizes = program, count, tuple(sizes)
        self.batch = program.results[0].shape[:count]
        self.shift = len(sizes) - count
        # Ids of nodes of the original program that have the batch dimensions.
        self.batched = {}

    def has_batch(self, shape):
        return len(shape) >= self.count + 2 and (
            shape[:self.count] in (self.batch, (1,) * self.count))

    def convert(self, shape):
        lead = shape[:self.count]
        if lead == self.batch:
            return self.sizes + tuple(shape[self.count:])
        if lead == (1,) * self.count:
            return (1,) * len(self.sizes) + tuple(shape[self.count:])
        raise NotApplicable("a value has other batch dimensions")

    def stored(self, node):
        """How an argument is stored."""
        if node.rank < self.count + 2:
            return None
        return reshape(node, self.convert(node.shape))

    def dim(self, dim):
        if dim < self.count:
            raise NotApplicable("an operator works along a batch dimension")
        return dim + self.shift

    def extend(self, values, fill, is_right):
        """A list of one entry a dimension; those of batches must be right."""
        if not all(is_right(i, value) for i, value in enumerate(values[:self.count])):
            raise NotApplicable("an operator moves batches")
        return (fill,) * len(self.sizes) + tuple(values[self.count:])

    def rule(self, node, operands):
        inputs = [self.batched.get(id(o), False) for o in node.operands]
        if node.op == "constant":
            is_batched = self.has_batch(node.shape)
            made = reshape(node, self.convert(node.shape)) if is_batched else node
        elif not any(inputs):
            is_batched = node.op in ("reshape", "broadcast") and (
                self.has_batch(node.shape))
            if is_batched:
                made = reshape(clone(node, operands), self.convert(node.shape))
            else:
                made = clone(node, operands)
        else:
            is_batched, made = True, self.batched_rule(node, operands, inputs)
        self.batched[id(node)] = is_batched
        return made

    def batched_rule(self, node, operands, inputs):
        attributes = dict(node.attributes)
        if node.op in ELEMENTWISE or node.op in ("matmul", "attention", "concat"):
            if not all(inputs):
                raise NotApplicable("values with and without batches are combined")
        elif node.op in ("rms_norm", "layer_norm"):
            self.dim(node.rank - 1)
        elif node.op in ("reshape", "broadcast"):
            if node.shape[:self.count] not in (self.batch, (1,) * self.count):
                raise NotApplicable("batch dimensions are reshaped")
            if node.op == "reshape" and (
                    node.shape[:self.count] != node.operands[0].shape[:self.count]):
                raise NotApplicable("batch dimensions are reshaped")
            attributes["shape"] = self.convert(node.shape)
        elif node.op == "transpose":
            permutation = self.extend(node.attributes["permutation"], 0,
                                      lambda i, value: value == i)
            shifted = [self.dim(i) for i in permutation[len(self.sizes):]]
            attributes["permutation"] = (*range(len(self.sizes)), *shifted)
        elif node.op == "slice":
            if node.shape[:self.count] != node.operands[0].shape[:self.count]:
                raise NotApplicable("batches are sliced")
            attributes["sizes"] = self.convert(node.shape)
            for name, fill in (("offsets", 0), ("strides", 1)):
                attributes[name] = self.extend(node.attributes[name], fill,
                                               lambda i, n: n == fill)
        elif node.op not in ("softmax", "log_softmax", "reduce", "variance"):
            raise NotApplicable(f"'{node.op}' has no batches")
        if "dim" in attributes:
            attributes["dim"] = self.dim(attributes["dim"])
        return make(node.op, *operands, **attributes)

    def run(self):
        replaced, arguments, stored = {}, [], []
        for node in self.program.arguments:
            expression = self.stored(node)
            self.batched[id(node)] = expression is not None
            new = node if expression is None else argument(
                *stored_signature(expression))
            replaced[id(node)] = new
            arguments.append(new)
            stored.append(node if expression is None else expression)
        results = substitute(self.program.results, replaced, self.rule)
        if not all(self.batched[id(node)] for node in self.program.results):
            raise NotApplicable("a result has no batches")
        shapes = [node.shape for node in self.program.results]
        return Stored(Program(self.program.name, arguments, results), stored,
                      lambda values: [reshape(v, s) for v, s in zip(values, shapes)])


def _leading(program, count):
    if program.results[0].rank < count + 2:
        raise NotApplicable("the result has no batch dimensions")
    return program.results[0].shape[:count]


def batch_split(program):
    """The leading batch dimension is two dimensions everywhere."""
    size, = _leading(program, 1)
    factor = next((d for d in range(2, size) if size % d == 0), 1)
    return _Rebatched(program, 1, (factor, size // factor)).run()


def batch_joined(program):
    """The two leading batch dimensions are one everywhere."""
    return _Rebatched(program, 2, (math.prod(_leading(program, 2)),)).run()


def batch_dropped(program):
    """A leading batch dimension of size one is left out everywhere."""
    if _leading(program, 1) != (1,):
        raise NotApplicable("the leading dimension is not one")
    return _Rebatched(program, 1, ()).run()

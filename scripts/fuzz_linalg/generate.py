"""Draws programs."""

import random as random_module

from . import contractions, kinds, layouts  # noqa: F401 (register kinds)
from .kinds import KINDS
from .program import (Invalid, Limits, MAX_ELEMENTS, MAX_MAGNITUDE, Op,
                      Program, Value)

MAX_INPUTS = 8
ELEMENTS = ["f32", "f32", "f32", "f16", "bf16"]
SIZES = [1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 12]


class Pool:
    """The program so far: values in the order in which they were made."""

    def __init__(self):
        # (value, None) of an input, (value, operation) of a result.
        self.entries = []

    def value(self, number):
        return self.entries[number][0]

    def add_input(self, shape, element):
        if sum(op is None for _, op in self.entries) >= MAX_INPUTS:
            raise Invalid("inputs")
        self.entries.append((Value(tuple(shape), element), None))
        return len(self.entries) - 1

    def existing(self, random):
        """A value, rather one that was made lately."""
        back = min(int(random.expovariate(0.6)), len(self.entries) - 1)
        return len(self.entries) - 1 - back

    def with_shape(self, random, shape, element):
        """An existing value of that type, or an input."""
        fitting = [i for i, (v, _) in enumerate(self.entries)
                   if v.shape == shape and v.element == element]
        if fitting and random.random() < 0.6:
            return random.choice(fitting)
        return self.add_input(shape, element)

    def like(self, random, value):
        return self.with_shape(random, value.shape, value.element)

    def broadcast(self, random, sizes, element):
        """An operand that broadcasts to `sizes`, and its dimensions."""
        fitting = []
        for i, (v, _) in enumerate(self.entries):
            if v.element != element or len(v.shape) > len(sizes):
                continue
            free, results = list(range(len(sizes))), []
            for size in v.shape:
                dims = [d for d in free if sizes[d] == size]
                if dims:
                    results.append(dims[-1] if random.random() < 0.3 else dims[0])
                    free.remove(results[-1])
                elif size == 1:
                    results.append(None)
            if len(results) == len(v.shape):
                fitting.append((i, results))
        if fitting and random.random() < 0.6:
            return random.choice(fitting)
        dims = [d for d in range(len(sizes)) if random.random() < 0.6]
        if random.random() < 0.2:
            random.shuffle(dims)
        results = [None if random.random() < 0.2 else d for d in dims]
        shape = [1 if d is None else sizes[d] for d in results]
        return self.add_input(shape, element), results


def _add_operation(random, pool):
    """Adds one operation, or raises Invalid and leaves the pool as it was."""
    count = len(pool.entries)
    name = random.choices(list(KINDS), [k.weight for k in KINDS.values()])[0]
    try:
        operands, parameters = KINDS[name].make(random, pool)
        value = KINDS[name].infer([pool.value(i) for i in operands], parameters)
        if (value.size > MAX_ELEMENTS or len(value.shape) > 5
                or value.magnitude > MAX_MAGNITUDE[value.element]):
            raise Invalid("limits")
    except Invalid:
        del pool.entries[count:]
        raise
    pool.entries.append((value, Op(name, operands, parameters)))


def generate(seed, index, max_ops):
    """Program number `index` of a seed: the same on every machine."""
    random = random_module.Random(f"{seed}:{index}")
    while True:
        pool = Pool()
        for _ in range(random.choice([1, 2])):
            rank = random.choice([1, 2, 2, 3, 3, 4])
            pool.add_input([random.choice(SIZES) for _ in range(rank)],
                           random.choice(ELEMENTS))
        wanted = random.randint(1, max_ops)
        for _ in range(20 * wanted):
            if sum(op is not None for _, op in pool.entries) == wanted:
                break
            try:
                _add_operation(random, pool)
            except Invalid:
                pass
        program = finish(pool)
        try:
            program.values(KINDS)
        except Invalid:
            continue
        if program.ops:
            return program


def finish(pool, limits=Limits()):
    """The program of a pool: inputs first; what nothing uses is a result."""
    order = ([i for i, (_, op) in enumerate(pool.entries) if op is None] +
             [i for i, (_, op) in enumerate(pool.entries) if op is not None])
    renamed = {old: new for new, old in enumerate(order)}
    ops = [pool.entries[i][1] for i in order if pool.entries[i][1]]
    ops = [Op(op.kind, [renamed[j] for j in op.operands], op.parameters)
           for op in ops]
    inputs = [v for v, op in pool.entries if op is None]
    used = {i for op in ops for i in op.operands}
    results = [i for i in range(len(inputs), len(order)) if i not in used]
    return Program(inputs, ops, results, limits).pruned()

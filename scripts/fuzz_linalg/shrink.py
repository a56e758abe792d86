"""Makes a failing program smaller while it fails in the same way."""

import dataclasses

from .kinds import KINDS
from .program import Invalid, Op, Program, Value

MAX_ROUNDS = 40


def _replace(program, number, substitute):
    """The program with value `number` replaced everywhere."""
    swap = lambda i: substitute if i == number else i
    return Program(program.inputs,
                   [Op(op.kind, [swap(i) for i in op.operands], op.parameters)
                    for op in program.ops],
                   [swap(i) for i in program.results])


def _with_input(program, number, value):
    """Operation number `number`'s result becomes an input."""
    count = len(program.inputs)
    shift = lambda i: count if i == number else i + (i >= count)
    ops = [Op(op.kind, [shift(i) for i in op.operands], op.parameters)
           for op in program.ops]
    return Program(program.inputs + [Value(value.shape, value.element)], ops,
                   [shift(i) for i in program.results])


def _candidates(program):
    count = len(program.inputs)
    values = program.values(KINDS)
    for number in range(count, len(values)):
        yield Program(program.inputs, program.ops, [number])
    for result in program.results:
        if len(program.results) > 1:
            yield Program(program.inputs, program.ops, [
                r for r in program.results if r != result])
    for position, op in enumerate(program.ops):
        number = count + position
        if number not in program.results:
            yield _with_input(program, number, values[number])
        for operand in op.operands:
            if values[operand].type == values[number].type:
                yield _replace(program, number, operand)
        steps = op.parameters.get("steps", [])
        for kept in range(len(steps)):
            ops = list(program.ops)
            ops[position] = Op(op.kind, op.operands,
                               {**op.parameters, "steps": steps[:kept]})
            yield Program(program.inputs, ops, program.results)
    for size in sorted({d for v in program.inputs for d in v.shape}):
        for smaller in {1, 2, 3, size // 2} & set(range(1, size)):
            yield Program([
                dataclasses.replace(v, shape=tuple(
                    smaller if d == size else d for d in v.shape))
                for v in program.inputs], program.ops, program.results)


def shrink(program, failure, checker, seed):
    """The smallest program found and its failure."""
    for _ in range(MAX_ROUNDS):
        smaller = {}
        for candidate in _candidates(program):
            try:
                candidate = candidate.pruned()
                cost = candidate.cost(KINDS)
            except (Invalid, IndexError):
                continue
            if candidate.ops and cost < program.cost(KINDS):
                smaller.setdefault(repr(candidate), candidate)
        programs = sorted(smaller.values(), key=lambda p: p.cost(KINDS))
        for start in range(0, len(programs), 16):
            tried = programs[start:start + 16]
            found = next(((p, f) for p, f in zip(
                tried, checker.check(tried, seed))
                if f and f.kind == failure.kind), None)
            if found:
                program, failure = found
                break
        else:
            return program, failure
    return program, failure

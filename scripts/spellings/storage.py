"""Spellings that store arguments and results otherwise.

A Stored is a program whose arguments hold what `arguments` compute of the original
program's, and whose results `restore` brings back to the original ones' shapes.
"""

import dataclasses
import math

from .algebra import read_transposed
from .graph import (NotApplicable, Program, argument, cast, clone, concat, reshape,
                    substitute, swap, take, transpose, users)


@dataclasses.dataclass
class Stored:
    program: Program
    arguments: list
    restore: callable = list


def _store(program, store, load, results=list, restore=list):
    """`store(argument)` is how an argument is stored, or None if as it was;
    `load(stored, argument)` computes the argument of it. `results` are applied to
    the program's results, and `restore` takes them back."""
    arguments, expressions, loaded = [], [], {}
    for node in program.arguments:
        stored = store(node)
        if stored is None:
            arguments.append(node)
            expressions.append(node)
            loaded[id(node)] = node
        else:
            arguments.append(argument(*stored_signature(stored)))
            expressions.append(stored)
            loaded[id(node)] = load(arguments[-1], node)
    if all(a is b for a, b in zip(arguments, program.arguments)):
        raise NotApplicable("no argument is stored otherwise")
    new = results(substitute(program.results, loaded))
    return Stored(Program(program.name, arguments, new), expressions, restore)


def stored_signature(node):
    return node.element, *node.shape


# --- Transposed ---------------------------------------------------------------


def transposed(program, only=None):
    """Arguments of two and more dimensions are stored transposed, and transposed
    before they are used."""
    chosen = [node for i, node in enumerate(program.arguments)
              if node.rank >= 2 and only in (None, i)]
    return _store(program, lambda node: swap(node) if node in chosen else None,
                  lambda stored, _: swap(stored))


def transposed_read(program):
    """Arguments are stored transposed, and products read them transposed."""
    stored = transposed(program)
    stored.program = read_transposed(stored.program)
    return stored


# --- Batch dimensions ---------------------------------------------------------


def _smallest_factor(n):
    return next((d for d in range(2, n) if n % d == 0), None)


def _store_reshaped(program, change, is_changed):
    """The arguments and results that `is_changed` says are stored as `change` reshapes
    them."""
    flags = [is_changed(node) for node in program.results]
    shapes = [node.shape for node in program.results]
    return _store(
        program, lambda node: change(node) if is_changed(node) else None,
        lambda stored, node: reshape(stored, node.shape),
        lambda results: [change(r) if f else r for r, f in zip(results, flags)],
        lambda results: [reshape(r, s) for r, s in zip(results, shapes)])


def stored_split(program):
    """The leading dimension of arguments and results is stored as two, which the
    program joins first."""
    size = program.results[0].shape[0]
    factor = _smallest_factor(size)
    if factor is None:
        raise NotApplicable("the leading dimension has no parts")

    def split(node):
        return reshape(node, (factor, size // factor, *node.shape[1:]))

    def is_split(node):
        return node.rank >= 2 and node.shape[0] == size

    return _store_reshaped(program, split, is_split)


def stored_joined(program):
    """The two leading dimensions of arguments and results are stored as one."""
    def is_joined(node):
        return node.rank >= 4

    def join(node):
        return reshape(node, (node.shape[0] * node.shape[1], *node.shape[2:]))

    return _store_reshaped(program, join, is_joined)


def stored_moved(program):
    """The leading dimension of arguments and results is stored behind the next."""
    def is_moved(node):
        return node.rank >= 3

    def move(node):
        return transpose(node, (1, 0, *range(2, node.rank)))

    flags = [is_moved(node) for node in program.results]

    def move_results(results):
        return [move(r) if f else r for r, f in zip(results, flags)]

    return _store(program, lambda node: move(node) if is_moved(node) else None,
                  lambda stored, _: move(stored), move_results, move_results)


# --- Weights ------------------------------------------------------------------


def _groups_of_products(program):
    """Lists of products of one value with several arguments used there only."""
    used = users(program)
    groups = {}
    for node in (user for users_of in used.values() for user in users_of):
        if node.op != "matmul":
            continue
        value, weight = node.operands
        if weight.op != "argument" or len(used[id(weight)]) > 1 or weight is value:
            continue
        key = (id(value), bool(node.get("transpose_lhs")),
               bool(node.get("transpose_rhs")), weight.shape[:-2], node.element)
        products = groups.setdefault(key, [])
        if node not in products:
            products.append(node)
    found = [products for products in groups.values() if len(products) > 1]
    if not found:
        raise NotApplicable("no value is multiplied with several weights")
    return found


def _with_weights(program, build, stores):
    """Stores the weights of each group as `stores(weights)`, one tensor, of which
    `build(products, operands, stored)` makes the products' values."""
    replaced, expressions, dropped, fused = {}, {}, set(), {}
    for products in _groups_of_products(program):
        weights = [product.operands[1] for product in products]
        expression = stores(products, weights)
        first = min(weights, key=program.arguments.index)
        new = argument(*stored_signature(expression))
        expressions[id(first)] = (new, expression)
        dropped.update(id(weight) for weight in weights)
        for product in products:
            fused[id(product)] = (products, new)
    arguments, stored = [], []
    for node in program.arguments:
        if id(node) in expressions:
            arguments.append(expressions[id(node)][0])
            stored.append(expressions[id(node)][1])
        elif id(node) not in dropped:
            arguments.append(node)
            stored.append(node)
            replaced[id(node)] = node
        # No rule sees the weights' values: their products are replaced.
        replaced.setdefault(id(node), node)
    made = {}

    def rule(node, operands):
        if id(node) not in fused:
            return clone(node, operands)
        products, new = fused[id(node)]
        if id(new) not in made:
            made[id(new)] = build(products, operands[0], new)
        return made[id(new)][products.index(node)]

    results = substitute(program.results, replaced, rule)
    return Stored(Program(program.name, arguments, results), stored)


def _columns(node):
    """The dimension of a product's weight that its result has."""
    return node.operands[1].rank - (2 if node.get("transpose_rhs") else 1)


def _fuse(products, weights):
    return concat(_columns(products[0]), *weights)


def _slices(x, dim, products):
    parts, offset = [], 0
    for product in products:
        parts.append(take(x, dim, offset, product.shape[-1]))
        offset += product.shape[-1]
    return parts


def weights_fused(program):
    """Weights that the same value multiplies are stored as one, and the product is
    sliced."""

    def build(products, value, stored):
        product = clone(products[0], [value, stored])
        return _slices(product, product.rank - 1, products)

    return _with_weights(program, build, _fuse)


def weights_sliced(program):
    """Weights that the same value multiplies are stored as one, which is sliced
    before the products."""

    def build(products, value, stored):
        weights = _slices(stored, _columns(products[0]), products)
        return [clone(product, [value, weight])
                for product, weight in zip(products, weights)]

    return _with_weights(program, build, _fuse)


def weights_stacked(program):
    """Weights of one shape that the same value multiplies are stored as a batch,
    and there is one product of batches."""

    def stack(products, weights):
        if len({weight.shape for weight in weights}) > 1 or (
                products[0].operands[0].rank != 2):
            raise NotApplicable("the weights are no batch")
        return concat(0, *[reshape(w, (1, *w.shape)) for w in weights])

    def build(products, value, stored):
        product = clone(products[0], [reshape(value, (1, *value.shape)), stored])
        return [reshape(take(product, 0, i, 1), node.shape)
                for i, node in enumerate(products)]

    return _with_weights(program, build, stack)


# --- Types --------------------------------------------------------------------


def _is_mask(program, node):
    """Whether an argument of f16 is cast to f32 only, and is smaller than a result.
    Of one as large as a result, f32 would be a good part of all bytes."""
    used = users(program).get(id(node), [])
    is_small = any(math.prod(node.shape) < math.prod(result.shape)
                   for result in program.results)
    return node.element == "f16" and is_small and used and all(
        user.op == "cast" and user.element == "f32" for user in used)


def masks_wide(program):
    """Arguments of f16 that are only read in f32 are stored in f32."""
    masks = [node for node in program.arguments if _is_mask(program, node)]

    def drop(node, operands):
        if node.op == "cast" and operands[0].element == node.element:
            return operands[0]
        return clone(node, operands)

    arguments = [argument("f32", *node.shape) if node in masks else node
                 for node in program.arguments]
    if not masks:
        raise NotApplicable("there is no mask of f16")
    kept = {id(old): new for old, new in zip(program.arguments, arguments)}
    return Stored(
        Program(program.name, arguments, substitute(program.results, kept, drop)),
        [cast(node, "f32") if node in masks else node for node in program.arguments])

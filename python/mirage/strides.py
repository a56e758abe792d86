"""Graphs that do not depend on where tensors lie.

PyTorch traces a model by the strides that its kernels give their results, and these differ
between devices: a convolution's result has channels innermost on one and not on another. So
`linear` becomes another operator, and a reshape begins with a copy. `flatten_linear` makes
one form of the former, and `is_copy` and `name_of_view` say what the latter have in common,
so that a record that was made on one device is found on another.

What a user gives lies where the user put it on every device. Images and filters with channels
innermost, say, are read as they are stored: `order_of` says in which order of dimensions a
tensor is contiguous, and programs take their inputs in that order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
import torch.nn.functional as F

_aten = torch.ops.aten
_VIEWS = {_aten.view.default, _aten._unsafe_view.default, _aten.reshape.default}


def is_copy(node: torch.fx.Node) -> bool:
    """Whether a node is a copy of its operand, which has the same elements in another place."""
    return node.op == "call_function" and node.target is _aten.clone.default


def name_of_view(node: torch.fx.Node) -> str | None:
    """One name for all operators that give a tensor another shape, and None for others."""
    return str(_aten.reshape.default) if node.target in _VIEWS else None


def order_of(tensor: torch.Tensor) -> tuple[int, ...] | None:
    """The order of dimensions in which a tensor is contiguous, from the outermost one, where
    it is not the one of its shape. None for contiguous tensors, and for those that are in no
    order."""
    if tensor.is_contiguous() or not all(isinstance(s, int) for s in tensor.stride()):
        return None
    order = tuple(sorted(range(tensor.dim()), key=lambda dim: -tensor.stride(dim)))
    return order if tensor.permute(order).is_contiguous() else None


def as_stored(tensors: Sequence[torch.Tensor],
              orders: dict[int, tuple[int, ...]]) -> list[torch.Tensor]:
    """Views of tensors, of which those with numbers in `orders` have their dimensions in that
    order."""
    return [x.permute(orders[i]) if i in orders else x for i, x in enumerate(tensors)]


def as_given(tensors: Sequence[torch.Tensor],
             orders: dict[int, tuple[int, ...]]) -> list[torch.Tensor]:
    """The views of which `as_stored` makes `tensors`."""
    return as_stored(tensors, {
        i: tuple(order.index(dim) for dim in range(len(order))) for i, order in orders.items()})


def flatten_linear(graph: torch.fx.GraphModule) -> None:
    """Gives `linear` rows in a graph of Dynamo, where shapes are static: with more dimensions
    it is a product and a sum or one operator, by its operand's strides."""
    for node in list(graph.graph.nodes):
        if node.op != "call_function" or node.target not in (F.linear, torch._C._nn.linear):
            continue
        if len(node.args) not in (2, 3) or node.kwargs:
            continue
        operands = [x.meta.get("example_value") for x in node.args[:2]]
        if not all(isinstance(x, torch.Tensor) for x in operands):
            continue
        shape, (columns, *rest) = operands[0].shape, operands[1].shape
        if len(shape) < 3 or len(rest) != 1 or \
                not all(isinstance(size, int) for size in (*shape, columns)):
            continue
        with graph.graph.inserting_before(node):
            rows = graph.graph.call_function(
                torch.reshape, (node.args[0], (math.prod(shape[:-1]), shape[-1])))
            product = graph.graph.call_function(node.target, (rows, *node.args[1:]))
            result = graph.graph.call_function(torch.reshape, (product, (*shape[:-1], columns)))
        result.meta.update(node.meta)
        node.replace_all_uses_with(result)
        graph.graph.erase_node(node)
    graph.recompile()

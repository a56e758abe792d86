"""Inputs that a graph changes, such as caches of keys and values.

AOTAutograd makes graphs functional: where a model writes some rows of an input, its graph
copies the whole input with these rows in it, and copies the result back at its end. Both
copies take much longer than the rows. `write_in_place` writes the rows into the input, and
those who read the result read what the write returns, so that data alone says the order.
"""

from __future__ import annotations

import torch

_aten = torch.ops.aten


# Functions that write into their first argument and return it, named and called like
# PyTorch's operators that return a changed copy.


def _slice_scatter(tensor, source, dim=0, start=None, end=None, step=1):
    _aten.slice.Tensor(tensor, dim, start, end, step).copy_(source)
    return tensor


def _select_scatter(tensor, source, dim, index):
    tensor.select(dim, index).copy_(source)
    return tensor


# The widest type that PyTorch copies by indices, in bytes.
_WIDEST = 16


def _has_wide_rows(tensor: torch.Tensor) -> bool:
    """Whether rows along the last dimension are whole numbers of the widest type, and lie
    in memory like it."""
    width = _WIDEST // tensor.element_size()
    return (tensor.dim() > 0 and tensor.stride(-1) == 1 and tensor.shape[-1] % width == 0
            and all(stride % width == 0 for stride in tensor.stride()[:-1])
            and tensor.storage_offset() % width == 0 and tensor.data_ptr() % _WIDEST == 0)


def _index_copy(tensor, dim, index, source):
    # PyTorch's kernel copies an element for each thread: 1,024 rows of 1,024 numbers of f16
    # take 6.6 us on an H200, and 4.9 as elements of 16 bytes, which are only moved.
    moved = tensor, source
    if (dim % max(tensor.dim(), 1) != tensor.dim() - 1 and tensor.dtype == source.dtype
            and all(x.is_floating_point() and _has_wide_rows(x) for x in moved)):
        tensor.view(torch.complex128).index_copy_(dim, index, source.view(torch.complex128))
        return tensor
    return tensor.index_copy_(dim, index, source)


def _index_put(tensor, indices, values, accumulate=False):
    return _aten.index_put_.default(tensor, indices, values, accumulate)


def _scatter(tensor, dim, index, source):
    return tensor.scatter_(dim, index, source)


_IN_PLACE = {
    _aten.slice_scatter.default: _slice_scatter,
    _aten.select_scatter.default: _select_scatter,
    _aten.index_copy.default: _index_copy,
    _aten.index_put.default: _index_put,
    _aten.scatter.src: _scatter,
}
for _function in _IN_PLACE.values():
    torch.fx.node.has_side_effect(_function)


def writers() -> list:
    """The functions that write into their first tensor, as `write_in_place` makes them."""
    return list(_IN_PLACE.values())


def is_write(node: torch.fx.Node) -> bool:
    """Whether a node writes into an input, as `write_in_place` made it."""
    return node.op == "call_function" and node.target in _IN_PLACE.values()


def _copies_back(graph: torch.fx.Graph) -> list[torch.fx.Node]:
    return [node for node in graph.nodes
            if node.op == "call_function" and node.target is _aten.copy_.default
            and node.args[0].op == "placeholder" and not node.users]


def _drop_destinations(graph: torch.fx.Graph) -> None:
    """Replaces `copy`, which takes nothing from its destination but shape and type, by
    its source where it has both."""
    for node in list(graph.nodes):
        if node.op != "call_function" or node.target is not _aten.copy.default:
            continue
        destination, source = node.args[:2]
        before, after = destination.meta.get("val"), source.meta.get("val")
        if not isinstance(before, torch.Tensor) or not isinstance(after, torch.Tensor):
            continue
        if (before.shape, before.dtype, before.device) != (
                after.shape, after.dtype, after.device):
            continue
        node.replace_all_uses_with(source)
        graph.erase_node(node)
        if not destination.users and destination.op != "placeholder":
            graph.erase_node(destination)


def _writes(back: torch.fx.Node) -> list[torch.fx.Node] | None:
    """The operators, in order, that change copies of an input before the last is copied
    back; None if not only they read it, or something else is copied back."""
    place, node = back.args[:2]
    chain, follower = [], back
    while node is not place:
        if not isinstance(node, torch.fx.Node) or node.op != "call_function" \
                or node.target not in _IN_PLACE:
            return None
        if follower is not back and set(node.users) != {follower}:
            return None
        chain.append(node)
        node, follower = node.args[0], node
    if not chain or set(place.users) != {chain[-1], back}:
        return None
    if any(user.op == "output" for user in chain[0].users):
        return None
    operands = {operand for write in chain for operand in write.all_input_nodes}
    return None if back in operands else chain[::-1]


def write_in_place(graph: torch.fx.Graph) -> None:
    """Writes into inputs where nothing else reads what they held before."""
    backs = _copies_back(graph)
    if not backs:
        return
    _drop_destinations(graph)
    for back in backs:
        chain = _writes(back)
        if chain is None:
            continue
        graph.erase_node(back)
        for node in chain:
            node.target = _IN_PLACE[node.target]


def copy_back_last(graph: torch.fx.Graph) -> None:
    """Moves what is copied into inputs behind everything that may read them. Nodes were
    sorted by the values that they take, which says nothing of such an order."""
    end = next(node for node in graph.nodes if node.op == "output")
    for node in _copies_back(graph):
        end.prepend(node)

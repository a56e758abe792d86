"""Bytes that kernels read and write, counted from the tensors that they are given.

A kernel counts each of its tensors once, as often as its threads may read it and whether or
not it is in the GPU's cache; where it touches a part of a tensor, that is counted as a whole.
"""

from __future__ import annotations

import torch

from . import mutations
from .manifest import Function


def _tensors(value) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in _tensors(v)]
    return []


def _bytes(tensor: torch.Tensor) -> int:
    """The bytes of the elements; those of an expanded dimension are one."""
    count = tensor.element_size()
    for size, stride in zip(tensor.shape, tensor.stride()):
        count *= size if stride or size == 0 else 1
    return count


def operator_bytes(target, arguments, results) -> int:
    """Of an operator of PyTorch with these operands, of any structure, and results. Views are
    no kernels. What changes a tensor in place writes as much as it reads of its others."""
    read = {id(t): t for t in _tensors(arguments)}
    written = [t for t in _tensors(results) if id(t) not in read]
    if target in mutations.writers():
        first = _tensors(arguments)[0]
        return 2 * sum(_bytes(t) for t in read.values() if t is not first)
    if not isinstance(target, torch._ops.OpOverload) or target.is_view or \
            "empty" in target._schema.name or target is torch.ops.aten._unsafe_view.default:
        return 0
    return sum(map(_bytes, (*read.values(), *written)))


def function_bytes(function: Function) -> int:
    """Of the kernels of a function of Mirage's."""
    return sum(function.find(name).bytes for kernel in function.kernels
               for name in {*kernel.reads, *kernel.writes})


def graph_bytes(graph: torch.fx.GraphModule) -> int:
    """Of a graph in which subgraphs are modules: by `function_bytes` of the launchers of those
    that have one, and by the operators of the others."""
    total = 0
    for node in graph.graph.nodes:
        if node.op == "call_function":
            values = torch.fx.node.map_arg((node.args, node.kwargs),
                                           lambda n: n.meta.get("val"))
            total += operator_bytes(node.target, values, node.meta.get("val"))
        elif node.op == "call_module":
            part = getattr(graph, node.target)
            launcher = getattr(part, "launcher", None)
            if launcher is not None:
                total += function_bytes(launcher.program.function)
            elif isinstance(part, torch.fx.GraphModule):
                total += graph_bytes(part)
    return total

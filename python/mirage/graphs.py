"""Which operators of a graph Mirage has kernels for, and the subgraphs of these.

No list of operators decides: each distinct operator, with its shapes, types and
attributes, is imported alone and given to mirage-opt, which says what it cannot convert.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable

import torch
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

from . import importers, mutations, record, strides, tools

TYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)

# They compute nothing; a subgraph of these alone is left to PyTorch, which does nothing.
_VIEWS = {"view", "reshape", "_unsafe_view", "permute", "transpose", "t", "unsqueeze",
          "squeeze", "expand", "slice", "select", "alias", "detach", "clone", "getitem",
          "split", "split_with_sizes", "as_strided", "_to_copy"}


def name_of(target) -> str:
    """An operator's name, the same on every machine."""
    if isinstance(target, torch._ops.OpOverload):
        return str(target)
    return f"{getattr(target, '__module__', '')}.{getattr(target, '__name__', target)}"


def is_getitem(node: torch.fx.Node) -> bool:
    """Whether the node takes one of the results of another one."""
    return node.op == "call_function" and getattr(node.target, "__name__", "") == "getitem"


def type_text(value) -> str:
    """A tensor's type and shape as text."""
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(map(type_text, value)) + ")"
    return type(value).__name__


def _text(argument, of_node: Callable[[torch.fx.Node], str]) -> str:
    if isinstance(argument, torch.fx.Node):
        return of_node(argument)
    if isinstance(argument, (list, tuple)):
        return "[" + ", ".join(_text(a, of_node) for a in argument) + "]"
    if isinstance(argument, torch.device):
        return "device"
    return repr(argument)


def _call_text(node: torch.fx.Node, of_node) -> str:
    arguments = [_text(a, of_node) for a in node.args]
    arguments += [f"{key}={_text(value, of_node)}" for key, value in sorted(node.kwargs.items())
                  if key not in ("device", "pin_memory", "layout")]
    name = strides.name_of_view(node) or name_of(node.target)
    return f"{name}({', '.join(arguments)})"


def graph_text(graph: torch.fx.Graph) -> str:
    """The graph as text without devices, places, copies and names of nodes: equal texts
    compute the same from inputs in the same order."""
    numbers: dict[torch.fx.Node, str] = {}
    lines = []
    for node in graph.nodes:
        if strides.is_copy(node):
            numbers[node] = numbers[node.args[0]]
            continue
        numbers[node] = f"%{len(lines)}"
        if node.op == "placeholder":
            text = "input"
        elif node.op == "output":
            text = f"output {_text(node.args[0], numbers.__getitem__)}"
        else:
            text = _call_text(node, numbers.__getitem__)
        value = node.meta.get("val")
        # Of several results only those that are used count: GPUs have other types than
        # CPUs for the statistics of a norm.
        types = type_text(value) if isinstance(value, torch.Tensor) else ""
        lines.append(f"{numbers[node]} = {text} : {types}")
    return "\n".join(lines)


def operator_text(node: torch.fx.Node) -> str:
    """The operator alone: its name, attributes, and its operands' types."""
    used = sorted(user.args[1] for user in node.users if is_getitem(user))
    return (_call_text(node, lambda n: type_text(n.meta.get("val")))
            + (f" results {used}" if used else ""))


def _tensors(value) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in _tensors(v)]
    return []


def refusal_by_type(node: torch.fx.Node) -> str | None:
    """Why Mirage has no kernel for a node whatever it computes, or None."""
    if mutations.is_write(node):
        return "it writes into an input"
    if not isinstance(node.target, torch._ops.OpOverload):
        return f"{name_of(node.target)} is no operator of PyTorch"
    if torch.Tag.nondeterministic_seeded in node.target.tags:
        return "it is random"
    if node.target._schema.is_mutable:
        return "it changes a tensor in place"
    tensors = _tensors([n.meta.get("val") for n in node.all_input_nodes])
    results = node.meta.get("val")
    if isinstance(results, (tuple, list)) and node.users and all(map(is_getitem, node.users)):
        # Results that nothing takes may be anything.
        results = [results[place] for place in sorted({user.args[1] for user in node.users})]
    tensors += _tensors(results)
    if not tensors:
        return "it has no tensors"
    for tensor in tensors:
        if tensor.dtype not in TYPES:
            return f"elements of {str(tensor.dtype).removeprefix('torch.')}"
        if not all(isinstance(size, int) for size in tensor.shape):
            return "a dynamic shape"
        if tensor.numel() == 0:
            return "a tensor without elements"
    return None


def without_devices(source: torch.fx.Graph) -> torch.fx.Graph:
    """A copy whose operators create their tensors on the CPU."""
    graph = torch.fx.Graph()
    values: dict[torch.fx.Node, torch.fx.Node] = {}
    result = graph.graph_copy(source, values)
    graph.output(result)
    for node in graph.nodes:
        if node.kwargs.get("device") is not None:
            node.kwargs = {**node.kwargs, "device": torch.device("cpu")}
        if any(isinstance(a, torch.device) for a in node.args):
            node.args = tuple(torch.device("cpu") if isinstance(a, torch.device) else a
                              for a in node.args)
    return graph


def _alone(node: torch.fx.Node) -> tuple[torch.fx.GraphModule, list[torch.Tensor]]:
    """The operator as a graph, and values like its operands."""
    graph = torch.fx.Graph()
    operands = {operand: graph.placeholder(f"x{i}")
                for i, operand in enumerate(node.all_input_nodes)}
    call = graph.create_node("call_function", node.target,
                             torch.fx.node.map_arg(node.args, operands.__getitem__),
                             torch.fx.node.map_arg(node.kwargs, operands.__getitem__))
    used = sorted({user.args[1] for user in node.users if is_getitem(user)})
    if used:
        graph.output(tuple(graph.call_function(operator.getitem, (call, i)) for i in used))
    else:
        graph.output((call,))
    return (torch.fx.GraphModule(torch.nn.Module(), without_devices(graph)),
            [operand.meta["val"] for operand in operands])


def probe(nodes: dict[str, torch.fx.Node]) -> dict[str, str | None]:
    """Why mirage-opt leaves each of these operators, by their texts; None where it
    converts all of it. Answers are recorded."""
    names = {text: record.key("operator", text, tools.identity()) for text in nodes}
    answers: dict[str, str | None] = {}
    chunks: list[tuple[str, str]] = []
    for text, node in nodes.items():
        known = record.read_json(names[text], "answer.json")
        # Another importer may take what the one of the record refused.
        if known is not None and known["importer"] in (None, importers.available()):
            answers[text] = known["reason"]
            continue
        try:
            chunks.append((text, importers.to_linalg(
                importers.trace(*_alone(node)), f"operator{len(chunks)}")))
        except importers.NoImporter as error:
            answers[text] = str(error)
            continue
        except Exception as error:  # importers and decompositions raise anything
            message = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
            answers[text] = f"it is not imported: {message}"
            _note(names[text], answers[text], importers.available())
    if not chunks:
        return answers
    separator = "// -----\n"
    starts, line = [], 1
    for _, chunk in chunks:
        starts.append(line)
        line += chunk.count("\n") + (not chunk.endswith("\n")) + 1
    whole = separator.join(c if c.endswith("\n") else c + "\n" for _, c in chunks)
    done = tools.run("mirage-opt", "--split-input-file", "--mirage-import-linalg", "-",
                     input=whole, check=False)
    said: dict[int, str] = {}
    for found in re.finditer(r"^[^\n:]*:(\d+):\d+: (error|remark): (.*)$", done.stderr, re.M):
        number = sum(start <= int(found.group(1)) for start in starts) - 1
        said.setdefault(number, found.group(3))
    for number, (text, _) in enumerate(chunks):
        body = re.search(rf"func\.func @operator{number}\((.*?)\n  }}", done.stdout, re.S)
        if body is None:
            answers[text] = said.get(number, "mirage-opt refuses it")
        else:
            operations = re.findall(r"= \"?([a-z_]+)\.\w+", body.group(1))
            foreign = [o for o in operations if not o.startswith("mirage")]
            answers[text] = said.get(number, f"{foreign[0]} stays") if foreign else None
        _note(names[text], answers[text], None)
    return answers


def _note(name: str, reason: str | None, importer: str | None) -> None:
    """Records an answer; `importer` is whose it is if it is not mirage-opt's."""
    record.write(name, {"answer.json": json.dumps({"reason": reason, "importer": importer})})


class _Support(OperatorSupportBase):
    def __init__(self, supported: set[torch.fx.Node]) -> None:
        self.supported = supported

    def is_node_supported(self, submodules, node) -> bool:
        return node in self.supported


def classify(graph: torch.fx.Graph) -> dict[torch.fx.Node, str | None]:
    """For each operator of the graph the reason why Mirage has no kernel for it, or
    None."""
    reasons: dict[torch.fx.Node, str | None] = {}
    distinct: dict[str, torch.fx.Node] = {}
    texts: dict[torch.fx.Node, str] = {}
    for node in graph.nodes:
        if node.op != "call_function" or is_getitem(node):
            continue
        reasons[node] = refusal_by_type(node)
        # A copy is nothing but the tensor for whoever reads it.
        if reasons[node] is None and not strides.is_copy(node):
            texts[node] = operator_text(node)
            distinct.setdefault(texts[node], node)
    answers = probe(distinct)
    for node, text in texts.items():
        reasons[node] = answers[text]
    for node in graph.nodes:
        if is_getitem(node):
            reasons[node] = reasons.get(node.args[0], "its operand is none of Mirage's")
    return reasons


# They give a tensor another shape or order without a copy.
_PURE_VIEWS = {"view", "_unsafe_view", "permute", "transpose", "t", "unsqueeze", "squeeze"}
_TRANSPOSITIONS = {"permute", "transpose", "t"}
_CONVOLUTIONS = {"convolution", "_convolution", "conv1d", "conv2d", "conv3d"}


def _short_name(node: torch.fx.Node) -> str:
    """An operator's name without its namespace and overload."""
    return name_of(node.target).split(".")[-2 if isinstance(
        node.target, torch._ops.OpOverload) else -1]


def _last_views(nodes: list[torch.fx.Node]) -> set[torch.fx.Node]:
    """The views at the end of a set of nodes that reorder what one of the others computes,
    and that nothing but the graph's results reads. PyTorch gives them without a kernel, where
    Mirage's results, which are contiguous, would have to be moved. What they view is
    contiguous in PyTorch, too, so that its views are right for what Mirage computes.

    Sets with convolutions have none: the order of a convolution's result differs between
    devices, by which a graph would not find its record, and Mirage's kernels may have
    computed it in the order of the view."""
    if any(_short_name(node) in _CONVOLUTIONS for node in nodes):
        return set()

    def is_last(node: torch.fx.Node, views: set[torch.fx.Node]) -> bool:
        return node.op == "call_function" and _short_name(node) in _PURE_VIEWS and \
            all(user.op == "output" or user in views for user in node.users)

    inside, found = set(nodes), set()
    for last in nodes:
        # A chain of views, from the result on.
        chain: set[torch.fx.Node] = set()
        node = last
        while node in inside and is_last(node, chain | found):
            chain.add(node)
            node = node.args[0]
        value = node.meta.get("val")
        if node in inside and isinstance(value, torch.Tensor) and value.is_contiguous() and \
                any(_short_name(view) in _TRANSPOSITIONS for view in chain):
            found |= chain
    return found


def partition(graph: torch.fx.GraphModule,
              supported: set[torch.fx.Node]) -> tuple[torch.fx.GraphModule, list[str]]:
    """The graph with each connected set of supported operators as a submodule, and the
    names of these. Sets that only look at tensors in another shape stay, and so do views at
    the end of others that reorder what these compute."""
    partitioner = CapabilityBasedPartitioner(graph, _Support(supported),
                                             allows_single_node_partition=True)
    chosen = []
    for part in partitioner.propose_partitions():
        if any(_short_name(node) not in _VIEWS for node in part.nodes):
            for view in _last_views(list(part.nodes)):
                part.remove_node(view)
            chosen.append(part)
    before = {node.name for node in graph.graph.nodes}
    fused = partitioner.fuse_partitions(chosen)
    return fused, [node.name for node in fused.graph.nodes
                   if node.op == "call_module" and node.name not in before]

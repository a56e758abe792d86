"""Compares subgraphs that kernels compute with PyTorch in float64, element by element.

Every call of a subgraph is checked where it happens. PyTorch's own operators are run on
the call's inputs in float64, and mirage-run derives for each element how far f32
arithmetic and rounding to the element type may be from that.
"""

import contextlib
import os
import re
import tempfile
import unittest.mock

import numpy
import torch

from mirage import strides, tools, torch_backend

# Parts of the largest element, between two evaluations in float64 of one program in
# another order, whose sums have at most some hundred terms: rounding is 2^-53 of each.
SAME = 2.0**-36
# The same for a program of narrower types. Its constants, such as the epsilon of a norm,
# were rounded to f32, by 2^-25; norms and exponentials make less than 2^7 of that here.
NARROW = 2.0**-18


class Wrong(Exception):
    """A check failed; the message says how."""


def expect(condition, text):
    if not condition:
        raise Wrong(text)


def count_copies(function, *inputs):
    """How often a call clones a tensor."""
    original, copies = torch.Tensor.clone, []

    def clone(tensor, **keywords):
        copies.append(tensor)
        return original(tensor, **keywords)

    with unittest.mock.patch.object(torch.Tensor, "clone", clone):
        function(*inputs)
    return len(copies)


def in_float64(module):
    """A copy of a graph in which every type is float64."""
    graph = torch.fx.Graph()
    graph.output(graph.graph_copy(module.graph, {}))

    def widen(value):
        return torch.float64 if isinstance(value, torch.dtype) and \
            value.is_floating_point else value
    for node in graph.nodes:
        node.args = torch.fx.node.map_aggregate(node.args, widen)
        node.kwargs = torch.fx.node.map_aggregate(node.kwargs, widen)
    return torch.fx.GraphModule(module, graph)


def whole(text):
    """The module of a program with a function @main that computes what it loads, too."""
    found = re.search(r"func\.func @main\((.*?)\) -> (.*?) attributes "
                      r"\{mirage\.load = @main\.load\}", text)
    if not found:
        return text
    arguments = re.findall(r": (tensor<[^>]*>)( \{mirage\.constant\})?", found.group(1))
    made = re.findall(r"tensor<[^>]*>",
                      re.search(r"func\.func @main\.load\(.*?\) -> (.*) \{", text).group(1))
    results = re.findall(r"tensor<[^>]*>", found.group(2))
    given = arguments[:len(arguments) - len(made)]

    def call(name, callee, operands, kinds, types):
        return (f"%{name}:{len(types)} = call @{callee}({', '.join(operands)}) : "
                f"({', '.join(kinds)}) -> ({', '.join(types)})")
    constant = [i for i, (_, mark) in enumerate(given) if mark]
    kinds = [kind for kind, _ in given]
    text = text.replace(found.group(0), found.group(0).replace(
        "func.func @main(", "func.func private @main.call(").replace(
            " attributes {mirage.load = @main.load}", ""))
    text = text.replace("func.func @main.load(", "func.func private @main.load(")
    lines = [f"func.func @main({', '.join(f'%a{i}: {kind}' for i, kind in enumerate(kinds))}) "
             f"-> ({', '.join(results)}) {{",
             call("l", "main.load", [f"%a{i}" for i in constant],
                  [kinds[i] for i in constant], made),
             call("r", "main.call", [*(f"%a{i}" for i in range(len(given))),
                                     *(f"%l#{i}" for i in range(len(made)))],
                  [*kinds, *made], results),
             f"return {', '.join(f'%r#{i}' for i in range(len(results)))} : "
             f"{', '.join(results)}", "}"]
    end = text.rindex("}")
    return text[:end] + "\n".join(lines) + "\n}\n"


def bounds(program, inputs):
    """For each result: the program in f64, and the bound of each element."""
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "main"))
        for number, value in enumerate(inputs):
            value = value.float() if value.dtype == torch.bfloat16 else value
            numpy.save(os.path.join(folder, "main", f"input{number}.npy"),
                       value.detach().contiguous().numpy())
        # Without the private functions that main calls, which have no inputs here.
        inlined = os.path.join(folder, "program.mlir")
        with open(os.path.join(program.folder, "program.mlir")) as file:
            text = whole(file.read())
        tools.run("mirage-opt", "-", "--inline", "--symbol-dce", "-o", inlined, input=text)
        tools.run("mirage-run", inlined, f"--batch={folder}", "--check-bounds")
        return [tuple(torch.from_numpy(numpy.load(os.path.join(folder, "main", f"{kind}{n}.npy")))
                      for kind in ("exact", "bound"))
                for n in range(len(program.function.results))]


def check_call(compiled, inputs, results):
    """Raises Wrong if an element of the results is beyond its bound; returns the largest
    part of a bound that is used."""
    double = in_float64(compiled.original)
    with torch.no_grad():
        exact = double(*(x.double() for x in inputs))
    exact = [exact] if compiled.single else list(exact)
    worst = 0.0
    stored = strides.as_stored(inputs, compiled.orders)
    for result, reference, (own, bound) in zip(results, exact,
                                               bounds(compiled.launcher.program, stored)):
        scale = reference.abs().max().clamp(min=1e-30)
        same = SAME if result.dtype == torch.float64 else NARROW
        if not ((own - reference).abs().max() <= same * scale):
            raise Wrong("the program is not the subgraph: in float64 they differ by "
                        f"{((own - reference).abs().max() / scale).item():.1e}")
        part = ((result.double() - reference).abs()
                / (bound + same * scale)).max().item()
        if not part <= 1:
            raise Wrong(f"an element differs by {part:.2f} of its bound")
        worst = max(worst, part)
    return worst


@contextlib.contextmanager
def every_call():
    """Checks each call of a subgraph; gives the list of the parts of bounds used."""
    parts = []
    original = torch_backend.Compiled.forward

    def forward(self, *inputs):
        results = original(self, *inputs)
        if self.launcher is None:
            raise Wrong(self.entry.reason)
        with torch.no_grad():
            parts.append(check_call(self, inputs, [results] if self.single else results))
        return results
    torch_backend.Compiled.forward = forward
    try:
        yield parts
    finally:
        torch_backend.Compiled.forward = original

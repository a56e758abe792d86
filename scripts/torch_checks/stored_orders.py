"""The check of tensors that are stored in another order of dimensions than that of their shape,
as images and filters of `channels_last` are.
"""

import os
import tempfile
import unittest.mock

import torch

from mirage import importers, report

from .derived import count_copies, every_call, expect


class Rows(torch.nn.Module):
    """Pixels of an image as rows, whose strides are those of the image."""

    def __init__(self):
        super().__init__()
        self.linear, self.norm = torch.nn.Linear(8, 16), torch.nn.LayerNorm(16)

    def forward(self, x):
        rows = torch.relu(x).flatten(2).transpose(1, 2)
        return self.norm(self.linear(torch.nn.functional.gelu(rows)))


def _call(compile_anew, model, x, copies):
    """Calls a model whose calls copy so many of its inputs; its result, and what is reported of
    its subgraph."""
    start = len(report.graphs)
    compiled = compile_anew(model)
    with torch.no_grad(), every_call():
        result = compiled(x)
    graph, = report.graphs[start:]
    expect(len(graph.subgraphs) == 1 and graph.subgraphs[0].replaced and not graph.left,
           f"it is not one subgraph: {graph}")
    with torch.no_grad():
        made = count_copies(compiled, x)
    expect(made == copies, f"a call makes {made} copies in place of {copies}")
    return result, graph.subgraphs[0]


def _check_records(compile_anew):
    """Where no tools are, what was recorded for contiguous inputs is found for others, of which
    PyTorch traces another graph."""
    torch.manual_seed(7)
    model = Rows().half().eval()
    image = torch.randn(1, 8, 4, 6).half()
    expected, recorded = _call(compile_anew, model, image, 0)
    innermost = image.contiguous(memory_format=torch.channels_last)
    with tempfile.TemporaryDirectory() as nothing, \
            unittest.mock.patch("mirage.tools.available", lambda: False), \
            unittest.mock.patch("mirage.importers.to_linalg", side_effect=importers.NoImporter):
        result, found = _call(compile_anew, model, innermost, 1)
    expect(found.recorded and found.program.name == recorded.program.name,
           "the program of contiguous inputs is not found")
    expect(torch.equal(result, expected), "it differs")
    # With tools, the image is read as it is stored. Rows of its pixels are then no copies.
    result, found = _call(compile_anew, model, innermost, 0)
    shape = found.program.inputs()[0].shape
    expect(shape == (1, 4, 6, 8), f"the program takes an image of {shape}")
    expect((result - expected).abs().max() < 0.01, "it differs as it is stored")


def check(compile_anew, convolutions):
    """Checks that programs read images and filters as they are stored, without copies, and that
    what is in no order of dimensions is copied."""
    _check_records(compile_anew)
    model, (x,) = convolutions()
    expected, found = _call(compile_anew, model, x, 0)
    innermost = x.contiguous(memory_format=torch.channels_last)
    result, stored = _call(compile_anew, model.to(memory_format=torch.channels_last), innermost, 0)
    expect((result - expected).abs().max() < 0.01, "innermost channels are misread")
    _call(compile_anew, model, torch.stack([innermost, innermost], -1)[..., 0], 1)
    before, kernels = (len(one.program.function.kernels) for one in (found, stored))
    expect(kernels < before, "the image is moved")
    return f"{kernels} kernels for innermost channels, {before} for others, and no copies"

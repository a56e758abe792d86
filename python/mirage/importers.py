"""From graphs of PyTorch to linalg, by torch-mlir or by IREE's importer.

Both are optional packages; without either, programs are found in the record alone.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys

import torch
from torch._decomp import core_aten_decompositions
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from . import activations, attention, images, norms


class ImportFailure(RuntimeError):
    """The importer does not take a graph; the message is the importer's, shortened."""


class NoImporter(ImportFailure):
    """No importer is installed."""


@functools.lru_cache(maxsize=None)
def available() -> str | None:
    """"torch-mlir", "iree", or None. MIRAGE_IMPORTER names one of both, or "none"."""
    chosen = os.environ.get("MIRAGE_IMPORTER")
    if chosen in (None, "", "torch-mlir") and importlib.util.find_spec("torch_mlir"):
        return "torch-mlir"
    if chosen in (None, "", "iree") and importlib.util.find_spec("iree") and \
            importlib.util.find_spec("iree.compiler"):
        return "iree"
    return None


@functools.lru_cache(maxsize=None)
def _decompositions() -> dict:
    table = dict(core_aten_decompositions())
    table.update(attention.TABLE)
    more = torch._decomp.get_decompositions([
        torch.ops.aten._fused_rms_norm, torch.ops.aten._fused_rms_norm_backward,
        torch.ops.aten._unsafe_view, torch.ops.aten.t, torch.ops.aten.silu,
        torch.ops.aten._scaled_dot_product_flash_attention_for_cpu])
    table.update(more)
    table.update(norms.TABLE)
    table.update(images.TABLE)
    table.update(activations.TABLE)
    return table


def trace(module, values: list[torch.Tensor]) -> torch.fx.GraphModule:
    """The module's graph in PyTorch's core operators. `values` give shapes and types of
    its inputs; nothing is computed, and devices do not matter."""
    with FakeTensorMode(), torch.no_grad():
        inputs = [torch.empty(v.shape, dtype=v.dtype) for v in values]
        graph = make_fx(lambda *xs: tuple(module(*xs)), _decompositions())(*inputs)
    graph.graph.eliminate_dead_code()
    graph.recompile()
    return graph


def _shorten(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    message = (errors or lines or ["no message"])[0]
    return message[:300]


def _by_torch_mlir(graph: torch.fx.GraphModule, name: str) -> str:
    try:
        from torch_mlir import fx
    except ImportError as error:
        raise NoImporter(f"torch-mlir cannot be imported: {error}") from error
    return str(fx.stateless_fx_import(graph, output_type="linalg-on-tensors",
                                      model_name=name))


def _iree_opt() -> str:
    beside = os.path.join(os.path.dirname(sys.executable), "iree-opt")
    found = beside if os.path.exists(beside) else shutil.which("iree-opt")
    if not found:
        raise NoImporter("iree-opt of iree-base-compiler is not installed")
    return found


def _by_iree(graph: torch.fx.GraphModule, name: str) -> str:
    try:
        from iree.compiler import ir
        from iree.compiler.extras.fx_importer import FxImporter
    except ImportError as error:
        raise NoImporter(f"IREE's importer cannot be imported: {error}") from error
    importer = FxImporter(context=ir.Context())
    importer.import_stateless_graph(graph.graph, func_name=name)
    done = subprocess.run(
        [_iree_opt(), "--torchdynamo-export-to-torch-backend-pipeline",
         "--torch-backend-to-linalg-on-tensors-backend-pipeline", "-"],
        input=str(importer.module), capture_output=True, text=True)
    if done.returncode:
        raise ImportFailure(_shorten(done.stderr))
    return done.stdout


def to_linalg(graph: torch.fx.GraphModule, name: str) -> str:
    """A module in linalg with a function of that name that computes the graph, which
    `trace` made. ImportFailure where the importer does not take it."""
    chosen = available()
    if chosen is None:
        raise NoImporter("neither torch-mlir nor iree-base-compiler is installed, and the "
                         "record does not have this graph")
    noise = io.StringIO()
    try:
        with contextlib.redirect_stderr(noise), contextlib.redirect_stdout(noise):
            return (_by_torch_mlir if chosen == "torch-mlir" else _by_iree)(graph, name)
    except ImportFailure:
        raise
    except Exception as error:  # importers raise whatever they like
        raise ImportFailure(_shorten(f"{error}")) from error


def mark_constants(text: str, numbers: list[int]) -> str:
    """The module with the attribute `mirage.constant` at the arguments of @main that have
    these numbers. ImportFailure if there is no such argument."""
    signature = re.search(r"func\.func @main\((.*?)\) *->", text, re.S)
    marked = signature.group(1) if signature else ""
    for number in numbers:
        marked, count = re.subn(rf"(%arg{number}: tensor<[^>]*>)", r"\1 {mirage.constant}",
                                marked, count=1)
        if not count:
            raise ImportFailure(f"argument {number} of @main is not found")
    return text.replace(signature.group(1), marked, 1) if numbers else text

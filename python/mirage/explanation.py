"""What torch.compile(backend="mirage") makes of a model, as text."""

from __future__ import annotations

import dataclasses

import torch

from . import measurement, report
from .torch_backend import Compiled, Options, backend


@dataclasses.dataclass
class Explanation:
    """Graphs in the order in which they were compiled, and PyTorch's reasons for
    breaking the model into several. str() is what `explain` prints."""

    graphs: list[report.Graph]
    breaks: list[str]

    def __str__(self) -> str:
        lines = [str(graph) for graph in self.graphs] or ["PyTorch traced no graph"]
        lines += [f"graph break: {reason}" for reason in self.breaks]
        return "\n".join(lines)


def explain(model, *inputs, options: dict | None = None, **keywords) -> Explanation:
    """Compiles `model`, a module or function, calls it once, prints and returns what was
    replaced, by which estimated and measured times, and why the rest was not.

    `inputs` and `keywords` are what the model takes; `options` those of the backend.
    Where tensors are on the CPU and no option says what to do with them, kernels are
    compiled and not run. Gradients are computed if they are enabled and a result needs
    them. What is measured is the time on a GPU. ValueError for unknown options; what the
    model itself raises passes through."""
    options = dict(options or {})
    if Options.of(options).device == "auto" and not _on_gpu(model, inputs, keywords):
        options["device"] = "record"
    torch._dynamo.reset()
    torch._dynamo.utils.counters["graph_break"].clear()
    start = len(report.graphs)
    modules: list[Compiled] = []
    report.compiled_hook = modules.append
    try:
        compiled = torch.compile(model, backend=backend, options=options)
        result = compiled(*inputs, **keywords)
        if torch.is_grad_enabled():
            _run_backward(result)
    finally:
        report.compiled_hook = None
    for module in modules:
        if module.launcher is not None and module.launcher.device.type == "cuda" \
                and module.entry.measured is None:
            module.entry.measured, module.entry.measured_torch = measurement.measure(module)
    explanation = Explanation(report.graphs[start:],
                              list(torch._dynamo.utils.counters["graph_break"]))
    print(explanation)
    return explanation


def _tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for v in value.values():
            yield from _tensors(v)
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from _tensors(v)


def _on_gpu(model, inputs, keywords) -> bool:
    held = list(model.parameters()) if isinstance(model, torch.nn.Module) else []
    return any(t.is_cuda for t in (*held, *_tensors(inputs), *_tensors(keywords)))


def _run_backward(result) -> None:
    wanted = [t for t in _tensors(result) if t.requires_grad]
    if wanted:
        sum(t.float().sum() for t in wanted).backward()

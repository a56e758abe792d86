"""What torch.compile(backend="mirage") makes of a model, as text."""

from __future__ import annotations

import dataclasses
import statistics

import torch

from . import report
from .launcher import Launcher
from .torch_backend import Compiled, Options, backend

_REPETITIONS = 30


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


def _time(function, inputs) -> float:
    """The median of times of a call inside a CUDA graph, in microseconds."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream), torch.no_grad():
        for _ in range(3):
            function(*inputs)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            kept = function(*inputs)
        times = []
        for _ in range(_REPETITIONS):
            begin = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            begin.record()
            graph.replay()
            end.record()
            end.synchronize()
            times.append(1000 * begin.elapsed_time(end))
    torch.cuda.current_stream().wait_stream(stream)
    del kept
    return statistics.median(times)


def measure(subgraph: Compiled) -> None:
    """Notes the measured times of a subgraph's kernels and of PyTorch's operators, on
    random inputs that stay in the GPU's cache as far as they fit."""
    launcher: Launcher | None = subgraph.launcher
    if launcher is None or launcher.device.type != "cuda":
        return
    from .launcher import TYPES
    inputs = [torch.randn(b.shape, device=launcher.device).to(TYPES[b.type])
              for b in launcher.inputs]
    subgraph.entry.measured = _time(subgraph, inputs)
    subgraph.entry.measured_torch = _time(subgraph.original, inputs)


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
        measure(module)
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

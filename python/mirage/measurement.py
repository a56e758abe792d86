"""Times of subgraphs on a GPU, by Mirage's kernels and by PyTorch's operators."""

from __future__ import annotations

import functools
import statistics

import torch

from . import strides
from .launcher import TYPES

_REPETITIONS = 30


@functools.lru_cache(maxsize=None)
def _stream(device: torch.device) -> torch.cuda.Stream:
    """The stream on which everything is measured: libraries keep a workspace of some tens
    of megabytes for each stream on which they were called."""
    return torch.cuda.Stream(device)


def _time(function, inputs) -> float:
    """The median of times of a call inside a CUDA graph, in microseconds."""
    stream = _stream(torch.device("cuda", torch.cuda.current_device()))
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


def _inputs(launcher) -> list[torch.Tensor]:
    return [torch.randn(b.shape, device=launcher.device).to(TYPES[b.type])
            for b in launcher.inputs]


def measure_launchers(launchers) -> list[float]:
    """Microseconds of launchers of one subgraph on its GPU, as `measure` has them."""
    with torch.cuda.device(launchers[0].device):
        inputs = _inputs(launchers[0])
        return [_time(launcher, inputs) for launcher in launchers]


def measure(subgraph) -> tuple[float, float]:
    """Microseconds of a `Compiled` subgraph on its GPU, by its kernels and by PyTorch's
    operators, on random inputs. Both run inside CUDA graphs, so that the time in which
    launches are submitted does not count; what fits stays in the GPU's cache. Inputs lie as
    those of the graph that was compiled."""
    launcher = subgraph.launcher
    with torch.cuda.device(launcher.device):
        inputs = _inputs(launcher)
        given = strides.as_given(inputs, subgraph.orders)
        return _time(launcher, inputs), _time(subgraph.original, given)

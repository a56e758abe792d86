"""Times of subgraphs on a GPU, by Mirage's kernels and by PyTorch's operators."""

from __future__ import annotations

import functools
import math
import statistics

import torch

from . import strides
from .launcher import TYPES

_REPETITIONS = 30
# A graph that is timed has as many calls as take this long, in microseconds. Starting a graph
# takes as long as some kernels do, and differs from one graph to the next whatever is in it.
_LEAST_TIME = 100.0


@functools.lru_cache(maxsize=None)
def _stream(device: torch.device) -> torch.cuda.Stream:
    """The stream on which everything is measured: libraries keep a workspace of some tens
    of megabytes for each stream on which they were called."""
    return torch.cuda.Stream(device)


def count_calls(microseconds: float) -> int:
    """How many calls a graph that is timed has, of which one takes so long by itself."""
    return max(1, math.ceil(_LEAST_TIME / max(microseconds, 1.0)))


def _time_calls(function, inputs, calls: int) -> float:
    """The median of times of a CUDA graph of so many calls, in microseconds for each call."""
    stream = _stream(torch.device("cuda", torch.cuda.current_device()))
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream), torch.no_grad():
        for _ in range(3):
            function(*inputs)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            for _ in range(calls):
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
    return statistics.median(times) / calls


def _time(function, inputs) -> float:
    """The time of a call inside a CUDA graph of several, in microseconds."""
    alone = _time_calls(function, inputs, 1)
    calls = count_calls(alone)
    return alone if calls == 1 else _time_calls(function, inputs, calls)


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
    operators, on random inputs. Both run inside CUDA graphs of several calls where one takes
    less than _LEAST_TIME, so that neither the time in which launches are submitted nor much of
    that in which graphs start counts; what fits stays in the GPU's cache. Inputs lie as those
    of the graph that was compiled."""
    launcher = subgraph.launcher
    with torch.cuda.device(launcher.device):
        inputs = _inputs(launcher)
        given = strides.as_given(inputs, subgraph.orders)
        return _time(launcher, inputs), _time(subgraph.original, given)

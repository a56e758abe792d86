#!/usr/bin/env python3
"""The checks that scripts/check-torch-cuda.py makes a folder for.

  run_cuda.py OUT --cases llama-f16,training-f32          on a GPU
  run_cuda.py OUT --cases ... --record                    records kernels, without a GPU
"""

import argparse
import gc
import json
import logging
import os
import statistics
import sys
import time
import traceback

import torch

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
import mirage
from mirage import report
from torch_checks import layers

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}
CALLS = 1000


class Wrong(Exception):
    """A check failed; the message says how."""


def error(value, exact):
    """The Frobenius norm of the difference, relative to that of `exact`."""
    return ((value.double() - exact).norm() / exact.norm()).item()


def mirage_compile(model, **options):
    torch._dynamo.reset()
    start = len(report.graphs)
    compiled = torch.compile(model, backend="mirage",
                             options={"strict": True, **options}, dynamic=False)
    return compiled, start


def replaced(start):
    """The reports since `start`; raises Wrong if some subgraph was not replaced."""
    made = report.graphs[start:]
    parts = [part for graph in made for part in graph.subgraphs]
    if not any(part.replaced for part in parts):
        raise Wrong("nothing was replaced: " + "; ".join(map(str, made)))
    return made


def check_leak(call):
    """Calls many times; nothing may be held afterwards."""
    call()
    torch.cuda.synchronize()
    gc.collect()
    before = torch.cuda.memory_allocated(), torch.cuda.mem_get_info()[0]
    for _ in range(CALLS):
        call()
    torch.cuda.synchronize()
    gc.collect()
    after = torch.cuda.memory_allocated(), torch.cuda.mem_get_info()[0]
    if after[0] != before[0]:
        raise Wrong(f"{after[0] - before[0]} bytes are held after {CALLS} calls")
    if before[1] - after[1] > 64 << 20:
        raise Wrong(f"the device has {before[1] - after[1]} bytes less")
    return f"no byte held after {CALLS} calls"


def check_streams(compiled, x):
    """Two streams at once give the bits that one gives."""
    inputs = [x, x * 0.5 + 0.1]
    expected = [compiled(value).clone() for value in inputs]
    torch.cuda.synchronize()
    streams = [torch.cuda.Stream() for _ in inputs]
    results = [[], []]
    for _ in range(50):
        for stream, value, made in zip(streams, inputs, results):
            with torch.cuda.stream(stream):
                made.append(compiled(value))
    torch.cuda.synchronize()
    for value, made in zip(expected, results):
        if not all(torch.equal(value, other) for other in made):
            raise Wrong("two streams disturb each other")
    return "two streams right"


def capture(call):
    """A CUDA graph of a call, and its result."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = call()
    return graph, result


def check_graph(compiled, x):
    """A CUDA graph follows its input."""
    held = x.clone()
    graph, result = capture(lambda: compiled(held))
    for factor in (1.0, -0.75):
        held.copy_(x * factor)
        graph.replay()
        torch.cuda.synchronize()
        if not torch.equal(result, compiled(x * factor)):
            raise Wrong("a CUDA graph gives other bits")
    return "CUDA graph right"


def median_time(call, repetitions=50):
    """Microseconds of a call inside a CUDA graph, and of one that is submitted."""
    graph, kept = capture(call)

    def run(function):
        times = []
        for _ in range(repetitions):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            function()
            end.record()
            end.synchronize()
            times.append(1000 * begin.elapsed_time(end))
        return statistics.median(times)
    times = run(graph.replay), run(call)
    del kept
    return times


def run_layer(name, dtype, out):
    model, x = layers.make(name, dtype, "cuda")
    double, x64 = layers.make(name, torch.float64, "cuda")
    double.load_state_dict(model.state_dict())
    with torch.no_grad():
        exact = double(x.double())
        del double, x64
        eager_error = error(model(x), exact)
        compiled, start = mirage_compile(model, replace="all")
        begin = time.monotonic()
        result = compiled(x)
        torch.cuda.synchronize()
        seconds = time.monotonic() - begin
        made = replaced(start)
        for graph in made:
            print(graph, file=out)
        mirage_error = error(result, exact)
        print(f"  first call {seconds:.1f} s; error {mirage_error:.2e}, "
              f"eager's {eager_error:.2e}", flush=True)
        if not mirage_error <= 2 * eager_error:
            raise Wrong(f"an error of {mirage_error:.2e}, and eager's is {eager_error:.2e}")
        checks = [check_leak(lambda: compiled(x)), check_streams(compiled, x),
                  check_graph(compiled, x)]
        print("  " + "; ".join(checks), flush=True)
        times = {"eager": median_time(lambda: model(x)),
                 "mirage, all": median_time(lambda: compiled(x))}
        faster, start = mirage_compile(model)
        faster(x)
        for graph in report.graphs[start:]:
            print("chosen by measured times:", graph, file=out)
        times["mirage"] = median_time(lambda: faster(x))
        torch._dynamo.reset()
        try:
            inductor = torch.compile(model, dynamic=False)
            inductor(x)
            times["inductor"] = median_time(lambda: inductor(x))
        except Exception as problem:  # it may have no compiler here
            print(f"  inductor does not run: {str(problem).splitlines()[0][:150]}")
    for mode, (inside, submitted) in times.items():
        print(f"  {mode:12} {inside:9.1f} µs in a CUDA graph, {submitted:9.1f} µs a call")
    return {"error": mirage_error, "eager_error": eager_error, "times": times}


def training(dtype, device):
    torch.manual_seed(2)
    model = layers.GatedMLP(512, 1024).to(device=device, dtype=dtype)
    return model, torch.randn(64, 512).to(device=device, dtype=dtype)


def run_training(dtype, out):
    """Gradients of a gated MLP against float64, the error of eager mode beside."""
    model, x = training(dtype, "cuda")
    double = layers.GatedMLP(512, 1024).to(device="cuda", dtype=torch.float64)
    double.load_state_dict(model.state_dict())

    def gradients(function, owner, value):
        owner.zero_grad()
        function(value).pow(2).sum().backward()
        return [parameter.grad.clone() for parameter in owner.parameters()]
    exact = gradients(double, double, x.double())
    eager = max(map(error, gradients(model, model, x), exact))
    compiled, start = mirage_compile(model, replace="all")
    own = max(map(error, gradients(compiled, model, x), exact))
    for graph in replaced(start):
        print(graph, file=out)
    print(f"  gradients: error {own:.2e}, eager's {eager:.2e}")
    # Eager products of f32 are exact to f32 as well, unless TF32 is allowed.
    if not own <= 4 * eager:
        raise Wrong(f"gradients have an error of {own:.2e}, and eager's is {eager:.2e}")
    model.zero_grad(set_to_none=False)

    def step():
        compiled(x).pow(2).sum().backward()
    print("  " + check_leak(step))
    return {"error": own, "eager_error": eager}


def record(cases):
    for case in cases:
        name, _, type = case.rpartition("-")
        if name == "training":
            model, x = training(TYPES[type], "cpu")
            compiled, start = mirage_compile(model, device="record", replace="all")
            compiled(x).pow(2).sum().backward()
        else:
            model, x = layers.make(name, TYPES[type], "cpu")
            compiled, start = mirage_compile(model, device="record", replace="all")
            with torch.no_grad():
                compiled(x)
        for graph in replaced(start):
            print(graph, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--cases", required=True)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    cases = options.cases.split(",")
    if options.record:
        record(cases)
        return 0
    os.makedirs(options.out, exist_ok=True)
    logging.basicConfig(filename=os.path.join(options.out, "log.txt"))
    logging.getLogger("mirage").setLevel(logging.DEBUG)
    torch.backends.cuda.matmul.allow_tf32 = False
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, "
          f"mirage {mirage.__version__}", flush=True)
    results, failures = {}, 0
    with open(os.path.join(options.out, "graphs.txt"), "w") as out:
        for case in cases:
            name, _, type = case.rpartition("-")
            print(case, flush=True)
            print(case, file=out)
            try:
                results[case] = (run_training(TYPES[type], out) if name == "training"
                                 else run_layer(name, TYPES[type], out))
            except Exception as problem:  # the other cases go on
                failures += 1
                print(f"  WRONG: {problem}" if isinstance(problem, Wrong)
                      else traceback.format_exc(), flush=True)
            torch.cuda.empty_cache()
            out.flush()
    with open(os.path.join(options.out, "results.json"), "w") as file:
        json.dump(results, file, indent=1)
    print(f"{len(cases)} cases, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

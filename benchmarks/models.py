#!/usr/bin/env python3
"""Times whole models and layers in torch.compile(backend="mirage") beside PyTorch.

    scripts/benchmark.sh models make OUT [--models A,B] [--torch VERSION] [--search OPTIONS]
    scripts/benchmark.sh models tune OUT [--jobs N]
    scripts/benchmark.sh models lower OUT
    scripts/benchmark.sh models run OUT [--models A,B] [--peers eager,inductor,default]
    scripts/benchmark.sh models report OUT

The models are those of benchmarks/models, in f16 with random weights. `make` needs no
GPU. It records kernels for the graphs of each model, which depend on shapes alone, and
OUT holds these records and the Python package without tools. A record is for a graph,
and versions of PyTorch trace different graphs of one model: --torch is the version of the
machine with the GPU. `make --models` also takes parts of models that Korch
studies by themselves: efficientvit_attention, segformer_attention, candy_norm, and
segformer_norm_1 and _16. OUT/NAME.txt says which operators are replaced, and OUT/NAME.search
has the options of the search, --search, by which `run` finds the records. Networks of
convolutions may be made with 'kernels=1 effort=1 pieces=false', by which little but whole
parts is searched for. `make` prints for each program its scratch memory, the least that
lifetimes of buffers allow, its results, and what is kept between calls.

`tune`, where a GPU is, measures the launches of all records by --mirage-tune-launches, and
`lower`, where the tools are, makes their kernels anew as they were measured fastest. Without
both they are as the cost model chooses.

`run`, where a GPU and PyTorch are, times the models of OUT by PyTorch's eager mode, by
inductor (max-autotune; or as `default` without this, whose search takes many minutes for
networks of convolutions), and by Mirage, once with all that it has kernels for (`all`) and
once with what is faster by measurement (`mirage`). All of them run inside a CUDA graph;
times are medians of replays in microseconds. Results, and the inputs that a model changes,
are compared with float64 by the Frobenius norm of the difference, relative to that of the
exact ones. Where an error of Mirage is more than twice eager's, the row says WRONG, and
the exit status is 1. Numbers of kernels are those of the CUDA graph. Memory is the most
that is allocated in a call, beyond weights and inputs; what is kept between calls, such as
weights in another order, is in it, and in brackets. Results are written after each model.
TensorRT is no peer here, since it was not at hand.

`report` prints them as a table, with the geometric mean of the best peer over Mirage.
"""
import argparse
import contextlib
import ctypes
import gc
import json
import logging
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "benchmarks"), os.path.join(ROOT, "scripts")]
from common import lower_all, print_head, print_row, split, tune  # noqa: E402
from torch_checks import wheels  # noqa: E402

NAMES = ("bert", "vit", "llama_decode_1", "llama_decode_16", "llama_prefill", "mixtral",
         "mobilenet", "candy", "efficientvit", "segformer", "yolox", "yolov4")
# Parts of models that Korch studies by themselves, made where --models names them.
CASES = ("efficientvit_attention", "segformer_attention", "candy_norm", "segformer_norm_1",
         "segformer_norm_16")
PEERS = ("eager", "inductor", "default")
OWN = ("all", "mirage")
REPLAYS = 50


# --- make: records kernels ------------------------------------------------------


def make(out, names, options):
    """Records each model in a process of its own; returns how many failed."""
    work = options.work or os.path.join(
        ROOT, "build", "torch" if options.torch == wheels.TORCH else f"torch-{options.torch}")
    try:
        python = wheels.find_python(work, options.torch)
    except wheels.Unavailable as problem:
        print(f"models: skipped: {problem}")
        return 0
    os.makedirs(out, exist_ok=True)
    tools, package = os.path.abspath(options.tools), os.path.join(out, "package")
    made = subprocess.run(
        [sys.executable, os.path.join(ROOT, "python", "build_wheel.py"), out,
         "--without-tools"], check=True, capture_output=True, text=True,
        env={**os.environ, "MIRAGE_TOOLS": tools}).stdout.strip()  # fmt: skip
    shutil.rmtree(package, ignore_errors=True)
    shutil.unpack_archive(os.path.join(out, made), package, "zip")
    os.remove(os.path.join(out, made))
    environment = wheels.environment(work) | {
        "PYTHONPATH": os.path.abspath(package), "MIRAGE_TOOLS": tools,
        "MIRAGE_RECORDS": os.path.abspath(os.path.join(out, "records"))}  # fmt: skip
    failures = 0
    for name in names:
        with open(os.path.join(out, f"{name}.search"), "w") as file:
            print(options.search, file=file)
        failures += subprocess.run([*python, os.path.abspath(__file__), "record", out,
                                    "--models", name], env=environment).returncode != 0
    print(f"{out}: {wheels.size(out) / 2**20:.1f} MiB")
    return failures


def read_search(out, name):
    """The options of the search that a model was made with."""
    with open(os.path.join(out, f"{name}.search")) as file:
        return file.read().strip()


def record(out, name):
    """Compiles a model without computing anything, and prints what became of it."""
    import torch

    import mirage  # noqa: F401
    import models
    from mirage import report as reports

    # Tensors without numbers: a record depends on their shapes alone.
    model, inputs = models.make(name, torch.float16, "meta")
    compiled = torch.compile(model, backend="mirage", dynamic=False,
                             options={"device": "record", "replace": "all",
                                      "search": read_search(out, name)})
    start = time.monotonic()
    with torch.no_grad():
        compiled(*inputs)
    seconds = time.monotonic() - start
    with open(os.path.join(out, f"{name}.txt"), "w") as file:
        print(*reports.graphs, sep="\n", file=file)
    parts, left = describe(reports.graphs)
    print_memory(reports.graphs)
    # Of the largest tool, or of this process where it is larger: children begin as copies.
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**10
    print(f"{name}: {seconds:.0f} s, {memory:.0f} MiB; {parts}; left to PyTorch: {left}",
          flush=True)
    return not any(part.replaced for graph in reports.graphs for part in graph.subgraphs)


def least_scratch(function):
    """The least bytes that scratch buffers of a function take when its kernels run one after
    another: the most that are alive at one time. One is alive from the first to the last
    kernel that reads or writes it."""
    buffers = [b for b in function.of_role("scratch") if b.name not in function.results]
    alive = [0] * len(function.kernels)
    for buffer in buffers:
        used = [i for i, kernel in enumerate(function.kernels)
                if buffer.name in (*kernel.reads, *kernel.writes)]
        for i in range(used[0], used[-1] + 1) if used else ():
            alive[i] += buffer.bytes
    return max(alive, default=0)


def result_bytes(function):
    return sum(function.find(name).bytes for name in function.results)


def print_memory(graphs):
    """Prints the memory of each program in MiB, beyond weights and inputs."""
    for part in (part for graph in graphs for part in graph.subgraphs if part.replaced):
        program = part.program
        function = program.function
        print(f"  scratch {function.scratch_bytes / 2**20:.2f} MiB, at least "
              f"{least_scratch(function) / 2**20:.2f}; results "
              f"{result_bytes(function) / 2**20:.2f} MiB; kept "
              f"{(result_bytes(program.load) if program.load else 0) / 2**20:.2f} MiB")


def describe(graphs):
    """What became of the graphs' subgraphs, and which operators stay PyTorch's."""
    parts = [part for graph in graphs for part in graph.subgraphs]
    replaced = [part for part in parts if part.replaced]
    kernels = sum(len(part.program.function.kernels) for part in replaced)
    left = {}
    for graph in graphs:
        for names in graph.left.values():
            for operator, count in names.items():
                left[operator] = left.get(operator, 0) + count
    texts = [f"{count} {operator}" for operator, count in left.items()]
    texts += [f"a subgraph of {part.operators}" for part in parts if not part.replaced]
    texts += [graph.reason for graph in graphs if graph.reason]
    return (f"{len(replaced)} of {len(parts)} subgraphs in {kernels} kernels",
            ", ".join(texts) or "nothing")


# --- run: times and errors on a GPU ---------------------------------------------


class Wrong(Exception):
    """A result is not what it should be; the message says how."""


def tensors(results, inputs):
    """The floating-point numbers that a call returned or may have changed."""
    results = list(results) if isinstance(results, (tuple, list)) else [results]
    return [x for x in (*results, *inputs) if x.is_floating_point()]


def get_exact(model, inputs):
    """What a call gives in float64."""
    import copy

    inputs = [x.double() if x.is_floating_point() else x for x in inputs]
    return tensors(copy.deepcopy(model).double()(*inputs), inputs)


def get_error(values, exact):
    """The largest of the relative Frobenius norms of the differences."""
    errors = [((x.double() - y).norm() / y.norm()).item() for x, y in zip(values, exact)]
    return math.nan if any(map(math.isnan, errors)) else max(errors)


def capture(call):
    """A CUDA graph of a call, and the result that each replay writes."""
    import torch

    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph(keep_graph=True)
    with torch.cuda.graph(graph):
        result = call()
    graph.instantiate()
    return graph, result


def count_nodes(graph):
    """The numbers of kernels and of other nodes, such as copies, of a CUDA graph."""
    cuda = ctypes.CDLL("libcuda.so.1")
    handle, count = ctypes.c_void_p(graph.raw_cuda_graph()), ctypes.c_size_t()
    if cuda.cuGraphGetNodes(handle, None, ctypes.byref(count)):
        return None
    nodes = (ctypes.c_void_p * count.value)()
    if cuda.cuGraphGetNodes(handle, nodes, ctypes.byref(count)):
        return None
    kinds = []
    for node in nodes:
        kind = ctypes.c_int(-1)
        cuda.cuGraphNodeGetType(ctypes.c_void_p(node), ctypes.byref(kind))
        kinds.append(kind.value)
    # From cuda.h; branches may have nodes of other kinds, which do nothing.
    names = {0: "kernels", 1: "copies", 2: "sets"}
    return {name: kinds.count(kind) for kind, name in names.items()}


def time_replays(graph):
    import torch

    times = []
    for _ in range(REPLAYS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(1000 * begin.elapsed_time(end))
    # The first ones warm up.
    return statistics.median(times[REPLAYS // 5 :])


def measure(function, inputs, exact):
    """Error, time, kernels and memory of one way to run a model."""
    import torch

    original = [x.clone() for x in inputs]

    def restore():
        for x, before in zip(inputs, original):
            x.copy_(before)

    held = torch.cuda.memory_allocated()
    start = time.monotonic()
    result = function(*inputs)
    torch.cuda.synchronize()
    row = {"first_call_s": time.monotonic() - start}
    error = get_error(tensors(result, inputs), exact)
    del result
    gc.collect()
    row["kept"] = torch.cuda.memory_allocated() - held
    torch.cuda.reset_peak_memory_stats()
    function(*inputs)
    torch.cuda.synchronize()
    row["memory"] = torch.cuda.max_memory_allocated() - held
    graph, result = capture(lambda: function(*inputs))
    row["nodes"] = count_nodes(graph)
    restore()
    graph.replay()
    torch.cuda.synchronize()
    # `max` would lose what is not a number.
    errors = (error, get_error(tensors(result, inputs), exact))
    row["error"] = math.nan if any(map(math.isnan, errors)) else max(errors)
    row["us"] = time_replays(graph)
    restore()
    return row


def forget():
    """Drops what was compiled before."""
    import torch

    torch._dynamo.reset()
    gc.collect()
    torch.cuda.empty_cache()


def compile_model(model, way, search):
    """A model by one of the ways, of which Mirage's take the options of the search."""
    import torch
    import torch._inductor.config

    if way == "eager":
        return model
    if way == "default":
        return torch.compile(model, dynamic=False)
    if way == "inductor":
        # It prints what it tries, and each candidate that does not fit the GPU.
        logging.getLogger("torch._inductor").setLevel(logging.CRITICAL)
        torch._inductor.config.max_autotune_report_choices_stats = False
        torch._inductor.config.autotune_num_choices_displayed = 0
        return torch.compile(model, mode="max-autotune-no-cudagraphs", dynamic=False)
    return torch.compile(model, backend="mirage", dynamic=False,
                         options={"replace": "all" if way == "all" else "faster",
                                  "search": search})


def run_model(name, ways, search, graphs, write):
    """The row of a model, which is written after each way to run it. What goes wrong with
    a way is noted there."""
    import torch

    import models
    from mirage import report as reports

    model, inputs = models.make(name, torch.float16, "cuda")
    row = {}
    with torch.no_grad():
        exact = get_exact(model, [x.clone() for x in inputs])
        # Libraries allocate their workspace at the first call.
        model(*[x.clone() for x in inputs])
        for way in ways:
            forget()
            try:
                if way == "mirage":
                    # Times by which it chooses are recorded; what is measured below is a
                    # later process, which finds them.
                    compile_model(model, way, search)(*[x.clone() for x in inputs])
                    forget()
                start = len(reports.graphs)
                row[way] = measure(compile_model(model, way, search), inputs, exact)
                made = reports.graphs[start:]
                if way in OWN:
                    print(f"{name}, {way}:", *made, sep="\n", file=graphs, flush=True)
                    row[way]["subgraphs"], row[way]["left"] = describe(made)
                    check(row, way, made)
            except Exception as problem:  # the other ways go on
                text = str(problem)
                if not isinstance(problem, Wrong):
                    text = f"{type(problem).__name__}: {problem}"
                    print(traceback.format_exc(), file=graphs, flush=True)
                row.setdefault(way, {})["problem"] = text.splitlines()[0][:300]
            print(f"  {way:9}{describe_row(row[way])}", flush=True)
            write(row)
    return row


def check(row, way, made):
    """Raises Wrong if numbers are, or if nothing was replaced where all should be."""
    error, eager = row[way]["error"], row.get("eager", {}).get("error", math.nan)
    if not error <= 2 * eager:
        raise Wrong(f"an error of {error:.2e}, and eager's is {eager:.2e}")
    if way == "all" and not any(p.replaced for graph in made for p in graph.subgraphs):
        raise Wrong("nothing was replaced")


def describe_memory(row):
    """MiB of a call, and in brackets those of them that are kept between calls."""
    kept = row.get("kept", 0) / 2**20
    return f"{row['memory'] / 2**20:.1f}" + (f" ({kept:.1f})" if kept >= 0.05 else "")


def describe_row(row):
    texts = []
    if "us" in row:
        nodes = row["nodes"] or {}
        texts = [f"{row['us']:.1f} µs", f"error {row['error']:.2e}",
                 ", ".join(f"{n} {kind}" for kind, n in nodes.items() if n),
                 f"{describe_memory(row)} MiB", f"first call {row['first_call_s']:.1f} s",
                 row.get("subgraphs", "")]  # fmt: skip
    if "problem" in row:
        texts.append(f"WRONG: {row['problem']}")
    return "; ".join(filter(None, texts))


@contextlib.contextmanager
def records_of(out):
    """A copy of the records, to which measured times are added."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "records")
        shutil.copytree(os.path.join(out, "records"), copy)
        os.environ["MIRAGE_RECORDS"] = copy
        yield


def run_here(out, name, options):
    """Runs a model in this process and adds its row to the results."""
    import torch

    sys.path.insert(0, os.path.join(out, "package"))
    os.environ.pop("MIRAGE_TOOLS", None)
    ways = [*dict.fromkeys(["eager", *options.peers.split(",")]), *OWN]
    results = read(options.results)
    results["gpu"], results["PyTorch"] = torch.cuda.get_device_name(), torch.__version__
    print(f"{name} on {results['gpu']}, PyTorch {results['PyTorch']}", flush=True)
    start = time.monotonic()

    def write(row):
        results[name] = row
        with open(options.results, "w") as file:
            json.dump(results, file, indent=1)

    texts = os.path.splitext(options.results)[0] + ".txt"
    with records_of(out), open(texts, "a") as graphs:
        write(run_model(name, ways, read_search(out, name), graphs, write))
    print(f"  {time.monotonic() - start:.0f} s", flush=True)


def read(path):
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return json.load(file)


def find_problems(row):
    """What is wrong with the row of a model, or with Mirage's part of it."""
    missing = {"problem": "it was not run"}
    parts = [row, *(row.get(way, missing) for way in OWN)] if "problem" not in row else [row]
    return [part["problem"] for part in parts if "problem" in part]


def run(out, names, options):
    """Runs each model in a process of its own, since after an error of a kernel a process
    cannot use the GPU any more. Returns how many are wrong."""
    failures = 0
    for name in names:
        results = read(options.results)
        results.pop(name, None)
        with open(options.results, "w") as file:
            json.dump(results, file, indent=1)
        status = subprocess.run(
            [sys.executable, os.path.abspath(__file__), "run_here", out, "--models", name,
             "--results", options.results, "--peers", options.peers]).returncode  # fmt: skip
        results = read(options.results)
        row = results.setdefault(name, {})
        if status and not find_problems(row):
            row["problem"] = f"the process ended with {status}"
        with open(options.results, "w") as file:
            json.dump(results, file, indent=1)
        failures += bool(find_problems(row))
    print(f"{len(names)} models, {failures} wrong")
    return failures


# --- report ---------------------------------------------------------------------


def report(path):
    """Prints the table; returns how many rows are wrong."""
    results = read(path)
    print(f"{results.pop('gpu', 'no GPU')}, PyTorch {results.pop('PyTorch', '?')}\n")
    ways = [way for way in (*PEERS, *OWN) if any(way in row for row in results.values())]

    def cells(row, write):
        return [write(row[way]) if "us" in row.get(way, {}) else "" for way in ways]

    print_head("Model", *(f"{way}, µs" for way in ways), "best peer / mirage",
               "error / eager's", f"kernels ({', '.join(ways)})",
               f"MiB ({', '.join(ways)})")  # fmt: skip
    logs, wrong = [], 0
    for name, row in results.items():
        problems = find_problems(row)
        speedup = errors = ""
        if "us" in row.get("mirage", {}) and not problems:
            best = min((row[p]["us"] for p in PEERS if "us" in row.get(p, {})),
                       default=math.nan)
            logs.append(math.log(best / row["mirage"]["us"]))
            speedup = f"{math.exp(logs[-1]):.2f}"
        if problems:
            wrong += 1
            speedup = f"WRONG: {problems[0]}"
        if "error" in row.get("mirage", {}) and "error" in row.get("eager", {}):
            errors = f"{row['mirage']['error']:.2e} / {row['eager']['error']:.2e}"
        print_row(name, *cells(row, lambda r: f"{r['us']:.1f}"), speedup, errors,
                  " ".join(cells(row, lambda r: str((r["nodes"] or {}).get("kernels", "?")))),
                  " ".join(cells(row, describe_memory)))
    if logs:
        print(f"\nGeometric mean of {len(logs)} models: "
              f"{math.exp(sum(logs) / len(logs)):.2f}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("step", choices=("make", "tune", "lower", "run", "report", "record", "run_here"),
                        help="the last two are what make and run call for each model")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--models", help="names, with commas")
    parser.add_argument("--peers", default="eager,inductor",
                        help="eager, which is always run, inductor and default, with commas")
    parser.add_argument("--results", help="what run writes, instead of OUT/results.json")
    parser.add_argument("--tools", default=os.path.join(ROOT, "build/release/bin"),
                        help="folder of Mirage's tools")
    parser.add_argument("--search", default="kernels=1",
                        help="make: options of mirage-optimize")
    parser.add_argument("--jobs", type=int, default=8, help="processes that tune")
    parser.add_argument("--torch", default=wheels.TORCH, help="version of PyTorch")
    parser.add_argument("--work", help="folder of the virtual environment")
    options = parser.parse_args()
    options.results = options.results or os.path.join(options.out, "results.json")
    made = list(NAMES) if options.step != "run" else [
        name for name in (*NAMES, *CASES)
        if os.path.exists(os.path.join(options.out, f"{name}.txt"))]  # fmt: skip
    names = split(options.models, (*NAMES, *CASES), "model") if options.models else made
    split(options.peers, PEERS, "peer")
    if options.step == "make":
        return make(options.out, names, options) > 0
    if options.step in ("tune", "lower"):
        records = os.path.join(options.out, "records")
        programs = sorted(name for name in os.listdir(records) if name.startswith("program-"))
        if options.step == "tune":
            return tune(records, programs, os.path.join(options.tools, "mirage-opt"),
                        options.jobs, source="program.mlir")  # fmt: skip
        return lower_all(records, programs, source="program.mlir", into="")
    if options.step == "record":
        return record(options.out, names[0])
    if options.step == "run":
        return run(options.out, names, options) > 0
    if options.step == "run_here":
        return run_here(options.out, names[0], options)
    return report(options.results) > 0


if __name__ == "__main__":
    sys.exit(main())

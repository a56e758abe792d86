"""Runs models of benchmarks/models.py on a GPU: what its step `run` does.

Each model has a process of its own, since after an error of a kernel a process cannot use
the GPU any more. Processes compile beside each other, and what measures while others do, such
as max-autotune, has the GPU by a lock. They end with CUDA graphs of all ways to run a model.
What max-autotune tries may be shared by several processes for each model before
(model_compilation.py).
These are timed one model after another, when no process uses the GPU for anything else.
"""
import contextlib
import ctypes
import fcntl
import gc
import json
import logging
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import inductor_shares
from channels_last import LAST, applies, put_channels_last
from common import write_results

CONTIGUOUS_PEERS = ("eager", "inductor", "default")
PEERS = (*CONTIGUOUS_PEERS, *(way + LAST for way in CONTIGUOUS_PEERS))
OWN = ("all", "mirage")
# How many calls of a part of a model are in one CUDA graph, which starts in the time of some
# of them: in a model a part does not start graphs.
PART_CALLS = 20
REPLAYS = 50
ROUNDS = 5


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


# --- what other processes may disturb -------------------------------------------


# Processes may raise their priority by as much where they have the right to.
PRIORITY = -15


@contextlib.contextmanager
def first_on_processor():
    """Lets this thread run before others, so that kernels start when they are asked to."""
    thread = threading.get_native_id()
    before = os.getpriority(os.PRIO_PROCESS, thread)
    try:
        os.setpriority(os.PRIO_PROCESS, thread, PRIORITY)
    except PermissionError:
        yield
        return
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, thread, before)


class Turn:
    """The GPU for what processes of this benchmark measure beside each other, and a processor
    before those that compile. As many processes as there are places have it at once. A
    measurement may begin another one inside."""

    def __init__(self, path, places=1):
        self.path = f"{path}.{os.getpid() % places}"
        self.lock, self.depth = threading.RLock(), 0
        self.is_over = False

    def wait_for_end(self):
        """Does nothing more once the turns are over: the process ends soon."""
        while self.is_over:
            time.sleep(1)

    @contextlib.contextmanager
    def __call__(self):
        self.wait_for_end()
        with self.lock:
            if self.depth:
                yield
                return
            with open(self.path, "w") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                self.depth += 1
                try:
                    with first_on_processor():
                        yield
                finally:
                    self.depth -= 1

    def guard(self, owner, name, before=lambda *args: None):
        """Lets a function that measures wait for its turn. `before` is called with its
        arguments before it waits."""
        original = getattr(owner, name)

        def guarded(*args, **kwargs):
            self.wait_for_end()
            before(*args)
            with self():
                return original(*args, **kwargs)

        setattr(owner, name, guarded)


# --- bytes ----------------------------------------------------------------------


def count_eager_bytes(model, inputs):
    """The bytes of the tensors that each operator of PyTorch reads and writes, once each,
    but for operators whose results are views."""
    import torch
    from mirage import traffic
    from torch.utils._python_dispatch import TorchDispatchMode

    class Counter(TorchDispatchMode):
        total = 0

        def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
            result = operator(*args, **(kwargs or {}))
            self.total += traffic.operator_bytes(operator, (args, kwargs or {}), result)
            return result

    with torch.no_grad(), Counter() as counter:
        model(*inputs)
    return counter.total


# --- CUDA graphs ----------------------------------------------------------------


def capture(call, calls):
    """A CUDA graph of so many calls, and the result that each replay writes."""
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
        for _ in range(calls):
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


class Prepared:
    """One way to run a model: its CUDA graph, and what was counted of it in `row`. What the
    graph uses is kept. `restore` gives inputs that calls change the values that they had."""

    def __init__(self, function, inputs, exact, calls=1):
        import torch
        import torch._inductor.metrics as metrics

        self.row, self.function, self.inputs, self.calls = {}, function, inputs, calls
        self.original = [x.clone() for x in inputs]

        held, counted = torch.cuda.memory_allocated(), metrics.num_bytes_accessed
        start = time.monotonic()
        result = function(*inputs)
        torch.cuda.synchronize()
        self.row["first_call_s"] = time.monotonic() - start
        self.row["bytes"] = metrics.num_bytes_accessed - counted
        error = get_error(tensors(result, inputs), exact)
        del result
        gc.collect()
        self.row["kept"] = torch.cuda.memory_allocated() - held
        torch.cuda.reset_peak_memory_stats()
        function(*inputs)
        torch.cuda.synchronize()
        self.row["memory"] = torch.cuda.max_memory_allocated() - held
        self.graph, self.result = capture(lambda: function(*inputs), calls)
        nodes = count_nodes(self.graph)
        self.row["nodes"] = nodes and {kind: n / calls for kind, n in nodes.items()}
        self.restore()
        self.graph.replay()
        torch.cuda.synchronize()
        # `max` would lose what is not a number.
        errors = (error, get_error(tensors(self.result, inputs), exact))
        self.row["error"] = math.nan if any(map(math.isnan, errors)) else max(errors)
        self.restore()

    def restore(self):
        for x, before in zip(self.inputs, self.original):
            x.copy_(before)


def time_ways(prepared):
    """Times the ways in turns, so that the clocks of the GPU are the same for all: the
    median of the rounds' medians in microseconds, and the least and most of these."""
    rounds = {way: [] for way in prepared}
    for _ in range(ROUNDS):
        for way, one in prepared.items():
            rounds[way].append(time_replays(one.graph) / one.calls)
            one.restore()
    for way, times in rounds.items():
        prepared[way].row["us"] = statistics.median(times)
        prepared[way].row["range"] = [min(times), max(times)]


# --- one model ------------------------------------------------------------------


def compile_model(model, way, search):
    """A model by one of the ways, of which Mirage's take the options of the search."""
    import torch
    import torch._inductor.config

    kind = way.removesuffix(LAST)
    if kind == "eager":
        return model
    if kind == "default":
        return torch.compile(model, dynamic=False)
    if kind == "inductor":
        # It prints what it tries, and each candidate that does not fit the GPU.
        logging.getLogger("torch._inductor").setLevel(logging.CRITICAL)
        torch._inductor.config.max_autotune_report_choices_stats = False
        torch._inductor.config.autotune_num_choices_displayed = 0
        return torch.compile(model, mode="max-autotune-no-cudagraphs", dynamic=False)
    return torch.compile(model, backend="mirage", dynamic=False,
                         options={"replace": "all" if way == "all" else "faster",
                                  "search": search})


def forget():
    """Drops what was compiled before, but for what a Prepared keeps."""
    import torch

    torch._dynamo.reset()
    gc.collect()
    torch.cuda.empty_cache()


def set_up(out, name, tuned=inductor_shares.Share(), places=1):
    """Begins a model's process, which looks for configurations of kernels that are `tuned`.
    Returns the turn by which its measurements have the GPU, of as many `places`."""
    sys.path.insert(0, os.path.join(out, "package"))
    os.environ.pop("MIRAGE_TOOLS", None)
    cache = os.path.abspath(os.path.join(out, "inductor", name))
    os.makedirs(cache, exist_ok=True)
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = cache
    import torch
    import torch._inductor.compile_fx as compile_fx
    import torch._inductor.runtime.benchmarking as benchmarking

    import mirage  # noqa: F401
    from mirage import measurement

    # Inductor counts bytes where it would write them into this log.
    compile_fx.inductor_metrics_log.setLevel(logging.INFO)
    compile_fx.inductor_metrics_log.propagate = False
    compile_fx.inductor_metrics_log.addHandler(logging.NullHandler())

    inductor_shares.merge_measurements(os.path.join(cache, "measured.lock"))
    inductor_shares.share_tuning(tuned)

    def load(benchmarker, function, *args):
        """Has a kernel loaded before its turn, which takes longer than to measure it."""
        function()
        torch.cuda.synchronize()

    turn = Turn(os.path.join(out, "gpu.lock"), places)
    turn.guard(benchmarking.InductorBenchmarker, "benchmark_gpu", load)
    turn.guard(measurement, "measure_launchers")
    turn.guard(measurement, "measure")
    return turn


@contextlib.contextmanager
def records_of(out):
    """A copy of the records, to which measured times are added."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "records")
        shutil.copytree(os.path.join(out, "records"), copy)
        os.environ["MIRAGE_RECORDS"] = copy
        yield


def prepare(name, way, model, inputs, exact, search, graphs):
    """Prepares one way to run a model; (what is prepared, its row). What goes wrong is noted
    in the row."""
    from mirage import report as reports

    import mirage.report
    import models

    kept = []
    mirage.report.compiled_hook = kept.append
    try:
        if way == "mirage":
            # Times by which it chooses are recorded; what is measured below is a later
            # process, which finds them.
            compile_model(model, way, search)(*[x.clone() for x in inputs])
            kept.clear()
            forget()
        if way.endswith(LAST):
            model, inputs = put_channels_last(model, inputs)
        start = len(reports.graphs)
        one = Prepared(compile_model(model, way, search), inputs, exact,
                       PART_CALLS if name in models.CASES else 1)
        one.kept = kept
        made = reports.graphs[start:]
        if way.removesuffix(LAST) == "eager":
            one.row["bytes"] = count_eager_bytes(model, [x.clone() for x in inputs])
        if way in OWN:
            print(f"{name}, {way}:", *made, sep="\n", file=graphs, flush=True)
            one.row["subgraphs"], one.row["left"] = describe(made)
            one.row["bytes"] = sum(graph.bytes for graph in made)
            if way == "all" and not any(p.replaced for g in made for p in g.subgraphs):
                one.row["problem"] = "nothing was replaced"
        return one, one.row
    except Exception as problem:  # the other ways go on
        print(traceback.format_exc(), file=graphs, flush=True)
        text = f"{type(problem).__name__}: {problem}"
        return None, {"problem": text.splitlines()[0][:300]}
    finally:
        mirage.report.compiled_hook = None


# In which peers but eager mode are prepared: max-autotune, which may take longest, comes last.
ORDER = ("eager" + LAST, "default", "default" + LAST, "inductor", "inductor" + LAST)


class ModelRun:
    """A model in this process: prepares it, says so, waits for its turn, and writes its row
    into `results`. After `seconds` it goes on with the ways that are prepared."""

    def __init__(self, out, name, search, peers, results, seconds):
        self.out, self.name, self.search, self.results = out, name, search, results
        self.ways = ("eager", *OWN, *[way for way in ORDER if way in peers])
        self.ready, self.row = {}, {}
        self.turn = set_up(out, name)
        self.ending = threading.Lock()
        timer = threading.Timer(seconds, self.finish)
        timer.daemon = True
        timer.start()

    def prepare(self):
        import torch

        import models

        self.row.update(gpu=torch.cuda.get_device_name(), PyTorch=torch.__version__)
        texts = os.path.splitext(self.results)[0] + ".txt"
        with records_of(self.out), open(texts, "w") as graphs, torch.no_grad():
            model, inputs = models.make(self.name, torch.float16, "cuda")
            exact = get_exact(model, [x.clone() for x in inputs])
            self.ways = [way for way in self.ways if applies(way, model)]
            # Libraries allocate their workspace at the first call.
            model(*[x.clone() for x in inputs])
            for way in self.ways:
                forget()
                one, row = prepare(self.name, way, model, inputs, exact, self.search, graphs)
                graphs.flush()
                with self.ending:  # what is prepared too late waits here for the end
                    self.row[way] = row
                    if one is not None:
                        self.ready[way] = one
        self.finish()

    def finish(self):
        import torch

        self.ending.acquire()
        self.turn.is_over = True
        for way in self.ways:
            self.row.setdefault(way, {"problem": "it was not compiled in time"})
        torch._inductor.async_compile.shutdown_compile_workers()
        torch.cuda.synchronize()
        with open(f"{self.results}.ready", "w"):
            pass
        sys.stdin.readline()
        with torch.no_grad():
            time_ways(self.ready)
        for way in OWN:
            row = self.row[way]
            error, eager = (self.row[w].get("error", math.nan) for w in (way, "eager"))
            if "us" in row and not error <= 2 * eager:
                row["problem"] = f"an error of {error:.2e}, and eager's is {eager:.2e}"
        with open(self.results, "w") as file:
            json.dump(self.row, file)
        os._exit(0)


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


def describe_kernels(row):
    """How many kernels a call has."""
    return f"{row['nodes']['kernels']:g}" if row["nodes"] else "?"


def describe_memory(row):
    """MiB of a call, and in brackets those of them that are kept between calls."""
    kept = row.get("kept", 0) / 2**20
    return f"{row['memory'] / 2**20:.1f}" + (f" ({kept:.1f})" if kept >= 0.05 else "")


def describe_bytes(row):
    """MiB that the kernels of a call read and write."""
    return f"{row['bytes'] / 2**20:.1f}" if row.get("bytes") else "?"


def describe_row(row):
    texts = []
    if "us" in row:
        nodes = row["nodes"] or {}
        texts = [f"{row['us']:.1f} µs ({row['range'][0]:.1f} to {row['range'][1]:.1f})",
                 f"error {row['error']:.2e}",
                 ", ".join(f"{n:g} {kind}" for kind, n in nodes.items() if n),
                 f"moves {describe_bytes(row)} MiB", f"{describe_memory(row)} MiB",
                 f"first call {row['first_call_s']:.1f} s",
                 row.get("subgraphs", "")]  # fmt: skip
    if "problem" in row:
        texts.append(f"WRONG: {row['problem']}")
    return "; ".join(filter(None, texts))


# --- all models -----------------------------------------------------------------


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


def start(out, step, name, options, seconds, results, *arguments, gpu=None):
    command = [sys.executable, os.path.join(os.path.dirname(__file__), "models.py"), step, out,
               "--models", name, "--peers", options.peers, "--seconds", str(seconds),
               "--results", results, *arguments]  # fmt: skip
    threads = max(4, (os.cpu_count() or 1) // options.jobs)
    environment = {"TORCHINDUCTOR_COMPILE_THREADS": str(threads), **os.environ}
    if gpu is not None:
        environment["CUDA_VISIBLE_DEVICES"] = str(gpu)
    return subprocess.Popen(command, stdin=subprocess.PIPE, text=True, env=environment)


def get_left(options, begun):
    """The seconds that are left to compile."""
    return min(max(options.seconds - (time.monotonic() - begun), 1), threading.TIMEOUT_MAX)


def _run_beside(out, step, names, options, results):
    """Starts a process for each model, `options.jobs` at a time, and waits until each has
    ended or says that it is ready. They stop compiling after `options.seconds` of all.
    Returns the processes by their models."""
    begun = time.monotonic()
    waiting, processes = list(names), {}

    def is_busy(name):
        return processes[name].poll() is None and not os.path.exists(f"{results(name)}.ready")

    while waiting or any(map(is_busy, processes)):
        while waiting and sum(map(is_busy, processes)) < options.jobs:
            name = waiting.pop(0)
            processes[name] = start(out, step, name, options, get_left(options, begun),
                                     results(name))  # fmt: skip
        time.sleep(0.1)
    print(f"prepared after {time.monotonic() - begun:.0f} s", flush=True)
    return processes


def run(out, names, options):
    """Runs the models, and writes the table's results; returns how many are wrong."""
    rows = read(options.results)
    folder = tempfile.mkdtemp()

    def results(name):
        return os.path.join(folder, f"{name}.json")

    processes = _run_beside(out, "run_here", names, options, results)
    failures = 0
    texts = open(os.path.splitext(options.results)[0] + ".txt", "a")
    for name, process in processes.items():
        if process.poll() is None:
            process.communicate("go\n")
        row = read(results(name)) or {"problem": f"the process ended with {process.returncode}"}
        for key in ("gpu", "PyTorch"):
            rows[key] = row.pop(key, rows.get(key, "?"))
        rows[name] = row
        failures += bool(find_problems(row))
        print(f"{name} on {rows['gpu']}, PyTorch {rows['PyTorch']}")
        for way in (*PEERS, *OWN):
            if way in row:
                print(f"  {way:9}{describe_row(row[way])}", flush=True)
        if os.path.exists(path := f"{os.path.splitext(results(name))[0]}.txt"):
            with open(path) as file:
                shutil.copyfileobj(file, texts)
        write_results(options.results, rows)
    texts.close()
    shutil.rmtree(folder)
    print(f"{len(names)} models, {failures} wrong")
    return failures

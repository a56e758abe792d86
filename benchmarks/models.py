#!/usr/bin/env python3
"""Times whole models and layers in torch.compile(backend="mirage") beside PyTorch.

    scripts/benchmark.sh models make OUT [--models A,B] [--torch VERSION] [--search OPTIONS]
    scripts/benchmark.sh models again OUT [--models A,B]
    scripts/benchmark.sh models anew OUT [--models A,B] [--tools FOLDER]
    scripts/benchmark.sh models verdicts OUT [--models A,B]
    scripts/benchmark.sh models orders OUT [--models A,B]
    scripts/benchmark.sh models tune OUT [--jobs N]
    scripts/benchmark.sh models lower OUT
    scripts/benchmark.sh models compile OUT [--models A,B] [--peers inductor,default]
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

`again` needs no GPU and no PyTorch. It compiles the modules that PyTorch exported for each
model once more, from file to PTX by `python3 -m mirage`: with all of their records, and then
with the programs that the search found, of which it makes kernels anew. It prints seconds by
the clock and of processors for both, and checks that PTX and manifest are the same; the exit
status is 1 where they are not. What fusion alone gives is in both.

`anew`, likewise, compiles them from file to PTX with an empty folder of records, as `make` did
but without PyTorch, and then once more with what this has recorded. It prints seconds of both
and the MiB of the largest process. --tools may be another build than the one that recorded
them, such as the static one on a machine without LLVM; PTX and manifest must still be the same.

`verdicts`, likewise, prints what the records say of the parts of each model that were searched:
how many are proved or equivalent by random tests where something else replaces them, how many
stay unchanged, and how many cannot be searched, with the reason. The exit status is 1 where
a part has another verdict.

`orders`, likewise, prints what the launches of the programs that were found take by the cost
model, and what they would take if all rows of tensors that they load and store were whole
lines of memory, which no order of dimensions does better.

`tune`, where a GPU is, measures the launches of all records by --mirage-tune-launches, and
`lower`, where the tools are, makes their kernels anew as they were measured fastest. Without
both they are as the cost model chooses.

`compile`, where a GPU and PyTorch are, compiles the peers' code of the models in --jobs
processes at once, for --seconds at most, and keeps inductor's caches in OUT/inductor. Processes
take the first --gpus GPUs in turns. What max-autotune tries for a model is shared by --shares
processes; models that are named first come first. What was stopped goes on from there in the next `compile` or `run`. A process
of a step takes half a minute of a processor before it finds that nothing is left to do, so
that --steps leaves out those that have ended for all models.

`run`, likewise, times the models of OUT by PyTorch's eager mode, by inductor (max-autotune; or
as `default` without this, whose search takes many minutes for networks of convolutions), the
three also with channels innermost for networks of convolutions (`eager-channels-last` and so
on; what max-autotune tries for these is compiled by a call of `compile` of its own), and by
Mirage, once with all that it has kernels for (`all`) and once with what is faster by
measurement (`mirage`). All of them run inside a CUDA graph, parts of models many times in
one. --jobs models are prepared at once, for --seconds at most; then models are timed one after another with nothing else on the
GPU, and the ways to run a model in turns: times are medians of rounds' medians of replays, in
microseconds. Results, and the inputs that a model changes, are compared with float64 by the
Frobenius norm of the difference, relative to that of the exact ones. Where an error of Mirage
is more than twice eager's, the row says WRONG, and the exit status is 1. Numbers of kernels
are those of the CUDA graph. Bytes moved are those of the tensors that kernels read and write,
once for each kernel: by the manifests of Mirage's kernels, by inductor's own count, and by
the operators of eager mode. Memory is the most that is allocated in a call, beyond weights
and inputs; what is kept between calls, such as weights in another order, is in it, and in
brackets. TensorRT is no peer here, since it was not at hand.

`report` prints them as a table, with the geometric mean of the best peer over Mirage; c.l.
is for channels_last.
"""
import argparse
import filecmp
import glob
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "benchmarks"), os.path.join(ROOT, "scripts")]
import model_compilation  # noqa: E402
import model_runs  # noqa: E402
import model_verdicts  # noqa: E402
from common import lower_all, print_head, print_row, split, tune  # noqa: E402
from model_runs import (  # noqa: E402
    LAST, OWN, PEERS, describe, describe_bytes, describe_kernels, describe_memory,
    find_problems, read)  # fmt: skip
from torch_checks import wheels  # noqa: E402

NAMES = ("bert", "vit", "llama_decode_1", "llama_decode_16", "llama_prefill", "mixtral",
         "mobilenet", "candy", "efficientvit", "segformer", "yolox", "yolov4")
# Parts of models that Korch studies by themselves, made where --models names them.
CASES = ("efficientvit_attention", "segformer_attention", "candy_norm", "segformer_norm_1",
         "segformer_norm_16")


# Options of the search by which nothing is searched for, as python/mirage has them.
UNSEARCHED = "search=false"


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
                             options={"device": "record", "replace": "all", "progress": True,
                                      "search": read_search(out, name)})
    start = time.monotonic()
    with torch.no_grad():
        compiled(*inputs)
    seconds = time.monotonic() - start
    with open(os.path.join(out, f"{name}.txt"), "w") as file:
        print(*reports.graphs, sep="\n", file=file)
    with open(os.path.join(out, f"{name}.programs"), "w") as file:
        print(*(part.program.name for graph in reports.graphs for part in graph.subgraphs
                if part.replaced), sep="\n", file=file)
    parts, left = describe(reports.graphs)
    print_memory(reports.graphs)
    # Of the largest tool, or of this process where it is larger: children begin as copies.
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**10
    print(f"{name}: {seconds:.0f} s, {memory:.0f} MiB; {parts}; left to PyTorch: {left}",
          flush=True)
    return not any(part.replaced for graph in reports.graphs for part in graph.subgraphs)


# --- again: from exported files to PTX, with records -----------------------------


def find_recorded(out, name):
    """The folders of the programs of a model, what was found and what fusion alone gives, each
    with the options of its search."""
    records = os.path.join(out, "records")
    with open(os.path.join(out, f"{name}.programs")) as file:
        found = set(file.read().split())
    for path in sorted(glob.glob(os.path.join(records, "graph-*", "graph.json"))):
        with open(path) as file:
            programs = json.load(file)["programs"]
        if programs and programs[0] in found:
            searches = [read_search(out, name), UNSEARCHED]
            yield from ((os.path.join(records, program), search)
                        for program, search in zip(programs, searches))


def take(*command, env):
    """Runs a command; seconds by the clock and of processors."""
    def processors():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before, begun = processors(), time.monotonic()
    subprocess.run(command, check=True, env=env, stdout=subprocess.DEVNULL)
    return time.monotonic() - begun, processors() - before


def again(out, names, tools):
    """Prints what compiling exported modules once more takes; returns how many programs are
    not what was recorded."""
    package, tools = (os.path.abspath(path) for path in (os.path.join(out, "package"), tools))
    env = os.environ | {"PYTHONPATH": package, "MIRAGE_TOOLS": tools,
                        "MIRAGE_RECORDS": os.path.abspath(os.path.join(out, "records"))}
    print_head("Model", "programs", "recorded, s", "of processors, s",
               "found programs recorded, s", "of processors, s")  # fmt: skip
    wrong = 0
    for name in names:
        times, count = [0.0] * 4, 0
        for folder, search in find_recorded(out, name):
            with tempfile.TemporaryDirectory() as work:
                files = ("kernels.ptx", "manifest.json")
                steps = ((0, (sys.executable, "-m", "mirage", os.path.join(folder, "linalg.mlir"),
                              "-o", work, "--search", search)),
                         (2, (os.path.join(tools, "mirage-opt"),
                              os.path.join(folder, "program.mlir"),
                              "--mirage-lower-to-nvvm=chip=sm_90a", "-o",
                              os.path.join(work, "nvvm.mlir"))),
                         (2, (os.path.join(tools, "mirage-translate"),
                              os.path.join(work, "nvvm.mlir"), "--mirage-to-ptx", "-o", work)))
                for place, command in steps:
                    clock, processors = take(*command, env=env)
                    times[place] += clock
                    times[place + 1] += processors
                    if command[0] != steps[1][1][0]:
                        same = filecmp.cmpfiles(folder, work, files, shallow=False)[0]
                        wrong += len(same) != len(files)
            count += 1
        print_row(name, str(count), *(f"{seconds:.1f}" for seconds in times))
        sys.stdout.flush()
    return wrong


def anew(out, names, tools):
    """Prints what compiling exported modules takes without records, and then with those that
    this has made; returns how many programs are not what was recorded."""
    package, tools = (os.path.abspath(path) for path in (os.path.join(out, "package"), tools))
    print_head("Model", "programs", "anew, s", "of processors, s", "MiB", "recorded, s",
               "of processors, s")  # fmt: skip
    wrong = 0
    for name in names:
        times, programs = [0.0] * 4, list(find_recorded(out, name))
        with tempfile.TemporaryDirectory() as work:
            env = os.environ | {"PYTHONPATH": package, "MIRAGE_TOOLS": tools,
                                "MIRAGE_RECORDS": os.path.join(work, "records")}
            for place in (0, 2):
                for folder, search in programs:
                    clock, processors = take(
                        sys.executable, "-m", "mirage", os.path.join(folder, "linalg.mlir"),
                        "-o", work, "--search", search, env=env)  # fmt: skip
                    times[place] += clock
                    times[place + 1] += processors
                    files = ("kernels.ptx", "manifest.json")
                    same = filecmp.cmpfiles(folder, work, files, shallow=False)[0]
                    wrong += len(same) != len(files)
        # The largest one of all models so far.
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**10
        print_row(name, str(len(programs)), *(f"{seconds:.1f}" for seconds in times[:2]),
                  f"{memory:.0f}", *(f"{seconds:.1f}" for seconds in times[2:]))
        sys.stdout.flush()
    return wrong


# --- orders: what other orders of dimensions could gain at most --------------------


def get_orders(out, names, tools):
    """Prints times by the cost model beside those without bytes that lines have too many."""
    print_head("Model", "microseconds", "with whole lines", "less, %")
    for name in names:
        times = [0.0, 0.0]
        for folder, search in find_recorded(out, name):
            if search == UNSEARCHED:
                continue
            with tempfile.TemporaryDirectory() as work:
                path = os.path.join(work, "cost.json")
                with open(path, "w") as file:
                    subprocess.run(
                        [os.path.join(tools, "mirage-opt"), os.path.join(folder, "program.mlir"),
                         "--inline", "--mirage-split-load", "--mirage-lower-to-launches",
                         "--mirage-print-cost=json", "-o", os.devnull],
                        check=True, stdout=file)
                for function in read(path):
                    if function["function"] == "main":
                        times[0] += function["microseconds"]
                        times[1] += function["whole_line_microseconds"]
        print_row(name, *(f"{time:.1f}" for time in times),
                  f"{100 * (1 - times[1] / times[0]):.1f}" if times[0] else "")
        sys.stdout.flush()
    return 0


# --- memory ---------------------------------------------------------------------


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


# --- report ---------------------------------------------------------------------


def report(path):
    """Prints the table; returns how many rows are wrong."""
    results = read(path)
    print(f"{results.pop('gpu', 'no GPU')}, PyTorch {results.pop('PyTorch', '?')}\n")
    ways = [way for way in (*PEERS, *OWN) if any(way in row for row in results.values())]
    columns = [way.replace(LAST, " c.l.") for way in ways]
    beside = "(eager, best peer, mirage)"

    def cells(row, write, ways=ways):
        return [write(row[way]) if "us" in row.get(way, {}) else "" for way in ways]

    print_head("Model", *(f"{way}, µs" for way in columns), "best peer / mirage",
               "error / eager's", f"kernels {beside}", f"MiB moved {beside}", f"MiB {beside}")
    logs, wrong = {"models": [], "parts of models": []}, 0
    for name, row in results.items():
        problems = find_problems(row)
        speedup = errors = ""
        best = min((p for p in PEERS if "us" in row.get(p, {})), key=lambda p: row[p]["us"],
                   default=None)
        shown = [way for way in ("eager", best, "mirage") if way]
        if best and "us" in row.get("mirage", {}) and not problems:
            log = math.log(row[best]["us"] / row["mirage"]["us"])
            logs["parts of models" if name in CASES else "models"].append(log)
            speedup = f"{math.exp(log):.2f}"
        if problems:
            wrong += 1
            speedup = f"WRONG: {problems[0]}"
        if "error" in row.get("mirage", {}) and "error" in row.get("eager", {}):
            errors = f"{row['mirage']['error']:.2e} / {row['eager']['error']:.2e}"
        print_row(name, *cells(row, lambda r: f"{r['us']:.1f}"), speedup, errors,
                  " ".join(cells(row, describe_kernels, shown)),
                  " ".join(cells(row, describe_bytes, shown)),
                  " ".join(cells(row, describe_memory, shown)))
    print()
    for what, of_these in logs.items():
        if of_these:
            print(f"Geometric mean of {len(of_these)} {what}: "
                  f"{math.exp(sum(of_these) / len(of_these)):.2f}, least "
                  f"{math.exp(min(of_these)):.2f}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("step", choices=("make", "again", "anew", "verdicts", "orders", "tune", "lower", "compile",
                                 "run", "report",
                                 "record", "compile_here", "run_here"),
                        help="the last three are what others call for each model")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--models", help="names, with commas")
    parser.add_argument("--peers", default="eager,inductor",
                        help="eager, which is always run, inductor and default, and these with "
                        f"{LAST} behind them, with commas")
    parser.add_argument("--gpus", type=int, default=1,
                        help="compile: how many GPUs its processes use")
    parser.add_argument("--results", help="what run writes, instead of OUT/results.json")
    parser.add_argument("--tools", default=os.path.join(ROOT, "build/release/bin"),
                        help="folder of Mirage's tools")
    parser.add_argument("--search", default="kernels=1",
                        help="make: options of mirage-optimize")
    parser.add_argument("--jobs", type=int, default=8,
                        help="processes that tune, or prepare models")
    parser.add_argument("--shares", type=int, default=1,
                        help="compile: processes that share what is tried for one model")
    parser.add_argument("--steps", default=",".join(model_compilation.COMPILE_STEPS),
                        help="compile: what is done for a model: choose measures candidates, "
                        "generate makes the code, and tune looks for configurations of its kernels")
    parser.add_argument("--part", default="generate:0:1",
                        help="compile_here: its step, its share of it and how many there are")
    parser.add_argument("--seconds", type=float, default=math.inf,
                        help="compile and run: when to stop compiling")
    parser.add_argument("--torch", default=wheels.TORCH, help="version of PyTorch")
    parser.add_argument("--work", help="folder of the virtual environment")
    options = parser.parse_args()
    options.results = options.results or os.path.join(options.out, "results.json")
    made = list(NAMES) if options.step not in (
        "again", "anew", "verdicts", "orders", "compile", "run") else [
        name for name in (*NAMES, *CASES)
        if os.path.exists(os.path.join(options.out, f"{name}.txt"))]  # fmt: skip
    names = split(options.models, (*NAMES, *CASES), "model") if options.models else made
    split(options.peers, PEERS, "peer")
    if options.step == "make":
        return make(options.out, names, options) > 0
    if options.step == "verdicts":
        return model_verdicts.print_verdicts(options.out, names) > 0
    if options.step == "orders":
        return get_orders(options.out, names, options.tools)
    if options.step in ("again", "anew"):
        compile_modules = again if options.step == "again" else anew
        return compile_modules(options.out, names, options.tools) > 0
    if options.step in ("tune", "lower"):
        records = os.path.join(options.out, "records")
        programs = sorted(name for name in os.listdir(records) if name.startswith("program-"))
        if options.step == "tune":
            return tune(records, programs, os.path.join(options.tools, "mirage-opt"),
                        options.jobs, source="program.mlir")  # fmt: skip
        return lower_all(records, programs, source="program.mlir", into="")
    if options.step == "record":
        return record(options.out, names[0])
    peers = options.peers.split(",")
    if options.step == "compile":
        return model_compilation.compile_all(options.out, names, options) > 0
    if options.step == "compile_here":
        return model_compilation.compile_peers(
            options.out, names[0], [way for way in peers if not way.startswith("eager")],
            options.seconds, options.part)
    if options.step == "run":
        return model_runs.run(options.out, names, options) > 0
    if options.step == "run_here":
        return model_runs.ModelRun(options.out, names[0], read_search(options.out, names[0]),
                                   peers, options.results, options.seconds).prepare()
    return report(options.results) > 0


if __name__ == "__main__":
    sys.exit(main())

"""Compiles the peers' code of models before they are timed: what the step `compile` of
benchmarks/models.py does.
"""
import itertools
import os
import sys
import threading
import time

import inductor_shares
import channels_last
import model_runs
from common import split

# What `compile` does for a model one after another, and the processes of which all share it:
# measuring candidates of products and convolutions, generating code, and looking for the
# configurations of the kernels of this code.
COMPILE_STEPS = {"choose": True, "generate": False, "tune": True}
# Processes that measure at once. Each takes the least of a hundred times, most of which it
# spends without the GPU.
PLACES = 6


def is_autotuned(way):
    return way.removesuffix(channels_last.LAST) == "inductor"


def compile_peers(out, name, peers, seconds, part):
    """Compiles a model by inductor, so that a later process finds it in inductor's cache.
    `part` says which step this process does, and its share of it: choose:0:4, say."""
    step, number, count = part.split(":")
    share = inductor_shares.Share(int(number), int(count))
    start, done = time.monotonic(), threading.Event()

    def end(what):
        if done.is_set():
            return
        done.set()
        print(f"{name}, {way}, {part}: {what} after {time.monotonic() - start:.0f} s",
              flush=True)  # fmt: skip
        if workers := sys.modules.get("torch._inductor.async_compile"):
            workers.shutdown_compile_workers()
        os._exit(0)

    way = "nothing"
    timer = threading.Timer(seconds, end, ["stopped"])
    timer.daemon = True
    timer.start()
    model_runs.set_up(out, name, share if step == "tune" else None, PLACES)
    import torch

    import models

    if step == "choose":  # ends in the first compilation
        inductor_shares.share_choices(share, lambda: end("measured"))
    model, inputs = models.make(name, torch.float16, "cuda")
    for way in peers if step == "generate" else filter(is_autotuned, peers):
        if not channels_last.applies(way, model):
            continue
        with torch.no_grad():
            if way.endswith(channels_last.LAST):
                model, inputs = channels_last.put_channels_last(model, inputs)
            model_runs.compile_model(model, way, "")(*[x.clone() for x in inputs])
        torch.cuda.synchronize()
        model_runs.forget()
    end("compiled")


def compile_all(out, names, options):
    """Compiles the peers' code of all models beside each other, with `options.jobs` processes
    at once, of which those for models that are named first come first. A step of a model
    begins when all processes of the one before have ended."""
    begun, failures = time.monotonic(), 0
    peers = options.peers.split(",")
    if sum(map(is_autotuned, peers)) > 1:
        sys.exit("compile: one call is for inductor or for inductor-channels-last")
    steps = [step for step in split(options.steps, COMPILE_STEPS, "step")
             if step == "generate" or any(map(is_autotuned, peers))]
    gpus = itertools.cycle(range(options.gpus)) if options.gpus > 1 else itertools.repeat(None)
    waiting = {name: list(steps) for name in names}
    parts, running = {name: [] for name in names}, {name: [] for name in names}
    while any(waiting.values()) or any(parts.values()) or any(running.values()):
        for name in names:
            for process in [p for p in running[name] if p.poll() is not None]:
                failures += process.returncode != 0
                running[name].remove(process)
            if waiting[name] and not parts[name] and not running[name]:
                step = waiting[name].pop(0)
                count = options.shares if COMPILE_STEPS[step] else 1
                parts[name] = [f"{step}:{number}:{count}" for number in range(count)]
            while parts[name] and sum(map(len, running.values())) < options.jobs:
                running[name].append(model_runs.start(
                    out, "compile_here", name, options,
                    model_runs.get_left(options, begun), os.devnull,
                    "--part", parts[name].pop(0), gpu=next(gpus)))  # fmt: skip
        if time.monotonic() - begun > options.seconds:
            waiting, parts = ({name: [] for name in names} for _ in range(2))
        time.sleep(0.1)
    print(f"compiled after {time.monotonic() - begun:.0f} s", flush=True)
    return failures

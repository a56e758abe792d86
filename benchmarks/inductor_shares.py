"""Lets several processes share what inductor tries for one model by max-autotune.

Inductor waits for the candidates of each convolution before it lowers the next one, and
looks for the configuration of each other kernel when that runs first, one compilation after
another. Here each process does so for a part of the operators or kernels, and writes what it
has measured into inductor's own caches. A process that begins later finds all of it there and
makes the same choices as if it had measured everything itself. Nothing is left out and nothing
else is tried. This is written for PyTorch 2.11; functions that are not there any more are an
error.
"""
import contextlib
import fcntl
import functools
import zlib


class Share:
    """One of `count` parts of what is named."""

    def __init__(self, number=0, count=1):
        self.number, self.count = number, count

    def owns(self, name):
        return zlib.crc32(name.encode()) % self.count == self.number


@contextlib.contextmanager
def _locked(path):
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _merge(into, added):
    """Adds nested dictionaries to others."""
    for key, value in added.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value
    return into


def merge_measurements(lock):
    """Lets processes with one cache add to it what they measure of candidates. Without this
    each writes back all that it has read before, and others' measurements are lost."""
    from torch._inductor.codecache import PersistentCache

    original = PersistentCache.update_local_cache

    def update(self, measured):
        with _locked(lock):
            original(self, _merge(self.get_local_cache(), measured))

    PersistentCache.update_local_cache = update


def share_choices(share, finish):
    """Measures the candidates of the share's products and convolutions. For others the first
    candidate is taken, with which lowering goes on: candidates of one operator have the same
    layout. Once all operators are lowered, and their candidates measured, `finish` ends the
    process."""
    from torch._inductor.ir import MultiTemplateBuffer
    from torch._inductor.scheduler import Scheduler
    from torch._inductor.select_algorithm import AlgorithmSelectorCache

    precompile = AlgorithmSelectorCache.make_precompile_fn
    autotune = AlgorithmSelectorCache.do_autotuning

    def make_precompile_fn(self, choices, name, inputs_key, *args, **kwargs):
        if not share.owns(name + inputs_key):
            return dict
        return precompile(self, choices, name, inputs_key, *args, **kwargs)

    def do_autotuning(self, name, input_nodes, layout, input_gen_fns, inputs_key, choices,
                      *args, **kwargs):
        if not share.owns(name + inputs_key):
            return {choices[0]: 0.0}
        return autotune(self, name, input_nodes, layout, input_gen_fns, inputs_key, choices,
                        *args, **kwargs)  # fmt: skip

    def schedule(self, nodes):
        for node in nodes:
            if isinstance(node, MultiTemplateBuffer):
                node.choice_timings()
        finish()

    AlgorithmSelectorCache.make_precompile_fn = make_precompile_fn
    AlgorithmSelectorCache.do_autotuning = do_autotuning
    Scheduler._init = schedule


def share_tuning(share):
    """Looks for the configurations of the share's kernels by coordinate descent, of none where
    there is no share. What was found by any process is taken. Inductor itself looks again for
    kernels with one configuration to begin with, if their code is in its cache."""
    from torch._inductor.runtime.autotune_cache import AutotuneCache
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner, check_autotune_cache

    tune, save = CachingAutotuner.coordinate_descent_tuning, AutotuneCache.save

    def find(self, launcher, *args, **kwargs):
        if self.filename:
            configs, _, _ = check_autotune_cache([launcher.config], self.filename,
                                                 self.inductor_meta)
            if getattr(configs[0], "found_by_coordesc", False):
                with self.lock:
                    if self.fn.fn is None:
                        self.fn = self._reload_kernel().fn
                    return self._precompile_config(configs[0]).make_launcher()
        if share is None or not share.owns(str(self.inductor_meta.get("kernel_name"))):
            return launcher
        return tune(self, launcher, *args, **kwargs)

    @functools.wraps(save)  # and so it is found by its name where it is unpickled
    def save_best(self, config, time_taken_ns, found_by_coordesc=False, **kwargs):
        # What another process has found is better than what this one begins with.
        if found_by_coordesc or not (self._read() or {}).get("found_by_coordesc"):
            save(self, config, time_taken_ns, found_by_coordesc=found_by_coordesc, **kwargs)

    CachingAutotuner.coordinate_descent_tuning = find
    AutotuneCache.save = save_best

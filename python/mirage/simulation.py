"""A stand-in for CUDA's driver that runs kernels on the CPU: for tests without a GPU.

Launches come through the same ctypes calls as on a GPU, on addresses of CPU tensors.
The stand-in checks that they are the manifest's launches in order, with their sizes,
and that every buffer that a kernel reads still holds what a kernel wrote for it: scratch
buffers share bytes. After a function's last launch it runs the function's kernels thread
by thread (mirage-run --device=threads: races are errors, and every element is compared
with the bound that mirage-run derives) on what lies at the inputs' addresses, and puts
the results where the launches would have.
"""

from __future__ import annotations

import ctypes
import functools
import os
import tempfile

import numpy
import torch

from . import tools
from .driver import (CLUSTER_DIMENSION, PROGRAMMATIC_STREAM_SERIALIZATION, SIGNATURES,
                     TENSOR_MAP_ALIGNMENT, Driver, LaunchConfig)
from .launcher import TYPES
from .manifest import Buffer, Function, Kernel
from .program import Program


class SimulationError(RuntimeError):
    """A launch is not what the manifest says, or a kernel is wrong."""


def _tensor_at(address: int, buffer: Buffer) -> torch.Tensor:
    memory = (ctypes.c_char * buffer.bytes).from_address(address)
    return torch.frombuffer(memory, dtype=TYPES[buffer.type]).reshape(buffer.shape)


class _Memory:
    """Which buffer each byte was last written for."""

    def __init__(self) -> None:
        self.ranges: list[tuple[int, int, str]] = []

    def write(self, begin: int, end: int, name: str) -> None:
        kept = []
        for first, last, owner in self.ranges:
            if first < begin:
                kept.append((first, min(last, begin), owner))
            if last > end:
                kept.append((max(first, end), last, owner))
        self.ranges = [r for r in kept if r[0] < r[1]] + [(begin, end, name)]

    def read(self, begin: int, end: int, name: str) -> None:
        found = sum(min(last, end) - max(first, begin) for first, last, owner in self.ranges
                    if owner == name and first < end and begin < last)
        if found != end - begin:
            raise SimulationError(f"{end - found - begin} bytes of {name} were overwritten "
                                  "or never written before a kernel reads them")


class _Library:
    """Functions of libcuda as C functions that call Python."""

    def __init__(self) -> None:
        for name, arguments in SIGNATURES.items():
            method = getattr(self, "_" + name, None) or (lambda *arguments: 0)
            setattr(self, name, ctypes.CFUNCTYPE(ctypes.c_int, *arguments)(
                functools.partial(self._guard, method)))
        self.programs: dict[bytes, Program] = {}
        self.entries: dict[int, tuple[Program, Function, str]] = {}
        self.pending: list[dict[str, int]] = []
        self.memory = _Memory()
        self.function: Function | None = None
        self.streams: list[int | None] = []
        self.launched = 0
        self.error: Exception | None = None

    def _guard(self, method, *arguments) -> int:
        try:
            return method(*arguments) or 0
        except Exception as error:  # what a callback raises would be lost
            self.error = error
            return 999

    def _cuGetErrorString(self, code, text):
        text[0] = f"stand-in: {self.error}".encode()

    def _cuDeviceGet(self, device, ordinal):
        device[0] = ordinal

    def _cuDevicePrimaryCtxRetain(self, context, device):
        context[0] = 1

    def _cuModuleLoadDataEx(self, module, ptx, count, options, values):
        if ptx not in self.programs:
            raise SimulationError("a module of an unknown program")
        module[0] = list(self.programs).index(ptx) + 1

    def _cuModuleGetFunction(self, function, module, name):
        program = list(self.programs.values())[module - 1]
        for described in filter(None, (program.function, program.load)):
            if name.decode() in {k.name for k in described.kernels}:
                handle = len(self.entries) + 1
                self.entries[handle] = program, described, name.decode()
                function[0] = handle
                return
        raise SimulationError(f"no kernel {name.decode()}")

    def _cuFuncSetAttribute(self, function, attribute, value):
        if attribute == 8 and value > 232448:
            raise SimulationError(f"{value} bytes of shared memory")

    def _cuTensorMapEncodeTiled(self, place, kind, rank, address, sizes, strides, box, steps,
                                *modes):
        if place % TENSOR_MAP_ALIGNMENT or address % 16:
            raise SimulationError("a tensor map, or its buffer, is not aligned")
        ctypes.c_uint64.from_address(place).value = address

    def _cuLaunchKernel(self, function, gx, gy, gz, bx, by, bz, shared, stream, parameters,
                        extra):
        self._launch(function, (gx, gy, gz), (bx, by, bz), (1, 1, 1), shared, stream,
                     parameters)

    def _cuLaunchKernelEx(self, config, function, parameters, extra):
        c: LaunchConfig = config[0]
        attributes = {a.id: tuple(a.numbers) for a in c.attributes[:c.attribute_count]}
        self._launch(function, tuple(c.grid), tuple(c.block),
                     attributes.get(CLUSTER_DIMENSION, (1, 1, 1)), c.shared, c.stream,
                     parameters, PROGRAMMATIC_STREAM_SERIALIZATION in attributes)

    def _launch(self, function, grid, block, cluster, shared, stream, parameters,
                early=False) -> None:
        program, described, name = self.entries[function]
        if not self.pending:
            self.function, self.memory = described, _Memory()
        number = len(self.pending)
        kernel: Kernel = described.kernels[number]
        if described is not self.function or kernel.name != name:
            raise SimulationError(f"{name} was launched and not {kernel.name}")
        if (grid, block, cluster, shared) != (kernel.grid, kernel.block, kernel.cluster,
                                              kernel.shared_memory_bytes):
            raise SimulationError(f"{name} was launched with other sizes")
        if early and (number == 0 or not kernel.waits or stream != self.streams[-1]):
            raise SimulationError(f"{name} was launched before those that it depends on end")
        slots = ctypes.cast(parameters, ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64)))
        addresses = {a: slots[i][0] for i, a in enumerate(kernel.arguments)}
        for i, tensor_map in enumerate(kernel.tensor_maps, len(kernel.arguments)):
            if slots[i][0] != addresses[tensor_map.buffer]:
                raise SimulationError(f"a tensor map of {name} is of another buffer")
        ranges = sorted((address, address + described.find(a).bytes, a)
                        for a, address in addresses.items())
        for (_, end, first), (begin, _, second) in zip(ranges, ranges[1:]):
            if begin < end and {first, second} & set(kernel.writes):
                raise SimulationError(f"{first} and {second} share bytes in {name}")
        for name in kernel.reads:
            buffer = described.find(name)
            if buffer.role != "input":
                self.memory.read(addresses[name], addresses[name] + buffer.bytes, name)
        for name in kernel.writes:
            buffer = described.find(name)
            self.memory.write(addresses[name], addresses[name] + buffer.bytes, name)
        self.pending.append(addresses)
        self.launched += 1
        self.streams.append(stream)
        if len(self.pending) == len(described.kernels):
            calls, self.pending = self.pending, []
            self._execute(program, described, calls)

    def _execute(self, program: Program, described: Function,
                 calls: list[dict[str, int]]) -> None:
        places: dict[str, int] = {}
        for call in calls:
            for name, address in call.items():
                if places.setdefault(name, address) != address:
                    raise SimulationError(f"{name} lies at two addresses")
        with tempfile.TemporaryDirectory() as folder:
            arguments = []
            for buffer in described.of_role("input"):
                path = os.path.join(folder, f"input{buffer.index}.npy")
                value = (_tensor_at(places[buffer.name], buffer) if buffer.name in places
                         else torch.zeros(buffer.shape, dtype=TYPES[buffer.type]))
                if value.dtype == torch.bfloat16:  # NumPy has no bf16
                    value = value.float()
                numpy.save(path, value.numpy())
                arguments.append(f"--input={path}")
            path = os.path.join(program.folder, "program.mlir")
            if program.load:
                # The lowering moves more to where a program is loaded.
                launches = os.path.join(folder, "launches.mlir")
                tools.run("mirage-opt", path, "--mirage-lower-to-launches="
                          f"chip={program.target}", "-o", launches)
                path = launches
            tools.run("mirage-run", path, f"--entry={described.name}", "--device=threads",
                      f"--output={folder}", *arguments)
            for number, name in enumerate(described.results):
                buffer = described.find(name)
                if buffer.role == "input":
                    continue
                value = torch.from_numpy(numpy.load(os.path.join(folder, f"result{number}.npy")))
                _tensor_at(places[name], buffer).copy_(value)


class StandIn(Driver):
    """The driver; `library` says how many kernels were launched, and on which streams."""

    def __init__(self) -> None:
        self.library = _Library()
        super().__init__(self.library)

    def register(self, program: Program) -> None:
        """Makes a program known, since a module has PTX alone."""
        self.library.programs[program.ptx.encode()] = program


@functools.lru_cache(maxsize=None)
def stand_in() -> StandIn:
    """The stand-in of this process."""
    return StandIn()

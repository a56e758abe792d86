"""Runs a program's kernels on tensors, on PyTorch's current stream.

Results and scratch come from PyTorch's allocator, so that a call inside a CUDA graph's
capture uses the graph's pool. A call launches and returns: it neither waits nor calls
CUDA's allocator itself. Kernels that do not depend on each other are on several streams of
the graph that is captured, where a launcher is `beside`.
"""

from __future__ import annotations

import copy
import ctypes
import functools
import threading

import torch

from .driver import TENSOR_MAP_ALIGNMENT, TENSOR_MAP_BYTES, Driver
from .manifest import Function, TensorMap
from .program import Program

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
         "f64": torch.float64, "f8E4M3FN": torch.float8_e4m3fn, "f8E5M2": torch.float8_e5m2}


class _Loaded:
    """What a program's load function makes of constant inputs, until these change."""

    def __init__(self, launcher: Launcher, constants: tuple[int, ...]) -> None:
        self.launcher, self.constants = launcher, constants
        self.states: list[tuple[int, int]] | None = None
        # They keep their memory from being another tensor's, which could have the same
        # address and version.
        self.kept: list[torch.Tensor] = []
        self.made: list[torch.Tensor] = []
        self.lock = threading.Lock()

    @staticmethod
    def _state(tensor: torch.Tensor) -> tuple[int, int] | None:
        """The address, and how often PyTorch's operators changed what is there; None for
        inference tensors, of which PyTorch does not count it."""
        return None if tensor.is_inference() else (tensor.data_ptr(), tensor._version)

    def __call__(self, inputs: tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
        """The last inputs of the program, of those that were given."""
        with self.lock:
            states = [self._state(inputs[i]) for i in self.constants]
            if states == self.states:
                return self.made
            made = self.launcher(*(inputs[i] for i in self.constants))
            device = self.launcher.device
            # What a graph that is captured makes is there when it is replayed.
            captures = device.type == "cuda" and torch.cuda.is_current_stream_capturing()
            if not captures and None not in states:
                if device.type == "cuda":
                    torch.cuda.synchronize(device)
                self.states, self.made = states, made
                self.kept = [inputs[i].detach() for i in self.constants]
            return made


class Launcher:
    """A function of a program on one device. Called with the function's inputs, tensors
    of the shapes and types of its manifest on that device, it returns its results as new
    contiguous tensors. CudaError if the driver refuses a launch.

    Inputs that the program's load function makes are none of the caller's. It runs when
    the launcher is called first, and again when an operator of PyTorch has changed one of
    its inputs, or another tensor is passed.

    A launcher that is `beside` has kernels on several streams of a graph that is captured,
    if some do not depend on each other. Which is faster depends on the kernels: one that
    begins on a stream of its own, or waits for several, starts later than one that is
    launched while the one before it runs."""

    def __init__(self, program: Program, device: torch.device, driver: Driver,
                 function: Function | None = None, module=None) -> None:
        is_main = function is None
        function = function or program.function
        self.program = program
        self.device = device
        self.driver = driver
        self.context = driver.context(device.index or 0)
        inputs = function.of_role("input")
        self.inputs = program.inputs() if is_main else inputs
        self.all_inputs = inputs
        self.allocated = [b for b in function.buffers if b.role == "output"
                          or (b.role == "scratch" and b.name in function.results)]
        for buffer in (*inputs, *self.allocated):
            if buffer.type not in TYPES:
                raise ValueError(f"buffer {buffer.name} holds {buffer.type}")
        self.results = function.results
        self.scratch_bytes = function.scratch_bytes
        numbers = {b.name: i for i, b in enumerate(function.buffers)}
        self.input_slots = [numbers[b.name] for b in inputs]
        read = {name for k in function.kernels
                for name in (*k.reads, *k.arguments, *(m.buffer for m in k.tensor_maps))}
        # What only the load function reads is not copied for each call.
        self.is_read = [b.name in read or b.name in function.results for b in inputs]
        self.allocated_slots = [numbers[b.name] for b in self.allocated]
        self.scratch_slots = [(numbers[b.name], b.offset) for b in function.of_role("scratch")
                              if b.name not in function.results]
        # Kernels take the addresses of these slots; a call fills them. One call at a
        # time does, since a launch copies what it is given before it returns.
        self.slots = (ctypes.c_uint64 * len(function.buffers))()
        self.lock = threading.Lock()
        # Tensor maps hold addresses, and are made again where these change.
        self.map_memory = ctypes.create_string_buffer(
            TENSOR_MAP_ALIGNMENT
            + TENSOR_MAP_BYTES * sum(len(k.tensor_maps) for k in function.kernels))
        self.maps: list[list] = []
        self.kernels = function.kernels
        self.early = function.early()
        self.awaited = {other for kernel in self.kernels for other in kernel.after}
        streams = len({kernel.stream for kernel in self.kernels})
        self.beside = device.type == "cuda" and streams > 1
        self.branches = [torch.cuda.Stream(device) for _ in range(streams - 1)] \
            if self.beside else []
        self._enter()
        try:
            self.module = module or driver.load(program.ptx)
            entries = {k.name: driver.function(self.module, k) for k in function.kernels}
            start = ctypes.addressof(self.slots)
            self.launches = []
            for kernel in function.kernels:
                addresses = [start + 8 * numbers[name] for name in kernel.arguments]
                addresses += [self._add_map(tensor_map, numbers[tensor_map.buffer])
                              for tensor_map in kernel.tensor_maps]
                parameters = (ctypes.c_void_p * max(len(addresses), 1))(*addresses)
                prepare = functools.partial(driver.prepare, entries[kernel.name], kernel,
                                            parameters)
                # The first kernel waits for all that is on the stream.
                early = kernel.waits and bool(self.launches)
                self.launches.append((kernel.name, prepare(),
                                      prepare(early=True) if early else prepare()))
        finally:
            self._leave()
        self.loaded = None
        if is_main and program.load:
            self.loaded = _Loaded(Launcher(program, device, driver, program.load, self.module),
                                  function.load.constants)

    def _add_map(self, tensor_map: TensorMap, slot: int) -> int:
        """The place of a tensor map of the buffer in a slot, which a call makes."""
        first = -(-ctypes.addressof(self.map_memory) // TENSOR_MAP_ALIGNMENT)
        place = first * TENSOR_MAP_ALIGNMENT + TENSOR_MAP_BYTES * len(self.maps)
        self.maps.append([slot, None, self.driver.prepare_map(tensor_map, place)])
        return place

    def _make_maps(self) -> None:
        for entry in self.maps:
            slot, made, make = entry
            if (address := self.slots[slot]) != made:
                make(address)
                entry[1] = address

    def _enter(self) -> None:
        self.driver.call("cuCtxPushCurrent_v2", self.context)

    def _leave(self) -> None:
        self.driver.call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))

    def stream(self) -> int | None:
        """The handle of PyTorch's current stream on the device."""
        if self.device.type != "cuda":
            return None
        return torch.cuda.current_stream(self.device).cuda_stream or None

    def _launch(self, number: int, stream: int | None, early: bool) -> None:
        """Launches a kernel, early if it may be: when the one before it is the last on
        the stream."""
        name, *launches = self.launches[number]
        if code := launches[early](stream):
            self.driver.call("cuGetErrorString", code,
                             ctypes.byref(text := ctypes.c_char_p()))
            raise RuntimeError(f"{name} was not launched: "
                               f"{text.value.decode()} (CUDA error {code})")

    def ways(self) -> list[Launcher]:
        """This launcher with its kernels one after another and, if it has several streams,
        with kernels beside each other."""
        ordered = copy.copy(self)
        ordered.beside = False
        return [ordered, self] if self.branches else [ordered]

    def _launch_beside(self, stream: torch.cuda.Stream) -> None:
        """Launches kernels that do not depend on each other on several streams, which part
        from `stream` and meet there again. That is for graphs: events between streams take
        longer than most kernels where each is submitted by itself."""
        begun = stream.record_event()
        streams, events, used = [stream, *self.branches], {}, {0}
        for number, kernel in enumerate(self.kernels):
            own = streams[kernel.stream]
            if kernel.stream not in used:
                own.wait_event(begun)
                used.add(kernel.stream)
            for other in kernel.after:
                own.wait_event(events[other])
            self._launch(number, own.cuda_stream or None, self.early[number])
            if number in self.awaited:
                events[number] = own.record_event()
        for number in sorted(used - {0}):
            stream.wait_event(streams[number].record_event())

    def __call__(self, *inputs: torch.Tensor) -> list[torch.Tensor]:
        held = [x if x.is_contiguous() and x.data_ptr() % 16 == 0 or not is_read
                else x.clone(memory_format=torch.contiguous_format)
                for x, is_read in zip(inputs, self.is_read)]
        if self.loaded:
            held += self.loaded(inputs)
        made = {b.name: torch.empty(b.shape, dtype=TYPES[b.type], device=self.device)
                for b in self.allocated}
        scratch = (torch.empty(self.scratch_bytes, dtype=torch.uint8, device=self.device)
                   if self.scratch_bytes else None)
        with self.lock:
            slots = self.slots
            for slot, tensor in zip(self.input_slots, held):
                slots[slot] = tensor.data_ptr()
            for slot, buffer in zip(self.allocated_slots, self.allocated):
                slots[slot] = made[buffer.name].data_ptr()
            if scratch is not None:
                base = scratch.data_ptr()
                for slot, offset in self.scratch_slots:
                    slots[slot] = base + offset
            self._enter()
            try:
                self._make_maps()
                if self.beside and torch.cuda.is_current_stream_capturing():
                    self._launch_beside(torch.cuda.current_stream(self.device))
                else:
                    stream = self.stream()
                    for number in range(len(self.launches)):
                        self._launch(number, stream, early=True)
            finally:
                self._leave()
        given = {b.name: tensor for b, tensor in zip(self.all_inputs, held)}
        # A result that is an input is a copy, which does not change when the input does.
        return [made[name] if name in made else given[name].clone() for name in self.results]

"""The manifest that mirage-translate writes beside the PTX: buffers and launches.

`include/Mirage/Runtime/Manifest.h` describes the format. What is read here is what a
launcher needs; a version other than `VERSION` is refused.
"""

from __future__ import annotations

import dataclasses
import json

VERSION = 7


class ManifestError(ValueError):
    """The text is no manifest of a version that is read here."""


@dataclasses.dataclass(frozen=True)
class Buffer:
    """A dense row-major buffer in device memory. `role` is "input", "output" or
    "scratch", `index` its position among the inputs or outputs, `type` an element type
    of MLIR such as "f16", `bytes` its size. `offset` is where scratch begins in the
    function's scratch memory, in bytes; it is 0 for others."""

    name: str
    role: str
    index: int
    shape: tuple[int, ...]
    type: str
    bytes: int
    offset: int


@dataclasses.dataclass(frozen=True)
class TensorMap:
    """What the GPU's copy engine must know of a buffer: the sizes of its dimensions in
    elements, the bytes from one index to the next, and the box that one instruction
    copies. The outermost dimension is the first."""

    buffer: str
    type: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Kernel:
    """One launch: the PTX's entry, sizes of grid, block and cluster, bytes of dynamic
    shared memory, and the names of the buffers that are its parameters, in order, that
    it reads, and that it writes, perhaps in part. The parameters behind them are
    `tensor_maps`. A kernel that `waits` waits itself
    for those before it: until they have ended it reads nothing but inputs of the function
    and writes nothing, so that it may be launched while they run. In a graph that is
    captured it may be on the stream of the number `stream`, behind the kernels with the
    numbers `after`, which are on others."""

    name: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    shared_memory_bytes: int
    arguments: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    waits: bool = False
    tensor_maps: tuple[TensorMap, ...] = ()
    stream: int = 0
    after: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class Load:
    """How the last inputs of a function are made: they are the results of the function of
    this name, whose inputs are those inputs of the other one that have the indices
    `constants`. It runs once, and again when one of these has changed."""

    function: str
    constants: tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Function:
    """Buffers, kernels in launch order, the bytes of the memory that scratch lies in,
    the names of the buffers that hold the results, which may be of any role, and how the
    last inputs are made if they are."""

    name: str
    buffers: tuple[Buffer, ...]
    kernels: tuple[Kernel, ...]
    scratch_bytes: int
    results: tuple[str, ...]
    load: Load | None = None

    def find(self, name: str) -> Buffer:
        """The buffer of that name; ManifestError if there is none."""
        for buffer in self.buffers:
            if buffer.name == name:
                return buffer
        raise ManifestError(f"function {self.name} has no buffer {name}")

    def of_role(self, role: str) -> list[Buffer]:
        """The buffers of a role, by their indices."""
        return sorted((b for b in self.buffers if b.role == role), key=lambda b: b.index)

    def early(self) -> list[bool]:
        """For each kernel whether it may be launched while the kernel before it on its stream
        runs, since it waits for nothing else."""
        begun: set[int] = set()
        early = []
        for kernel in self.kernels:
            early.append(kernel.waits and kernel.stream in begun and not kernel.after)
            begun.add(kernel.stream)
        return early


def parse(text: str, function: str = "main") -> tuple[str, Function]:
    """The chip that the PTX is for, such as "sm_90a", and the function of that name.

    Raises ManifestError for an unknown version, a missing field, or a name of a buffer
    that is not there."""
    try:
        manifest = json.loads(text)
        version = manifest.get("version")
        if version != VERSION:
            raise ManifestError(f"manifest of version {version}; version {VERSION} is read")
        for entry in manifest["functions"]:
            if entry["name"] == function:
                break
        else:
            raise ManifestError(f"the manifest has no function {function}")
        buffers = tuple(
            Buffer(b["name"], b["role"], b.get("index", 0), tuple(b["shape"]), b["type"],
                   b["bytes"], b["offset"] if b["role"] == "scratch" else 0)
            for b in entry["buffers"])
        kernels = tuple(
            Kernel(k["name"], *(tuple(k[size]) for size in ("grid", "block")),
                   tuple(k.get("cluster", (1, 1, 1))), k["shared_memory_bytes"],
                   *(tuple(k[names]) for names in ("arguments", "reads", "writes")),
                   bool(k["waits"]),
                   tuple(TensorMap(m["buffer"], m["type"], *(
                       tuple(m[sizes]) for sizes in ("shape", "strides", "box")))
                         for m in k["tensor_maps"]),
                   k["stream"], tuple(k["after"]))
            for k in entry["kernels"])
        load = entry.get("load")
        result = Function(function, buffers, kernels, entry["scratch_bytes"],
                          tuple(entry["results"]),
                          load and Load(load["function"], tuple(load["constants"])))
        target = manifest["target"]
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise ManifestError(f"no manifest: {type(error).__name__} {error}") from error
    for kernel in result.kernels:
        for name in (*kernel.arguments, *kernel.reads, *kernel.writes,
                     *(m.buffer for m in kernel.tensor_maps)):
            result.find(name)
    for name in result.results:
        result.find(name)
    return target, result

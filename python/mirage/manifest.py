"""The manifest that mirage-translate writes beside the PTX: buffers and launches.

`include/Mirage/Runtime/Manifest.h` describes the format. What is read here is what a
launcher needs; a version other than `VERSION` is refused.
"""

from __future__ import annotations

import dataclasses
import json

VERSION = 6


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
    and writes nothing, so that it may be launched while they run."""

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


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a kernel is launched: the number of its stream, the numbers of the kernels on
    other streams that it waits for, and whether it may be launched while the kernel before
    it on its stream runs, since it waits for nothing else."""

    stream: int
    after: tuple[int, ...]
    early: bool


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

    def dependencies(self) -> list[list[int]]:
        """For each kernel the numbers of those before it in launch order that have to end
        before it begins: it reads or writes what they write, or writes what they read.
        Those that others of them wait for are left out."""
        def place(name: str) -> tuple[str, int, int]:
            # Scratch buffers that are not alive together may share bytes; those that
            # hold results have memory of their own.
            buffer = self.find(name)
            if buffer.role == "scratch" and name not in self.results:
                return "", buffer.offset, buffer.offset + buffer.bytes
            return name, 0, buffer.bytes

        def meet(some: list[tuple[str, int, int]], others: list[tuple[str, int, int]]) -> bool:
            return any(a[0] == b[0] and a[1] < b[2] and b[1] < a[2]
                       for a in some for b in others)

        places = {b.name: place(b.name) for b in self.buffers}
        reads = [[places[name] for name in kernel.reads] for kernel in self.kernels]
        writes = [[places[name] for name in kernel.writes] for kernel in self.kernels]
        direct: list[list[int]] = []
        before: list[set[int]] = []
        for number in range(len(self.kernels)):
            needed: list[int] = []
            known: set[int] = set()
            for other in reversed(range(number)):
                if other not in known and (
                        meet(writes[other], reads[number] + writes[number])
                        or meet(reads[other], writes[number])):
                    needed.append(other)
                    known |= before[other] | {other}
            direct.append(needed[::-1])
            before.append(known)
        return direct

    def on_streams(self, most: int = 4) -> list[Place]:
        """Where each kernel is launched, in launch order, so that those that don't depend on
        each other may run beside each other on at most `most` streams. A kernel follows one
        that it depends on, where no other one that does so has a longer chain of kernels
        behind it."""
        direct = self.dependencies()
        count = len(direct)
        behind = [0] * count  # the longest chain of kernels behind each
        heirs: dict[int, int] = {}
        for number in reversed(range(count)):
            for other in direct[number]:
                behind[other] = max(behind[other], behind[number] + 1)
        for number in range(count):
            for other in direct[number]:
                if other not in heirs or behind[number] > behind[heirs[other]]:
                    heirs[other] = number
        before: list[set[int]] = []
        last: list[int] = []  # of each stream
        places: list[Place] = []

        def choose(number: int, ended: set[int]) -> int:
            """The stream of a kernel, given those that have ended when it begins."""
            followed = [s for s, kernel in enumerate(last)
                        if kernel in direct[number] and heirs[kernel] == number]
            idle = [s for s, kernel in enumerate(last) if kernel in ended]
            # Those that nothing goes on with.
            free = [s for s in idle if heirs.get(last[s], 0) < number]
            if followed:
                return max(followed, key=lambda s: last[s])
            if free:
                return free[0]
            if len(last) < most:
                last.append(-1)
                return len(last) - 1
            return min(idle or range(most), key=lambda s: behind[last[s]])

        for number, others in enumerate(direct):
            ended = set(others).union(*(before[other] for other in others))
            stream = choose(number, ended)
            previous = last[stream]
            done = before[previous] | {previous} if previous >= 0 else set()
            after = tuple(other for other in others if other not in done)
            early = self.kernels[number].waits and previous >= 0 and not after
            places.append(Place(stream, after, early))
            before.append(ended | done)
            last[stream] = number
        return places


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
                         for m in k["tensor_maps"]))
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

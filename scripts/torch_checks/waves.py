"""The check of the kernels that a CUDA graph may have beside each other."""

from mirage.manifest import Buffer, Function, Kernel

from .derived import expect


def check_waves():
    """Kernels that a graph may have beside each other."""
    def buffer(name, role, offset=0):
        return Buffer(name, role, 0, (8,), "f32", 32, offset)

    def kernel(reads, writes):
        return Kernel("k", (1, 1, 1), (32, 1, 1), (1, 1, 1), 0, (*reads, *writes), reads,
                      writes)

    def waves(*kernels, shared=128):
        buffers = (buffer("x", "input"), buffer("y", "output"), buffer("a", "scratch"),
                   buffer("b", "scratch", 32), buffer("c", "scratch", shared))
        return Function("main", buffers, kernels, 256, ("y",)).waves()

    projections = kernel(("x",), ("a",)), kernel(("x",), ("b",)), kernel(("x",), ("c",))
    joined = kernel(("a", "b", "c"), ("y",))
    expect(waves(*projections, joined) == [[0, 1, 2], [3]], "projections are no wave")
    expect(waves(*projections, joined, shared=16) == [[0, 1], [2], [3]],
           "kernels that write the same bytes are a wave")
    expect(waves(kernel(("a",), ("y",)), projections[0]) == [[0], [1]],
           "a kernel that reads and one that writes are a wave")
    expect(waves(*[kernel(("x",), ("y",))] * 2) == [[0], [1]], "two writers are a wave")
    return "projections are branches, and nothing that shares bytes"

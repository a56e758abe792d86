"""The check of the kernels that a CUDA graph may have beside each other."""

from mirage.manifest import Buffer, Function, Kernel, Place

from .derived import expect


def check_streams():
    """Kernels that a graph may have beside each other."""
    def buffer(name, role, offset=0):
        return Buffer(name, role, 0, (8,), "f32", 32, offset)

    def kernel(reads, writes):
        return Kernel("k", (1, 1, 1), (32, 1, 1), (1, 1, 1), 0, (*reads, *writes), reads,
                      writes, waits=True)

    def places(*kernels, shared=128, most=4):
        buffers = (buffer("x", "input"), buffer("y", "output"), buffer("a", "scratch"),
                   buffer("b", "scratch", 32), buffer("c", "scratch", shared))
        return Function("main", buffers, kernels, 256, ("y",)).on_streams(most)

    def together(*kernels, **options):
        return len({place.stream for place in places(*kernels, **options)})

    projections = kernel(("x",), ("a",)), kernel(("x",), ("b",)), kernel(("x",), ("c",))
    joined = kernel(("a", "b", "c"), ("y",))
    expect(places(*projections, joined) == [
        Place(0, (), False), Place(1, (), False), Place(2, (), False), Place(2, (0, 1), False)],
        "projections are not on three streams")
    expect(together(*projections, joined, most=2) == 2, "there are more streams than two")
    expect(places(*projections, joined, shared=16)[2].after == (0,),
           "kernels that write the same bytes do not wait for each other")
    expect(together(kernel(("a",), ("y",)), projections[0]) == 1,
           "a kernel that reads and one that writes are beside each other")
    expect(together(*[kernel(("x",), ("y",))] * 2) == 1, "two writers are beside each other")
    # The chain with most behind it stays on its stream, where it is launched early.
    chains = kernel(("x",), ("a",)), kernel(("a",), ("y",)), kernel(("a",), ("b",))
    expect(places(*chains, kernel(("b",), ("c",))) == [
        Place(0, (), False), Place(1, (0,), False), Place(0, (), True), Place(0, (), True)],
        "the longer chain has another stream")
    return "projections are on streams of their own, and nothing that shares bytes"

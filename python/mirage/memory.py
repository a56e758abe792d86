"""Where scratch buffers lie in one allocation.

A scratch buffer is alive from the first kernel that writes it to the last one that
reads or writes it. Buffers that are not alive at the same time may share bytes: kernels
of one stream run one after another.
"""

from __future__ import annotations

from .manifest import Function

# CUDA's own allocations are aligned to 256 bytes, and kernels rely on 16.
ALIGNMENT = 256


def plan(function: Function) -> tuple[dict[str, int], int]:
    """Offsets of the scratch buffers in bytes, by name, and the bytes of all together.

    Larger buffers are placed first, each at the lowest offset where nothing lies that
    is alive at the same time. Scratch that is a result has no offset: it outlives the
    launches, so its caller allocates it."""
    lives: dict[str, tuple[int, int]] = {}
    for number, kernel in enumerate(function.kernels):
        for name in (*kernel.reads, *kernel.writes):
            first, _ = lives.get(name, (number, number))
            lives[name] = (first, number)
    buffers = [b for b in function.of_role("scratch")
               if b.name in lives and b.name not in function.results]
    offsets: dict[str, int] = {}
    total = 0
    for buffer in sorted(buffers, key=lambda b: (-b.bytes, b.name)):
        first, last = lives[buffer.name]
        taken = sorted(
            (offset, offset + function.find(name).bytes) for name, offset in offsets.items()
            if lives[name][0] <= last and first <= lives[name][1])
        offset = 0
        for begin, end in taken:
            if offset + buffer.bytes <= begin:
                break
            offset = max(offset, -(-end // ALIGNMENT) * ALIGNMENT)
        offsets[buffer.name] = offset
        total = max(total, offset + buffer.bytes)
    return offsets, total

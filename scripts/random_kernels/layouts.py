"""Random layouts of tiles in registers, as #mirage_thread.layout prints them."""


def print_layout(random, shape, warps):
    """A layout of a tile of this shape for so many warps, in which each element has
    a place, and some places may lie beyond the end of a dimension."""
    left = {"lanes": 32, "warps": warps}
    digits = {"registers": [], "lanes": [], "warps": []}
    for dim in random.sample(range(len(shape)), len(shape)):
        size, stride = shape[dim], 1

        def take(level, count):
            nonlocal size, stride
            if count > 1:
                digits[level].append(f"{count} d{dim}:{stride}")
            stride *= count
            size = -(-size // count)

        take("registers", random.choice([n for n in (1, 2, 4, 8) if n <= size]))
        for level in random.sample(["lanes", "warps"], 2):
            counts = [n for n in range(1, left[level] + 1)
                      if left[level] % n == 0 and n <= size]  # fmt: skip
            count = random.choice(counts[-2:])
            left[level] //= count
            take(level, count)
        # The digit with the largest stride may reach over the end.
        take("registers", size)
    for level, count in left.items():
        if count > 1:
            digits[level].append(f"{count} phi")
    levels = ", ".join(f"{level} = [{', '.join(of)}]" for level, of in digits.items())
    return f"#mirage_thread.layout<{levels}>"

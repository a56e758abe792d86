"""Random layouts of tiles in registers, as #mirage_thread.layout prints them, and in
shared memory."""


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


class Layouts:
    """The layouts of a program's operators: what stands for each in the text, until
    the schedule, and so the number of warps, is known."""

    def __init__(self, random, random_rows):
        """Without sources of random numbers, nothing has a layout. The second one is
        that of rows in shared memory."""
        self.random = random
        self.random_rows = random_rows
        # The sizes of an operator's tile by what stands for its layout.
        self.placed = {}
        # How rows lie by what stands for it.
        self.rows = {}
        self.warps = 0

    def place(self, dims):
        """What stands for the layout of an operator on a tile, if it gets one."""
        if not self.random or self.random.random() < 0.6:
            return ""
        mark = f"@{len(self.placed)}@"
        self.placed[mark] = [size for _, size in dims]
        return mark

    def place_rows(self, dims, narrow):
        """What stands for how the rows of a load lie in shared memory, if anything says
        it. Chunks have narrow elements."""
        random = self.random_rows
        if not random or random.random() < 0.6:
            return ""
        ways = ["dense"] + [f"gaps of {n}" for n in (1, 2, 4, 8, 16, 24)]
        if narrow and len(dims) > 1 and dims[-1][1] % 16 == 0:
            ways += [f"chunks of {n}" for n in (16, 32, 64)] * 2
        mark = f"@rows {len(self.rows)}@"
        self.rows[mark] = random.choice(ways)
        return mark

    def write(self, text):
        """The text with layouts for so many warps, or with none where that is zero."""
        for mark, shape in self.placed.items():
            layout = ""
            if self.warps:
                layout = print_layout(self.random, [1] + shape, self.warps)
                layout = f" {{mirage_thread.register_layout = {layout}}}"
            text = text.replace(mark, layout)
        for mark, rows in self.rows.items():
            text = text.replace(mark, f' {{mirage_thread.memory_layout = "{rows}"}}')
        return text

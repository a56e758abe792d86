"""Values of random launches, and what these store, as MLIR prints their types."""

import dataclasses


@dataclasses.dataclass
class Value:
    name: str
    # (axis, size) of each dimension; the size is that of the tile, or one.
    dims: tuple
    type: str
    # The axes whose part of the grid, or of the loop, the value depends on.
    parts: frozenset = frozenset()

    @property
    def mlir(self):
        return print_type([size for _, size in self.dims], self.type)

    @property
    def axes(self):
        return tuple(axis for axis, _ in self.dims)


@dataclasses.dataclass
class Stored:
    """What a launch stores."""
    name: str
    shape: list
    type: str

    @property
    def mlir(self):
        return print_type(self.shape, self.type)


def print_type(shape, type):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{type}>"

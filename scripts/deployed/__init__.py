"""Programs of the kind people deploy, by subject; builder.py says how they are written.

Each is a function in one of the modules below. Sizes are those of models in use where
a search takes them within a minute, and smaller, odd or prime ones elsewhere.
"""

from . import attention, images, layers, losses, norms, positions, quantization
from .builder import PROGRAMS


def write_all():
    """All programs, in the order in which the modules have them."""
    return [write() for write in PROGRAMS.values()]

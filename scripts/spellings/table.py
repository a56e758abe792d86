"""The spellings: what each does to a program, and how its text is printed.

`spell(program, name, recast)` returns a Spelling, or raises NotApplicable where it
changes nothing. Names with a colon, `transposed:1`, are of one argument.
"""

import dataclasses
import itertools
import random

from . import algebra, batches, primitives, storage
from .graph import NotApplicable, Program, is_same, substitute
from .kernel_text import head, print_body, print_kernel, print_return
from .linalg_text import print_linalg
from .storage import Stored

# One step or several, each of which takes what the one before it made.
REWRITES = {
    "primitive": [primitives.primitive],
    "raised": [primitives.raised],
    "means": [primitives.means],
    "roots": [primitives.roots],
    "logarithms": [algebra.logarithms],
    "reciprocals": [algebra.reciprocals],
    "differences-added": [algebra.differences_added],
    "exchanged": [algebra.exchanged],
    "products-exchanged": [algebra.products_exchanged],
    "explicit-transposes": [algebra.explicit_transposes],
    "read-transposed": [algebra.read_transposed],
    "scale-after": [algebra.scale_after],
    "scale-left": [algebra.scale_left],
    "scale-right": [algebra.scale_right],
    "scale-late": [algebra.scale_late],
    "masks-scaled": [algebra.masks_scaled],
    "masks-narrow": [algebra.masks_narrow],
    "masks-wide": [storage.masks_wide],
    "casts-early": [algebra.casts_early],
    "casts-late": [algebra.casts_late],
    "products-wide": [algebra.products_wide],
    "maxima-narrow": [algebra.maxima_narrow],
    "axes-exchanged": [algebra.axes_exchanged],
    "transposed": [storage.transposed],
    "transposed-read": [storage.transposed_read],
    "stored-split": [storage.stored_split],
    "stored-joined": [storage.stored_joined],
    "stored-moved": [storage.stored_moved],
    "stored-moved-casts": [storage.stored_moved, algebra.casts_early],
    "batch-split": [batches.batch_split],
    "batch-joined": [batches.batch_joined],
    "batch-dropped": [batches.batch_dropped],
    "weights-fused": [storage.weights_fused],
    "weights-sliced": [storage.weights_sliced],
    "weights-stacked": [storage.weights_stacked],
}
# Printed otherwise.
PRINTERS = {
    "linalg": print_linalg,
    "linalg-generic": lambda program: print_linalg(program, is_named=False),
}
# What passes of mirage-opt make of the program's text.
PASSES = {
    "recognized": ["--mirage-raise-composites"],
    "fissioned": ["--mirage-fission"],
}
WRITTEN = "written"
NAMES = [WRITTEN, *REWRITES, *PRINTERS, *PASSES]
# What spellings differ in. Those that other exporters wrote are a kind of their own.
KINDS = {
    "composites": ["primitive", "raised", "means", "roots", "logarithms", "recognized",
                   "fissioned"],
    "operands": ["exchanged", "products-exchanged", "explicit-transposes",
                 "read-transposed", "reciprocals", "differences-added"],
    "scales": ["scale-after", "scale-left", "scale-right", "scale-late"],
    "masks": ["masks-scaled", "masks-narrow", "masks-wide"],
    "casts": ["casts-early", "casts-late", "products-wide", "maxima-narrow"],
    "orders": ["transposed", "transposed-read", "axes-exchanged"],
    "dimensions": ["stored-split", "stored-joined", "stored-moved",
                   "stored-moved-casts", "batch-split", "batch-joined",
                   "batch-dropped"],
    "weights": ["weights-fused", "weights-sliced", "weights-stacked"],
    "linalg": list(PRINTERS),
}


@dataclasses.dataclass
class Spelling:
    name: str
    text: str
    stored: Stored
    # How its arguments differ from those of the program, if another exporter wrote it.
    differs: str = ""


def names_of(program, chosen=None):
    """The spellings that may apply to a program, or those of `chosen` among them, and
    the program as it is written, with which they are compared."""
    names = []
    for name in NAMES:
        names.append(name)
        if name == "transposed":
            names += [f"transposed:{i}" for i, node in enumerate(program.arguments)
                      if node.rank >= 2]
    return [name for name in names if chosen is None or name in (WRITTEN, *chosen)
            or name.partition(":")[0] in chosen]


def _apply(step, stored):
    """What one more rewrite makes of a program that may be stored otherwise."""
    made = step(stored.program)
    if isinstance(made, Program):
        return Stored(made, stored.arguments, stored.restore)
    known = {id(node): expression for node, expression in
             zip(stored.program.arguments, stored.arguments)}
    return Stored(made.program, substitute(made.arguments, known),
                  lambda results: stored.restore(made.restore(results)))


def spell(program, name, run_passes):
    """`run_passes(text, passes)` is the text that mirage-opt makes of another."""
    stored = Stored(program, program.arguments)
    if name == WRITTEN:
        return Spelling(name, print_kernel(program), stored)
    if name in PRINTERS:
        return Spelling(name, PRINTERS[name](program), stored)
    if name in PASSES:
        before = print_kernel(program)
        text = run_passes(before, PASSES[name])
        if text == run_passes(before, []):
            raise NotApplicable("the passes change nothing")
        return Spelling(name, text, stored)
    kind, _, number = name.partition(":")
    steps = REWRITES[kind]
    if number:
        steps = [lambda p: storage.transposed(p, int(number)), *steps[1:]]
    for step in steps:
        stored = _apply(step, stored)
    if is_same(stored.program, program):
        raise NotApplicable("the program stays the same")
    return Spelling(name, print_kernel(stored.program), stored)


def spell_all(program, run_passes, chosen=None):
    """All spellings of a program, each text once."""
    spellings, texts = [], set()
    for name in names_of(program, chosen):
        try:
            spelling = spell(program, name, run_passes)
        except NotApplicable:
            continue
        if spelling.text not in texts:
            texts.add(spelling.text)
            spellings.append(spelling)
    return spellings


def kind_of(name):
    """What the spelling of this name differs in."""
    plain = name.partition(":")[0]
    return next((kind for kind, names in KINDS.items() if plain in names), plain)


def sample(spellings, count, seed):
    """The program as it is written, and others, `count` in all: each kind has one
    before any has another one. The seed says which; they keep their order."""
    generator = random.Random(seed)
    kinds = {}
    for spelling in spellings:
        if spelling.name != WRITTEN:
            kinds.setdefault(kind_of(spelling.name), []).append(spelling)
    for group in kinds.values():
        generator.shuffle(group)
    groups = list(kinds.values())
    generator.shuffle(groups)
    turns = [s for turn in itertools.zip_longest(*groups) for s in turn if s]
    chosen = {s.name for s in turns[:count - 1]} | {WRITTEN}
    return [s for s in spellings if s.name in chosen]


def print_wrapper(program, spelling, entry):
    """A function with the original's arguments and results that calls `entry`, the
    spelling's function."""
    stored = spelling.stored
    names = {id(node): f"%arg{i}" for i, node in enumerate(program.arguments)}
    lines = print_body(stored.arguments, names)
    operands = ", ".join(names[id(node)] for node in stored.arguments)
    types = ", ".join(node.type for node in stored.arguments)
    inner = [dataclasses.replace(node, op="argument", operands=(), attributes={})
             for node in stored.program.results]
    many = len(inner) > 1
    for i, node in enumerate(inner):
        names[id(node)] = f"%called#{i}" if many else "%called"
    lines.append(f"  %called{f':{len(inner)}' if many else ''} = func.call @{entry}"
                 f"({operands}) : ({types}) -> "
                 f"({', '.join(node.type for node in inner)})")
    results = stored.restore(inner)
    lines += print_body(results, names)
    return "\n".join([
        head(f"{entry}_restored", program.arguments, program.results,
             f" attributes {{mirage.equivalent_to = @{program.name}}}"),
        *lines, print_return(results, names), "}"]) + "\n"

"""Spellings of a program in one module, and what became of each.

mirage-superoptimize searches once for functions of a module that have one µGraph,
and what each of them gets is what it would have got alone, as long as none calls
another. Several spellings of a program are one µGraph as soon as they are raised, so
that this takes less.
"""

import re

FUNCTION = re.compile(r"^  func\.func (?:\w+ )?@([\w.$-]+).*?^  \}\n", re.M | re.S)


def _entry(number):
    return f"spelling{number}"


def join(texts):
    """One module of the functions of several, whose first functions are renamed. Texts
    are as --mlir-print-local-scope prints them: modules without names for types and
    maps. None if one of them has what is no function."""
    functions = []
    for number, text in enumerate(texts):
        body = text.partition("{\n")[2].rpartition("}")[0]
        names = FUNCTION.findall(body)
        if not names or FUNCTION.sub("", body).strip():
            return None
        for name in names:
            new = _entry(number) + (f"_{name}" if name != names[0] else "")
            body = re.sub(rf"@{re.escape(name)}(?![\w.$-])", f"@{new}", body)
        functions.append(body)
    return "module {\n" + "".join(functions) + "}\n"


def split(text, entries):
    """The modules of what became of a joined one, in which first functions have their
    own names again."""
    header = text.partition("\n")[0] + "\n"
    parts = [""] * len(entries)
    for match in FUNCTION.finditer(text):
        number = int(re.match(_entry(r"(\d+)"), match[1])[1])
        parts[number] += match[0]
    return [header + re.sub(rf"@{_entry(number)}(?!\d)", f"@{entry}", part) + "}\n"
            for number, (entry, part) in enumerate(zip(entries, parts))]

"""Passes that rewrite operators of mirage_kernel, beside what they rewrote.

    pairs = beside(original, {"raised": rewritten_text}, ["main"])

is a module for --mirage-verify-equivalence in which @main_raised must compute
what @main does.
"""

import re

REWRITES = {
    "canonicalized": ["--canonicalize", "--cse"],
    "raised": ["--mirage-raise-composites"],
    "decomposed": ["--mirage-decompose-composites"],
    "convolved": ["--mirage-expand-convolutions"],
    "fissioned": ["--mirage-fission"],
    "out_and_in": ["--convert-mirage-to-linalg", "--convert-linalg-to-mirage"],
    "all": ["--mirage-raise-composites", "--mirage-fission", "--canonicalize",
            "--convert-mirage-to-linalg", "--convert-linalg-to-mirage"],
}
# In this order: the stronger answer first.
KINDS = ("proved", "equivalent", "undecided", "refused")

# A definition, or a declaration.
_FUNCTION = re.compile(r"^  func\.func (?:\w+ )?@(\w+)\([^\n]*"
                       r"(?: \{\n.*?^  \}\n|[^{]\n)", re.M | re.S)
_UNDECIDED = re.compile(r"unknown, outside Lax|"
                        r"exponentials vary independently .* not seen")
_RECOGNIZED = re.compile(r"_(raised|all) may .* floats show no difference")


def functions(text):
    """(name, text) of the functions of a module, in order."""
    return [(m.group(1), m.group(0)) for m in _FUNCTION.finditer(text)]


def _rename(function, name, names, suffix):
    """The function with `suffix` at its name and those that it calls."""
    head, brace, body = function.partition(" {\n")
    refer = re.compile(r"@(" + "|".join(map(re.escape, names)) + r")\b")
    head = refer.sub(rf"@\1_{suffix}", head)
    body = refer.sub(rf"@\1_{suffix}", body)
    if not brace:
        return head + body
    before, attributes, rest = head.partition(" attributes {")
    rest = f", {rest[:-1]}" if attributes else ""
    return (f"{before} attributes {{mirage.equivalent_to = @{name}{rest}}}"
            f"{brace}{body}")


def beside(original, rewritten, entries=None):
    """One module: `original`, and a copy for each of {rewrite: text}.

    A function of a copy is to be equivalent to the original one, or only those
    in `entries` are.
    """
    parts = [text for _, text in functions(original)]
    names = [name for name, _ in functions(original)]
    for rewrite, text in rewritten.items():
        for name, function in functions(text):
            renamed = _rename(function, name, names, rewrite)
            if entries is not None and name not in entries:
                renamed = renamed.replace(f"mirage.equivalent_to = @{name}, ", "")
                renamed = renamed.replace(
                    f" attributes {{mirage.equivalent_to = @{name}}}", "")
            parts.append(renamed)
    return "".join(parts)


def classify(answer):
    """Which of KINDS a line of --mirage-verify-equivalence is.

    Undecided is what is outside of what tests decide (an exponential inside
    another, exponentials whose arguments share inputs) and has no proof, and
    composites recognized for what they compute (sqrt(x)^2 is relu(x) where x is
    not negative) if no law that tests know tells it and floats agree; and
    results of which floats, where they are compared, say nothing.
    """
    if "refused as numerically unstable" in answer:
        return "refused"
    if "not accepted in floating point" in answer:
        return "undecided"
    for kind in ("proved", "equivalent with error"):
        if f" does: {kind}" in answer:
            return kind.split()[0]
    if _UNDECIDED.search(answer) or _RECOGNIZED.search(answer):
        return "undecided"
    return "refused"

"""Reads the sentences in which mirage-superoptimize says what became of a subprogram.

Each subprogram that was searched for has one remark. Where it does not read as
lib/Transforms/Superoptimize/SubprogramRemark.h says, `read` raises ValueError: a
script that shows times must not take them from a sentence that it does not know.
"""

import dataclasses
import re

# Seen with --remarks-filter of this category alone, without details.
CATEGORY = "mirage-superoptimize"
_REMARK = re.compile(r"remark: \[\w+\] (\w+) \| "
                     r"Category:mirage-superoptimize \| Function=(\w+) \| "
                     r'Remark="(.*)"$', re.M)
_TIME = r"([\d.]+) µs"
_PROGRAM = r"(\d+) operators? in (\d+) kernels? "
_FUSED = rf"(?: \(with elementwise operators, casts and layouts fused {_TIME}"
_REPLACED = re.compile(
    rf"{_PROGRAM}became (?:(\d+) launch(?:es)?)(?: and (\d+) kernels?)?: "
    rf"{_TIME} instead of {_TIME} by the model (\w+){_FUSED} instead of {_TIME}\))?; "
    r"(proved|equivalent by random tests)\. (.*)")
_UNCHANGED = re.compile(
    rf"{_PROGRAM}stays? as (?:it is|they are), {_TIME} by the model (\w+)"
    rf"{_FUSED}\))?: (.*?)\. (.*)")


@dataclasses.dataclass
class Outcome:
    """What one remark says. Times are microseconds by the cost model."""
    function: str
    is_replaced: bool
    operators: int
    kernels: int
    launches: int
    # Kernels that stay beside the launches; all of them if nothing is replaced.
    plain: int
    before: float
    # The program's time with what any compiler fuses fused, and what is found.
    fused: float
    after: float
    verified: str
    # Why nothing is found; empty where something is.
    reason: str
    missed: str


def _number(text, otherwise):
    return float(text) if text else otherwise


def _read_one(function, text):
    if found := _REPLACED.fullmatch(text):
        (operators, kernels, launches, plain, after, before, _, fused_after, fused,
         verified, missed) = found.groups()
        return Outcome(function, True, int(operators), int(kernels), int(launches),
                       int(plain or 0), float(before), _number(fused, float(before)),
                       _number(fused_after, float(after)), verified, "", missed)
    if found := _UNCHANGED.fullmatch(text):
        operators, kernels, before, _, fused, reason, missed = found.groups()
        fused = _number(fused, float(before))
        return Outcome(function, False, int(operators), int(kernels), 0, int(kernels),
                       float(before), fused, fused, "-", reason, missed)
    raise ValueError(f"@{function}: a remark reads otherwise: {text}")


def read(stderr):
    """The outcomes of all functions that were searched for."""
    return [_read_one(function, text)
            for name, function, text in _REMARK.findall(stderr)
            if name in ("replaced", "unchanged")]


HEAD = ("program", "operators", "kernels", "found", "plain µs", "fused µs", "found µs",
        "seconds", "verified", "what was missed, or why nothing is found")


def print_row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def print_head():
    return [print_row(HEAD), print_row(["---"] * len(HEAD))]


def print_outcome(name, outcome, seconds):
    """A row of a table in Markdown."""
    found = "-"
    if outcome.is_replaced:
        found = f"{outcome.launches} launch{'es' * (outcome.launches != 1)}"
        if outcome.plain:
            found += f", {outcome.plain} kernel{'s' * (outcome.plain != 1)}"
    said = outcome.missed
    if outcome.reason:
        said = f"{outcome.reason[0].upper()}{outcome.reason[1:]}. {said}"
    return print_row([name, outcome.operators, outcome.kernels, found,
                      f"{outcome.before:.2f}", f"{outcome.fused:.2f}",
                      f"{outcome.after:.2f}" if outcome.is_replaced else "-",
                      seconds, outcome.verified, said])

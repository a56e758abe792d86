"""What is known of the correctness of models' parts: what the step `verdicts` of
benchmarks/models.py prints.
"""
import collections
import json
import os

from common import print_head, print_row

VERDICTS = ("proved", "equivalent", "unchanged", "unsupported")


def read_parts(out, name):
    """The parts that were searched of a model's programs, as its records have them."""
    with open(os.path.join(out, f"{name}.programs")) as file:
        programs = file.read().split()
    for program in programs:
        with open(os.path.join(out, "records", program, "parts.json")) as file:
            yield from json.load(file)


def get_reason(part):
    """Why a part is not supported: what the remark says behind its name."""
    return part["sentence"].partition(": ")[2].partition(". ")[0].rstrip(".") or "no remark"


def print_verdicts(out, names):
    """Prints how many parts of each model have each verdict, and for those that are not
    supported why; returns how many parts have a verdict that is none of VERDICTS."""
    print_head("Model", "parts", *VERDICTS, "why unsupported")
    total, wrong = collections.Counter(), 0
    for name in names:
        parts = list(read_parts(out, name))
        counts = collections.Counter(part["verdict"] for part in parts)
        reasons = collections.Counter(map(get_reason, (
            part for part in parts if part["verdict"] == "unsupported")))
        for part in parts:
            if part["verdict"] not in VERDICTS:
                wrong += 1
                reasons[f"WRONG: {part['name']} is {part['verdict']}"] += 1
        total += counts
        print_row(name, len(parts), *(counts[verdict] for verdict in VERDICTS),
                  ", ".join(f"{reason} ({count})" for reason, count in reasons.items()))
    print_row("all", sum(total.values()), *(total[verdict] for verdict in VERDICTS), "")
    return wrong

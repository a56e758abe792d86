"""What scripts/check-spellings.py says of spellings that stay as they are, whose times
are written here."""

import sys
from types import SimpleNamespace

sys.path[:0] = sys.argv[1:]
from spellings import reports

TOLERANCE = 0.01


def say(name, *spellings):
    found = [reports.Found(
        SimpleNamespace(name=spelling, differs="", stored=None),
        SimpleNamespace(microseconds=time, whole_lines=5.0, launches=1,
                        verdicts=(verdict,), was_cut=False, seconds=1.0, error=""),
        None) for spelling, time, verdict in spellings]
    checker = SimpleNamespace(options=SimpleNamespace(tolerance=TOLERANCE))
    said = reports.report(checker, name, None, [f.spelling for f in found],
                          [f.measurement for f in found])
    print("\n".join(said.lines))
    print(said.row, end="")


say("slower", ("written", 5.0, "proved"), ("transposed", 6.0, "unchanged"),
    ("linalg", 5.04, "unchanged"))
say("alike", ("written", 6.0, "unchanged"), ("transposed", 6.05, "unchanged"))
say("unlike", ("written", 6.0, "unchanged"), ("transposed", 7.0, "unchanged"))

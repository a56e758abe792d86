"""The check of what is recorded when Mirage's tools fail."""

import os
import tempfile
import unittest.mock

from mirage import record, report, tools

from .derived import expect

FAILING = """#!/bin/sh
case "$*" in
*{option}*) echo '<stdin>:1:1: error: the program is wrong' >&2; {end};;
*) exec {folder}/{name} "$@";;
esac
"""


def _get_records():
    return set(os.listdir(record.root())) if os.path.isdir(record.root()) else set()


def _compile_failing(compile_graph, option, end):
    """What is said of the graph if tools that are given the option end so, and what is
    recorded."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("mirage-opt", "mirage-translate"):
            with open(os.path.join(folder, name), "w") as file:
                file.write(FAILING.format(option=option, end=end, name=name,
                                          folder=tools.folder()))
            os.chmod(file.name, 0o755)
        before, start = _get_records(), len(report.graphs)
        with unittest.mock.patch.dict(os.environ, MIRAGE_TOOLS=folder):
            compile_graph()
    return str(report.graphs[start]), _get_records() - before


def check(compile_graph):
    """Checks that what tools refuse of a graph is recorded, and that a crash is not."""
    for option, kind in (("--mirage-import-linalg", "operator-"),
                         ("--mirage-optimize", "graph-")):
        said, recorded = _compile_failing(compile_graph, option, "kill -KILL $$")
        expect(not any(name.startswith(kind) for name in recorded),
               f"{option}: a crash is recorded: {said}")
        said, recorded = _compile_failing(compile_graph, option, "exit 1")
        expect("the program is wrong" in said, f"{option}: {said}")
        expect(any(name.startswith(kind) for name in recorded),
               f"{option}: a refusal is not recorded: {said}")
    return "a refusal is recorded, and a crash is not"

"""From linalg to kernels: what Mirage's tools make of one program.

`compile_program` takes a module in linalg with a function @main, and gives the record
with PTX, manifest and a summary of what was found.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import tempfile
from typing import Callable

from . import manifest, record, tools

_FOUND = re.compile(r"func\.func private @(\S+?)\(.*?mirage\.superoptimized = \{(.*?)\}")
_NUMBER = re.compile(r"(\w+) = ([-+.\de]+) : f32")
_REMARK = re.compile(r"Category:mirage-superoptimize \| Function=(\w+) \| Remark=\"(.*)\"")


@dataclasses.dataclass
class Part:
    """A subprogram that was searched: its name, what became of it in a sentence, its
    estimated time as it was, with plain fusion, and of what replaces it, in microseconds
    (None where the model gave none or nothing replaces it), and what is known of its
    correctness: proved, equivalent, unchanged or unsupported."""

    name: str
    sentence: str
    original: float | None
    fused: float | None
    now: float | None
    verdict: str


@dataclasses.dataclass
class Program:
    """Kernels of one subgraph, as recorded in `folder`. `load` makes the last inputs of
    `function` of others, as this one's `load` says."""

    folder: str
    target: str
    function: manifest.Function
    ptx: str
    parts: list[Part]
    load: manifest.Function | None = None

    def inputs(self) -> list[manifest.Buffer]:
        """The inputs that callers give."""
        inputs = self.function.of_role("input")
        return inputs[:len(inputs) - len(self.load.results)] if self.load else inputs

    @property
    def name(self) -> str:
        """The record's name."""
        return os.path.basename(self.folder)

    def estimated(self) -> tuple[float, float] | None:
        """Microseconds of the searched parts as they were with plain fusion and as
        they are, by the model; None if there is an unknown one."""
        before = [p.fused if p.fused is not None else p.original for p in self.parts]
        after = [p.now if p.now is not None else b for p, b in zip(self.parts, before)]
        if not before or None in before or None in after:
            return None
        return sum(before), sum(after)


def _parts(text: str, remarks: str) -> list[Part]:
    sentences = dict(_REMARK.findall(remarks))
    parts = []
    for name, attributes in _FOUND.findall(text):
        numbers = {key: float(value) for key, value in _NUMBER.findall(attributes)}
        found = re.search(r'verdict = "(\w+)"', attributes)
        verdict = found.group(1) if found else "unknown"
        # Where nothing is replaced, the time is that of the best candidate.
        now = numbers.get("microseconds") if verdict in ("proved", "equivalent") else None
        parts.append(Part(name, sentences.get(name, ""),
                          numbers.get("original_microseconds"),
                          numbers.get("fused_microseconds"), now, verdict))
    return parts


def load(folder: str) -> Program:
    """The program of a record. ManifestError if its manifest is of another version."""
    text = record.read_text(folder, "manifest.json")
    target, function = manifest.parse(text)
    load = manifest.parse(text, function.load.function)[1] if function.load else None
    parts = [Part(**part) for part in json.loads(record.read_text(folder, "parts.json"))]
    return Program(folder, target, function, record.read_text(folder, "kernels.ptx"), parts, load)


def name_of(text: str, search: str, lower: str, chip: str) -> str:
    """The name of the record of a program, searched with the options `search` of
    mirage-optimize and lowered with the options `lower` of mirage-lower-to-nvvm, for a
    chip such as "sm_90a"."""
    return record.key("program", text, search, lower, chip, tools.identity())


def compile_program(text: str, search: str, lower: str, chip: str,
                    show: Callable[[str], None] | None = None) -> Program:
    """The program's kernels, from the record or made now. Raises tools.ToolError with
    the tools' words where Mirage cannot make kernels of all of it. `show` is called with
    lines that say where this is."""
    name = name_of(text, search, lower, chip)
    if folder := record.find(name):
        return load(folder)
    options = f"chip={chip} {search}".strip()

    def shows(step: str) -> Callable[[str], None] | None:
        return show and (lambda line: show(f"{step} {line}"))

    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "program.mlir")
        found = tools.run("mirage-opt", f"--mirage-optimize={options}", "--remark-policy=all",
                          "--remarks-filter=mirage-superoptimize", "-o", path, input=text,
                          show=shows("search"))
        nvvm = os.path.join(work, "nvvm.mlir")
        lowering = f"chip={chip} {lower}".strip()
        tools.run("mirage-opt", path, f"--mirage-lower-to-nvvm={lowering}", "-o", nvvm,
                  show=shows("lowering"))
        tools.run("mirage-translate", nvvm, "--mirage-to-ptx", "--entry=main", "-o", work)
        files = {"linalg.mlir": text}
        for file in ("program.mlir", "kernels.ptx", "manifest.json"):
            files[file] = record.read_text(work, file)
    parts = _parts(files["program.mlir"], found.stderr)
    files["parts.json"] = json.dumps([dataclasses.asdict(part) for part in parts], indent=1)
    manifest.parse(files["manifest.json"])
    return load(record.write(name, files))

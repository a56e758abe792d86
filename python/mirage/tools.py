"""Mirage's command-line tools: where they are, which they are, and running them.

The wheel has them in the package's folder `bin`. MIRAGE_TOOLS names another folder.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import subprocess
import threading
from typing import Callable

_PACKAGE = os.path.dirname(os.path.realpath(__file__))
IDENTITY = os.path.join(_PACKAGE, "tools.json")
_ERROR = re.compile(r"error: (.*)")
# A line that says where a tool is: so many of so many are done.
_PROGRESS = re.compile(r"\d+/\d+ ")


class ToolError(RuntimeError):
    """A tool is missing or refused its input; the message is the tool's."""


class ToolFailure(ToolError):
    """A tool could not be run, crashed or was killed, which says nothing of its input."""


def folder() -> str:
    """The folder of the tools."""
    return os.environ.get("MIRAGE_TOOLS") or os.path.join(_PACKAGE, "bin")


def available() -> bool:
    """Whether programs can be compiled here."""
    return os.access(os.path.join(folder(), "mirage-opt"), os.X_OK)


def digest(directory: str) -> str:
    """What tells the tools of a folder from others: a hash of their bytes."""
    hasher = hashlib.sha256()
    for name in ("mirage-opt", "mirage-translate"):
        with open(os.path.join(directory, name), "rb") as file:
            while block := file.read(1 << 20):
                hasher.update(block)
    return hasher.hexdigest()[:16]


@functools.lru_cache(maxsize=None)
def _identity(directory: str) -> str:
    packaged = os.path.join(_PACKAGE, "bin")
    if os.path.realpath(directory) == os.path.realpath(packaged) and os.path.exists(IDENTITY):
        with open(IDENTITY) as file:
            return json.load(file)["digest"]
    try:
        return digest(directory)
    except OSError as error:
        raise ToolError(f"there are no tools of Mirage in {directory}") from error


def identity() -> str:
    """The tools' identity, a part of what results are recorded under. The wheel says
    it without the tools, so that a record made elsewhere is found where they are not
    installed. Raises ToolError if there are neither tools nor a wheel."""
    return _identity(folder())


def run(name: str, *arguments: str, input: str | None = None, check: bool = True,
        show: Callable[[str], None] | None = None) -> subprocess.CompletedProcess:
    """Runs a tool on text. With `check`, a refusal is a ToolError that has the first
    error which the tool printed. A tool that fails without one raises ToolFailure. `show` is
    called with each line in which the tool says where it is, in another thread."""
    path = os.path.join(folder(), name)
    try:
        if show:
            done = _follow([path, *arguments], input, show)
        else:
            done = subprocess.run([path, *arguments], input=input, capture_output=True,
                                  text=True)
    except OSError as error:
        raise ToolFailure(f"{name} cannot be run: {error}") from error
    said = f"{name}: {first_error(done.stderr, done.returncode)}"
    if done.returncode < 0 or done.returncode and not _ERROR.search(done.stderr):
        raise ToolFailure(said)
    if check and done.returncode:
        raise ToolError(said)
    return done


def _follow(command: list[str], input: str | None,
            show: Callable[[str], None]) -> subprocess.CompletedProcess:
    """Runs a command, and shows lines of progress while it runs. What it printed has all
    other lines."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as process:
        said, errors = [], []

        def read_errors() -> None:
            for line in process.stderr:
                if _PROGRESS.match(line):
                    show(line.rstrip("\n"))
                else:
                    errors.append(line)

        readers = [threading.Thread(target=read_errors),
                   threading.Thread(target=lambda: said.append(process.stdout.read()))]
        for reader in readers:
            reader.start()
        try:
            process.stdin.write(input or "")
            process.stdin.close()
        except BrokenPipeError:
            pass  # The tool ended without reading all, and says why.
        for reader in readers:
            reader.join()
    return subprocess.CompletedProcess(command, process.returncode, "".join(said),
                                       "".join(errors))


def first_error(text: str, status: int) -> str:
    """The first error in what a tool printed, without its place in the file."""
    if found := _ERROR.search(text):
        return found.group(1)[:500].strip()
    lines = text.strip().splitlines()
    return (lines[-1][:500] if lines else "no message") + f" (exit status {status})"

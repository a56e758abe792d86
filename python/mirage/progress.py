"""Where a compilation is, on stderr: one line that is overwritten on a terminal, and elsewhere a
line for each text, of which the tools write one every few seconds."""

from __future__ import annotations

import os
import shutil
import sys


class Line:
    """Shows texts as they come; `with` removes the last one from a terminal."""

    def __init__(self, stream=None):
        self.stream = stream or sys.stderr
        self.is_terminal = self.stream.isatty()
        self.width = 0

    def show(self, text: str) -> None:
        """Shows a text of one line."""
        if not self.is_terminal:
            print(text, file=self.stream, flush=True)
            return
        # A line that wraps could not be overwritten.
        text = text[:shutil.get_terminal_size().columns - 1]
        print("\r" + text.ljust(self.width), end="", file=self.stream, flush=True)
        self.width = len(text)

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *exception) -> None:
        if self.width:
            print("\r" + " " * self.width + "\r", end="", file=self.stream, flush=True)


def is_wanted(option: bool | None) -> bool:
    """Whether to show lines: as the option says, else as MIRAGE_PROGRESS does, else on a
    terminal only."""
    if option is not None:
        return option
    if "MIRAGE_PROGRESS" in os.environ:
        return os.environ["MIRAGE_PROGRESS"] == "1"
    return sys.stderr.isatty()

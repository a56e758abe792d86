"""IREE's released tools: those on PATH, or wheels in a virtual environment."""

import os
import re
import shutil
import subprocess
import sys
import time

PACKAGES = ["iree-base-compiler", "iree-base-runtime"]
TOOLS = ["iree-compile", "iree-run-module"]
# What flags and attributes here were tried with.
VERSIONS = ">=3.12,<3.14"


class Unavailable(Exception):
    """There are no tools; the message says why."""


def find_tools(folder, log=print):
    """Paths of the tools by name. They are installed into `folder` if they are
    neither on PATH nor there; `log` gets a line that says how long it took."""
    paths = {tool: shutil.which(tool) for tool in TOOLS}
    if all(paths.values()):
        return paths
    binaries = os.path.join(folder, "bin")
    paths = {tool: os.path.join(binaries, tool) for tool in TOOLS}
    if not all(map(os.path.exists, paths.values())):
        start = time.monotonic()
        for command in (
                [sys.executable, "-m", "venv", folder],
                [os.path.join(binaries, "python"), "-m", "pip", "install", "--quiet",
                 *(package + VERSIONS for package in PACKAGES)]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise Unavailable(f"{' '.join(PACKAGES)} cannot be installed: "
                                  + (done.stderr.strip().splitlines() or ["?"])[-1])
        size = sum(os.path.getsize(os.path.join(path, name))
                   for path, _, names in os.walk(folder) for name in names
                   if not os.path.islink(os.path.join(path, name)))
        log(f"installed {', '.join(PACKAGES)}: {size / 2**20:.0f} MiB, "
            f"{time.monotonic() - start:.0f} s")
    return paths


def version(paths):
    """The compiler's version."""
    text = subprocess.run([paths["iree-compile"], "--version"], capture_output=True,
                          text=True).stdout
    found = re.search(r"version (\S+)", text)
    return found.group(1) if found else "of an unknown version"


def runtime_binary(paths):
    """The binary behind the script iree-run-module, which needs no Python."""
    script = paths["iree-run-module"]
    with open(script, "rb") as file:
        if file.read(4) == b"\x7fELF":
            return script
    python = os.path.join(os.path.dirname(script), "python")
    code = ("import iree._runtime_libs as l, os;"
            "print(os.path.join(os.path.dirname(l.__file__), 'iree-run-module'))")
    return subprocess.run([python, "-c", code], check=True, capture_output=True,
                          text=True).stdout.strip()

"""What benchmarks of the compiler share: paths, a pass and its statistics, tables."""
import json
import os
import subprocess
import sys
import tempfile
import time

from programs import write

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build", "release")
BIN = os.path.join(BUILD, "bin")


def run_pass(name, program, options, timeout=None):
    """The statistics that the pass writes for a program of programs.py, or for the
    first part of it that it searches for, and seconds of the whole process; None if
    it took longer than the timeout."""
    with tempfile.TemporaryDirectory() as folder:
        path, stats = os.path.join(folder, "in.mlir"), os.path.join(folder, "stats")
        with open(path, "w") as file:
            file.write(write(program))
        if name != "mirage-optimize":
            options = {"function": program, **options}
        settings = " ".join(f"{k}={v}" for k, v in options.items())
        command = [os.path.join(BIN, "mirage-opt"), path, "-o", os.path.join(folder, "out.mlir"),
                   f"--{name}={settings} stats={stats}"]  # fmt: skip
        start = time.perf_counter()
        try:
            process = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return None
        seconds = time.perf_counter() - start
        if process.returncode:
            sys.exit(f"{' '.join(command)} failed:\n{process.stderr}")
        with open(stats) as file:
            return json.load(file)[0], seconds


def print_row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def print_head(*cells):
    print_row(*cells)
    print_row(*("---" for _ in cells))


def split(text, known, kind):
    """The names in a list with commas, or the end of the program if one is unknown."""
    names = text.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"no such {kind}: {', '.join(unknown)}; known are {', '.join(known)}")
    return names

"""Prints a table of the kernels that `mirage-translate --mirage-to-ptx` wrote.

    print_kernels.py folder

Grid, block and dynamic shared memory are what manifest.json launches with.
Registers and static shared memory come from ptxas -v, where there is a ptxas.
"""

import json
import os
import re
import shutil
import subprocess
import sys


def find_ptxas():
    """ptxas on PATH, or in the folder of a CUDA installation."""
    folders = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    folders.append("/usr/local/cuda")
    found = shutil.which("ptxas")
    for folder in filter(None, folders):
        found = found or shutil.which("ptxas", path=os.path.join(folder, "bin"))
    return found


def assemble(ptxas, ptx, target):
    """What ptxas -v says of each entry: {name: (registers, shared bytes)}."""
    run = subprocess.run(
        [ptxas, f"-arch={target}", "-v", ptx, "-o", os.devnull],
        capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"error: ptxas does not accept {ptx}:\n{run.stdout}{run.stderr}")
    usage = {}
    entry = None
    for line in (run.stdout + run.stderr).splitlines():
        if compiling := re.search(r"Compiling entry function '([^']+)'", line):
            entry = compiling[1]
        if registers := re.search(r"Used (\d+) registers", line):
            shared = re.search(r"(\d+) bytes smem", line)
            usage[entry] = int(registers[1]), int(shared[1]) if shared else 0
    return usage


def main(folder):
    with open(os.path.join(folder, "manifest.json")) as file:
        manifest = json.load(file)
    ptxas = find_ptxas()
    usage = {}
    if ptxas:
        usage = assemble(ptxas, os.path.join(folder, manifest["ptx"]),
                         manifest["target"])

    rows = [("kernel", "grid", "block", "shared memory", "registers")]
    for function in manifest["functions"]:
        for kernel in function["kernels"]:
            registers, static = usage.get(kernel["name"], ("unknown", 0))
            rows.append((
                kernel["name"],
                "x".join(map(str, kernel["grid"])),
                "x".join(map(str, kernel["block"])),
                f"{kernel['shared_memory_bytes'] + static} B",
                str(registers)))
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  ".join(cells))
    if not ptxas:
        print("Registers are unknown: they are assigned by ptxas, a part of CUDA,"
              " which is not installed here.")


if __name__ == "__main__":
    main(sys.argv[1])

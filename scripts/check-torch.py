#!/usr/bin/env python3
"""Checks torch.compile(backend="mirage") with PyTorch's released packages, without a GPU.

  scripts/check-torch.py
  scripts/check-torch.py --only lora,training --work torch-work

PyTorch, torch-mlir and IREE's compiler are installed into a virtual environment in the
build folder. Where they cannot be had, the script says so and ends well. The wheel
mirage-superoptimizer is built of the tools in --tools (of the preset static, if it was
built) and installed into a folder of its own.

scripts/torch_checks/cases.py then runs models with the kernels on the stand-in for
CUDA's driver (python/mirage/simulation.py). Nothing here shows that PTX is right on a
GPU, or how fast it is: scripts/check-torch-cuda.py does, where there is one.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time

scripts = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, scripts)
from torch_checks import wheels

root = os.path.dirname(scripts)
STATIC = os.path.join(root, "build/static/bin")


def install_package(python, folder, tools):
    """Builds the wheel and installs it into `folder`; returns a line about it."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(
        [*python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target",
         folder, os.path.join(root, "python")], check=True,
        env={**os.environ, "MIRAGE_TOOLS": tools})
    return (f"built and installed mirage-superoptimizer with {os.path.relpath(tools, root)}: "
            f"{wheels.size(folder) / 2**20:.0f} MiB")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default=STATIC if os.path.exists(
        os.path.join(STATIC, "mirage-translate")) else os.path.join(root, "build/release/bin"),
        help="folder of Mirage's tools")
    parser.add_argument("--work", default=os.path.join(root, "build/torch"),
                        help="folder for what is installed and recorded")
    parser.add_argument("--only", default="", help="names of checks, by commas")
    options = parser.parse_args()
    start = time.monotonic()
    try:
        python = wheels.find_python(options.work)
    except wheels.Unavailable as problem:
        print(f"check-torch: skipped: {problem}")
        return 0
    package = os.path.join(options.work, "package")
    print(install_package(python, package, os.path.abspath(options.tools)), flush=True)
    records = os.path.join(options.work, "records")
    shutil.rmtree(records, ignore_errors=True)
    variables = wheels.environment(options.work) | {
        "PYTHONPATH": os.path.abspath(package), "MIRAGE_RECORDS": os.path.abspath(records)}
    variables.pop("MIRAGE_TOOLS", None)
    done = subprocess.run([*python, os.path.join(scripts, "torch_checks", "cases.py"),
                           "--only", options.only], env=variables)
    print(f"check-torch: {time.monotonic() - start:.0f} s")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())

"""PyTorch and importers in a virtual environment, without a GPU.

The package index has PyTorch with CUDA only. Its wheel is installed without what it
depends on but for small packages and CUDA's runtime; empty_libraries.py stands in for
the libraries of CUDA that its import links and nothing here calls.
"""

import os
import subprocess
import sys
import sysconfig
import time

from . import empty_libraries

# What the checks were tried with. These are installed without what they need.
TORCH = "2.15.0"
ALONE = ["torch-mlir==20261001", "nvidia-cuda-runtime>=13,<14", "iree-base-compiler>=3.12,<3.14"]
WHOLE = ["numpy", "packaging", "typing-extensions", "sympy", "networkx", "jinja2", "fsspec", "filelock",
         "setuptools"]


class Unavailable(Exception):
    """There is no PyTorch; the message says why."""


def _paths(folder):
    environment = os.path.join(folder, "wheels")
    return environment, os.path.join(environment, "libraries")


def environment(folder):
    """Environment variables for the Python of `find_python`."""
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(
        filter(None, [_paths(folder)[1], os.environ.get("LD_LIBRARY_PATH")]))}


def size(folder):
    """Bytes of the files below a folder."""
    return sum(os.path.getsize(os.path.join(path, name)) for path, _, names in os.walk(folder)
               for name in names if not os.path.islink(os.path.join(path, name)))


def find_python(folder, torch=TORCH, log=print):
    """A command that runs a Python with PyTorch of the version `torch`, torch-mlir and
    IREE's importer, to be run with `environment`. They are installed below `folder` if
    nothing is there; `log` gets a line that says how large they are. Raises
    Unavailable."""
    home, libraries = _paths(folder)
    python = os.path.join(home, "bin", "python")
    done = os.path.join(home, "complete")
    if os.path.exists(done):
        return [python]
    start = time.monotonic()
    install = [python, "-m", "pip", "install", "--quiet", "--no-cache-dir"]
    for command in ([sys.executable, "-m", "venv", home],
                    [*install, "--no-deps", f"torch=={torch}", *ALONE],
                    [*install, *WHOLE]):
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            raise Unavailable("PyTorch and torch-mlir cannot be installed: "
                              + (ran.stderr.strip().splitlines() or ["?"])[-1])
    packages = os.path.join(home, "lib", f"python{sysconfig.get_python_version()}",
                            "site-packages")
    try:
        empty_libraries.make(libraries, os.path.join(packages, "torch"))
    except (OSError, subprocess.CalledProcessError) as problem:
        raise Unavailable(f"no stand-ins for CUDA's libraries: {problem}") from problem
    with open(done, "w"):
        pass
    log(f"installed PyTorch, torch-mlir and IREE's compiler: {size(home) / 2**20:.0f} MiB, "
        f"{time.monotonic() - start:.0f} s")
    return [python]

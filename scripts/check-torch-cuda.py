#!/usr/bin/env python3
"""Makes a folder that checks torch.compile(backend="mirage") on a GPU.

  scripts/check-torch-cuda.py make FOLDER [--layers llama,bert,vit] [--types f16]
                                     [--torch VERSION]
  FOLDER/run.sh OUT             on the machine with the GPU, where PyTorch is

"make" needs what scripts/check-torch.py installs; neither Mirage's tools nor an importer
are needed where the GPU is. The folder holds the Python package without tools, and
records of the layers of scripts/torch_checks/layers.py at the sizes of LLaMA 7B, BERT
base and ViT B/16, batch 1, and of a training step of a gated MLP: a megabyte.

A record is for a graph, and versions of PyTorch trace different graphs of one model:
--torch is the version of the machine with the GPU.

run.sh (scripts/torch_checks/run_cuda.py) compares with float64, with twice the error of
PyTorch's eager mode as the bound; calls a thousand times and looks for memory that was
not given back; calls on two streams at once and inside a CUDA graph, where results must
be the same bits; and prints times beside eager mode and inductor.
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

RUN = """#!/usr/bin/env bash
# Runs the checks of this folder on the first GPU; see scripts/check-torch-cuda.py.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:?usage: run.sh OUT [options of run_cuda.py]}
shift
mkdir -p "$out"
records=$(mktemp -d)
trap 'rm -rf "$records"' EXIT
cp -r "$here/records/." "$records"
export MIRAGE_RECORDS=$records PYTHONPATH=$here/package:$here
exec "${PYTHON:-python3}" "$here/torch_checks/run_cuda.py" "$out" --cases "CASES" "$@"
"""


def make(options):
    folder = options.folder
    if os.path.exists(folder):
        sys.exit(f"{folder} is there already")
    try:
        python = wheels.find_python(options.work, options.torch)
    except wheels.Unavailable as problem:
        print(f"check-torch-cuda: skipped: {problem}")
        return 0
    os.makedirs(folder)
    tools = os.path.abspath(options.tools)
    builder = os.path.join(root, "python", "build_wheel.py")
    made = subprocess.run([sys.executable, builder, folder, "--without-tools"], check=True,
                          capture_output=True, text=True,
                          env={**os.environ, "MIRAGE_TOOLS": tools}).stdout.strip()
    wheel = os.path.join(folder, made)
    shutil.unpack_archive(wheel, os.path.join(folder, "package"), "zip")
    os.remove(wheel)
    checks = os.path.join(folder, "torch_checks")
    os.makedirs(checks)
    for name in ("__init__.py", "layers.py", "run_cuda.py"):
        shutil.copy(os.path.join(scripts, "torch_checks", name), checks)
    cases = ",".join(f"{layer}-{type}" for layer in options.layers.split(",")
                     for type in options.types.split(",")) + ",training-f32"
    script = os.path.join(folder, "run.sh")
    with open(script, "w") as file:
        file.write(RUN.replace("CASES", cases))
    os.chmod(script, 0o755)
    start = time.monotonic()
    environment = wheels.environment(options.work) | {
        "PYTHONPATH": os.path.abspath(os.path.join(folder, "package")),
        "MIRAGE_TOOLS": tools,
        "MIRAGE_RECORDS": os.path.abspath(os.path.join(folder, "records"))}
    done = subprocess.run([*python, os.path.join(checks, "run_cuda.py"), "--record",
                           "--cases", cases, folder], env=environment)
    print(f"{cases}: recorded in {time.monotonic() - start:.0f} s")
    return done.returncode


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["make"])
    parser.add_argument("folder")
    parser.add_argument("--layers", default="llama,bert,vit")
    parser.add_argument("--types", default="f16", help="f16, bf16, f32, by commas")
    parser.add_argument("--tools", default=os.path.join(root, "build/static/bin"),
                        help="folder of Mirage's tools")
    parser.add_argument("--torch", default=wheels.TORCH, help="version of PyTorch")
    parser.add_argument("--work", help="folder of the virtual environment")
    options = parser.parse_args()
    options.work = options.work or os.path.join(
        root, "build", "torch" if options.torch == wheels.TORCH else f"torch-{options.torch}")
    return make(options)


if __name__ == "__main__":
    sys.exit(main())

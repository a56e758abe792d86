#!/usr/bin/env python3
"""Makes a folder that checks the way into IREE on a GPU, and judges what came back.

  scripts/check-iree-cuda.py make FOLDER
  FOLDER/run.sh OUT             on the machine with the GPU
  scripts/check-iree-cuda.py judge FOLDER OUT

The folder holds, for each program, the module that iree-compile made of Mirage's
optimized one, random inputs and expected results, beside iree-run-module and
iree-benchmark-module: two binaries of 2 MB that need glibc and NVIDIA's driver, and
no Python. run.sh runs each program three times, compares by the largest bound of an
element, prints IREE's time, and leaves the results in OUT. "judge" compares every
element within its own bound. With --mirage-run, a statically linked mirage-run goes
along, and run.sh prints what it measures of the same kernels.

Programs are those of benchmarks/programs.py by name, or files of linalg or kernel
operators. The default is Mirage's six programs at batch size 1, and a LLaMA and a BERT
layer of test/Corpus at their small sizes; all together take 16 MB and a minute. IREE's
time is that of a whole call, from the host and back; where ncu is on PATH, that of the
kernels in a call stands beside it. mirage-run's is that of the launches inside a CUDA
graph, with inputs that no cache holds.
"""

import argparse
import gzip
import math
import os
import random
import shutil
import sys
import time

scripts = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, scripts)
from iree_checks import programs, tools, wheels
from iree_checks.programs import benchmarks
from iree_checks.results import Wrong, compare, read_bounds
from mirage_cpu import Array, find_functions, signature

root = os.path.dirname(scripts)
SIX = ["gqa", "qknorm", "rmsnorm", "lora", "gatedmlp", "ntrans"]
DEFAULT = [f"{name}_bs1" for name in SIX] + [
    os.path.join(root, "test", "Corpus", f"torch-{name}-layer-f16.mlir")
    for name in ("llama-decoder", "bert")]

# A prime number whose numbers of f16 gzip's window of 32 KiB holds.
PERIOD = 8191

RUN = r"""#!/usr/bin/env bash
# Runs every program of this folder on the first GPU; see scripts/check-iree-cuda.py.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:?usage: run.sh OUT}
inputs_folder=$(mktemp -d)
trap 'rm -rf "$inputs_folder"' EXIT
failed=0
for program in "$here"/*/; do
  name=$(basename "$program")
  mkdir -p "$out/$name"
  . "$program/flags.sh" # entry, results, f16 and f32 thresholds
  inputs=() outputs=() expected=()
  for ((i = 0; i < inputs_count; ++i)); do
    gzip -dc "$program/input$i.npy.gz" >"$inputs_folder/input$i.npy" || exit 1
    inputs+=("--input=@$inputs_folder/input$i.npy")
  done
  for ((i = 0; i < results_count; ++i)); do
    outputs+=("--output=@$out/$name/result$i.npy")
    expected+=("--expected_output=@$program/expected$i.npy")
  done
  common=(--device=cuda "--module=$program/module.vmfb" "--function=$entry" "${inputs[@]}")
  verdict=right
  for run in 1 2 3; do
    "$here/iree-run-module" "${common[@]}" "${expected[@]}" \
      "--expected_f16_threshold=$threshold" "--expected_f32_threshold=$threshold" \
      >"$out/$name/compare$run.txt" 2>&1 || verdict=WRONG
  done
  "$here/iree-run-module" "${common[@]}" "${outputs[@]}" >"$out/$name/run.txt" 2>&1 ||
    verdict=FAILED
  [ $verdict = right ] || failed=1
  time=$("$here/iree-benchmark-module" "${common[@]}" 2>"$out/$name/benchmark.err" |
    tee "$out/$name/benchmark.txt" | awk '/real_time/ { print $2, $3 }' | tail -n 1)
  kernels=
  if command -v ncu >/dev/null; then
    # The last column of ncu's table is each kernel's time in nanoseconds. The first calls
    # fetch their inputs from the host, so that the kernels of a later one count.
    profile() { ncu --csv --print-units base --clock-control none \
      --metrics gpu__time_duration.sum "$@" 2>>"$out/$name/ncu.err" | grep gpu__time_duration.sum; }
    count=$(profile "$here/iree-run-module" "${common[@]}" --output= | wc -l)
    kernels=$(profile --launch-skip $((8 * count)) --launch-count "$count" \
      "$here/iree-benchmark-module" "${common[@]}" |
      tee "$out/$name/ncu.txt" | awk -F'","' '{ gsub(/[",]/, "", $NF); sum += $NF; ++count }
        END { if (count) printf "%d kernels %.1f us", count, sum / 1000 }')
  fi
  mirage=
  if [ -x "$here/mirage-run" ]; then
    mirage=$("$here/mirage-run" --device=cuda --time "--entry=$entry" "--kernels=$program/kernels" \
      "$program/program.mlir" 2>&1 | tee "$out/$name/mirage-run.txt" |
      sed -n 's/.*median_us=\([0-9.]*\).*/\1 us/p' | head -n 1)
  fi
  printf '%-32s %-7s IREE: a call %s%s%s\n' "$name" "$verdict" "${time:-not timed}" \
    "${kernels:+, its $kernels}" "${mirage:+; mirage-run: $mirage}"
done
exit $failed
"""


def write_large_inputs(program, entry, folder):
    """Writes inputs of more than 4 MiB as repetitions of PERIOD random numbers, which
    rows of any size cut differently; mirage-run makes the others. They are packed to a
    hundredth."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(program) as file:
        arguments, _ = signature(file.read(), entry)
    draw = random.Random(1)
    for number, (type, shape) in enumerate(arguments):
        count = math.prod(shape)
        if type != "f16" or 2 * count <= 4 << 20:
            continue
        part = Array.from_values(type, (PERIOD,), [draw.gauss(0, 1) for _ in range(PERIOD)])
        data = (part.data * (count // PERIOD + 1))[:2 * count]
        Array(type, shape, data).write_npy(os.path.join(folder, f"input{number}.npy"))


def add_program(name, box, folder, search, clusters):
    """Writes the folder of one program."""
    if name in benchmarks.PROGRAMS:
        original = box.write(f"{name}.mlir", benchmarks.write(name))
    else:
        source, name = name, os.path.basename(name).removesuffix(".mlir")
        original = box.path(f"{name}.mlir")
        box.mirage_tool("mirage-opt", source, "--mirage-import-linalg", "-o", original)
    with open(original) as file:
        entry = find_functions(file.read())[0]
    batch = box.path(name)
    write_large_inputs(original, entry, os.path.join(batch, entry))
    box.mirage_tool("mirage-run", original, "--batch", batch, "--check-bounds")
    optimized = box.optimize(original, name, search)
    module = box.compile(box.to_iree(optimized, name), tools.CUDA)

    target = os.path.join(folder, name)
    os.makedirs(target)
    shutil.copy(module, os.path.join(target, "module.vmfb"))
    shutil.copy(original, os.path.join(target, "program.mlir"))
    made = os.path.join(batch, entry)
    counts = {"input": 0, "exact": 0, "bound": 0, "result": 0}
    for file in os.listdir(made):
        counts[file.removesuffix(".npy").rstrip("0123456789")] += 1
        path = os.path.join(target, file.replace("result", "expected"))
        if file.startswith("input"):
            with open(os.path.join(made, file), "rb") as source, \
                    gzip.open(path + ".gz", "wb") as packed:
                shutil.copyfileobj(source, packed)
        else:
            shutil.copy(os.path.join(made, file), path)
    bounds = [max(read_bounds(made, i)[1]) for i in range(counts["bound"])]
    with open(os.path.join(target, "flags.sh"), "w") as file:
        # The expected result is the interpreter's, which has an error as well.
        file.write(f"entry={entry}\ninputs_count={counts['input']}\n"
                   f"results_count={counts['result']}\nthreshold={2 * max(bounds):g}\n")
    # The same kernels for mirage-run.
    lowered = box.path(f"{name}.nvvm.mlir")
    box.mirage_tool("mirage-opt", optimized, "--inline", "--symbol-dce",
                    f"--mirage-lower-to-nvvm=cluster-blocks={clusters}", "-o", lowered)
    box.mirage_tool("mirage-translate", "--mirage-to-ptx", lowered, "-o",
                    os.path.join(target, "kernels"))
    return name


def make(options):
    folder = options.folder
    if os.path.exists(folder):
        sys.exit(f"{folder} is there already")
    try:
        iree = wheels.find_tools(os.path.join(options.work, "wheels"))
    except wheels.Unavailable as problem:
        print(f"check-iree-cuda: skipped: {problem}")
        return 0
    box = tools.Tools(options.tools, options.llvm, iree,
                      os.path.join(options.work, "cuda"))
    os.makedirs(folder)
    run_module = wheels.runtime_binary(iree)
    for tool in ("iree-run-module", "iree-benchmark-module"):
        shutil.copy(os.path.join(os.path.dirname(run_module), tool), folder)
    if options.mirage_run:
        shutil.copy(options.mirage_run, os.path.join(folder, "mirage-run"))
    script = os.path.join(folder, "run.sh")
    with open(script, "w") as file:
        file.write(RUN)
    os.chmod(script, 0o755)
    failures = 0
    for name in options.programs.split(",") if options.programs else DEFAULT:
        start = time.monotonic()
        try:
            name = add_program(name, box, folder, options.search, options.clusters)
        except tools.Failed as problem:
            failures += 1
            print(f"{name}: {problem}", flush=True)
            continue
        print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)
    return 1 if failures else 0


def judge(options):
    failures = 0
    for name in sorted(os.listdir(options.folder)):
        expected = os.path.join(options.folder, name)
        if not os.path.isdir(expected):
            continue
        count = sum(file.startswith("exact") for file in os.listdir(expected))
        results = [os.path.join(options.out, name, f"result{i}.npy")
                   for i in range(count)]
        try:
            print(f"{name}: right, at most {compare(results, expected):.2f} of the bound")
        except (Wrong, OSError) as problem:
            failures += 1
            print(f"{name}: WRONG: {problem}")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("make")
    command.set_defaults(run=make)
    command.add_argument("folder")
    command.add_argument("--programs", default="", help="names or files, by commas")
    command.add_argument("--search", default=f"{tools.SEARCH} clusters=false",
                         help="options of mirage-optimize")
    command.add_argument("--clusters", type=int, default=1,
                         help="cluster-blocks of the kernels for mirage-run")
    command.add_argument("--mirage-run", help="a static mirage-run to go along")
    command.add_argument("--tools", default=os.path.join(root, "build/release/bin"))
    command.add_argument("--llvm", default="/usr/lib/llvm-22/bin")
    command.add_argument("--work", default=os.path.join(root, "build/release/iree"))
    command = commands.add_parser("judge")
    command.set_defaults(run=judge)
    command.add_argument("folder")
    command.add_argument("out")
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())

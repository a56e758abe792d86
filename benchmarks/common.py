"""What benchmarks of the compiler share: paths, tools, a pass and its statistics, tables."""
import concurrent.futures
import json
import os
import re
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


def call(tool, *arguments, text=None):
    """What a tool of the build prints; its errors are a RuntimeError."""
    ran = subprocess.run([os.path.join(BIN, tool), *arguments], input=text, capture_output=True,
                         text=True)  # fmt: skip
    if ran.returncode:
        raise RuntimeError(ran.stderr.strip())
    return ran.stdout


MEASUREMENTS = "measurements.json"
# Kernels as they are executed, and as the cost model chooses them where others are measured.
KERNELS, MODELLED = "kernels", "modelled"


def lower(folder, source="optimized.mlir", into=KERNELS):
    """Makes the kernels FOLDER/`into` of FOLDER/`source`. Where `tune` has measured launches,
    they are executed as that says, and FOLDER/modelled is as the cost model chooses."""
    measured = os.path.join(folder, MEASUREMENTS)
    ways = {into: ""}
    if os.path.exists(measured):
        ways = {into: f"=measure=recorded measurements={measured}", MODELLED: ""}
    for kernels, options in ways.items():
        lowered = call("mirage-opt", os.path.join(folder, source),
                       "--mirage-lower-to-nvvm" + options)  # fmt: skip
        call("mirage-translate", "--mirage-to-ptx", "-o", os.path.join(folder, kernels),
             text=lowered)  # fmt: skip


def lower_all(out, names, **options):
    """Lowers programs anew; returns whether one of them failed."""
    failed = False
    for name in names:
        try:
            lower(os.path.join(out, name), **options)
            print(f"{name}: lowered", flush=True)
        except RuntimeError as error:
            failed = True
            print(f"{name}: {error}", flush=True)
    return failed


def tune(out, names, mirage_opt, jobs, source="optimized.mlir"):
    """Measures the launches of programs on a GPU, and writes OUT/NAME/measurements.json for
    `lower`; returns whether one of them failed. Processes measure in turns."""

    def tune_one(name):
        folder = os.path.join(out, name)
        measured = os.path.join(folder, MEASUREMENTS)
        start = time.monotonic()
        ran = subprocess.run(
            [mirage_opt, os.path.join(folder, source), "--mirage-lower-to-launches",
             f"--mirage-tune-launches=measurements={measured}", "-o",
             os.path.join(folder, "tuned.mlir"), "--remark-policy=all",
             "--remarks-filter=mirage-tune-launches"], capture_output=True, text=True)  # fmt: skip
        texts = re.findall(r'Remark="([^"]*)"', ran.stderr) if not ran.returncode \
            else [ran.stderr.strip()]  # fmt: skip
        texts = [text for text in texts if text.startswith("The launch")] or texts
        print(f"{name}: {time.monotonic() - start:.0f} s", *texts, sep="\n  ", flush=True)
        return ran.returncode

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return any(list(pool.map(tune_one, names)))


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


def write_results(path, results):
    """Writes what was measured of models, or what is known of all of them, as JSON with a
    line for each way to run a model. Numbers have six digits."""
    def shorten(value):
        if isinstance(value, dict):
            return {key: shorten(entry) for key, entry in value.items()}
        if isinstance(value, list):
            return [shorten(entry) for entry in value]
        if not isinstance(value, float):
            return value
        number = float(f"{value:.6g}")
        return int(number) if number.is_integer() else number

    def write(value):
        return json.dumps(shorten(value))

    def write_row(row):
        if not isinstance(row, dict):
            return write(row)
        ways = ",\n".join(f"  {json.dumps(way)}: {write(entry)}" for way, entry in row.items())
        return f"{{\n{ways}\n }}"

    with open(path, "w") as file:
        rows = ",\n".join(f" {json.dumps(name)}: {write_row(row)}"
                          for name, row in results.items())
        file.write(f"{{\n{rows}\n}}\n")

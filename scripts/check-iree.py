#!/usr/bin/env python3
"""Checks the way into IREE with its released compiler and runtime, without a GPU.

  scripts/check-iree.py
  scripts/check-iree.py --only lora,mixed --work FOLDER

The wheels are installed into a virtual environment in the build folder, unless
iree-compile and iree-run-module are on PATH. Where they cannot be had, the script says
so and ends well.

Mirage's six programs at small sizes and three layers of PyTorch, each plain and
optimized, two functions that differ in a number, a weight that a kernel transposes, and
a module in which Mirage's operators stand among others, go

  cuda        through mirage-translate --mirage-to-iree and iree-compile for CUDA. The
              executables in the compiled module are read: each export must be there, in
              an executable whose PTX has its entry, with its block, shared memory and
              bindings. IREE merges executables that it takes for equal, and then
              launches the wrong kernel; "merging" shows that this would be seen, and
              "plugin" takes a program by the pass of plugins/iree in a stock mlir-opt;
  dispatches  through the same, with loops for the CPU instead of PTX in the same
              executables, and are run: right numbers show that the right kernels are
              dispatched on the right buffers in the right order;
  linalg      through --convert-mirage-to-linalg=sequential, and are run: code that IREE
              compiles itself.

Results are compared with mirage-run's interpreter, within the bounds that it derives
for each element, or within 2^-7 of the largest element where it derives none; those of
the mixed module with stock mlir-runner. Nothing here shows
that PTX is right on a GPU: scripts/check-iree-cuda.py does, where there is one.
"""

import argparse
import math
import os
import re
import sys
import time

scripts = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, scripts)
import mirage_cpu
from iree_checks import executables, programs, tools, wheels
from iree_checks.cpu_objects import Mismatch
from iree_checks.results import Wrong, compare, read_values
from mirage_cpu import Array, ToolError

root = os.path.dirname(scripts)
OBJECT = re.compile(r'data = dense<"0x([0-9A-F]+)">')


def check_executables(text, module):
    """Compares the exports that a module's text has with those that were compiled."""
    expected = executables.exports_of_text(text)
    found = executables.read_executables(module)
    names = {e.name for exports in expected for e in exports}
    mirages = [e for e in found if names & {x.name for x in e.exports}]
    if len(mirages) != len(expected):
        raise Wrong(f"{len(expected)} executables became {len(mirages)}")
    # Executables have no order; each has an export that no other one has.
    for exports, executable in zip(
            sorted(expected, key=lambda exports: exports[0].name),
            sorted(mirages, key=lambda executable: executable.exports[0].name)):
        if exports != executable.exports:
            raise Wrong(f"{executable.exports} were compiled, not {exports}")
        for export in exports:
            if export.name not in executable.entries:
                raise Wrong(f"the PTX of {export.name} has {executable.entries}")
    return len(names), len(found) - len(mirages)


def share_object(text):
    """The module with the PTX of all executables in one object of one path, as
    somebody would write it who takes a path for nothing but a name."""
    files = [bytes.fromhex(data).decode() for data in OBJECT.findall(text)]
    kernels = [file.partition(".address_size 64")[2] for file in files[1:]]
    everything = "".join([files[0], *kernels]).encode()
    return re.sub(
        r'path = "[\w.]+", data = dense<"0x[0-9A-F]+"> : vector<\d+xi8>',
        f'path = "shared.ptx", data = dense<"0x{everything.hex()}"> : '
        f"vector<{len(everything)}xi8>", text)


class Checker:
    def __init__(self, box, only):
        self.box, self.only = box, only
        self.checks = self.failures = self.left_out = 0

    def check(self, name, what, function):
        """Runs one check; `function` returns what to print of it."""
        if self.only and name.removesuffix(" (plain)") not in self.only:
            return
        self.checks += 1
        start = time.monotonic()
        try:
            answer = function()
        except (tools.Failed, Mismatch, ToolError, Wrong) as problem:
            self.failures += 1
            print(f"{name:34} {what:11} WRONG: {problem}", flush=True)
            return
        print(f"{name:34} {what:11} {answer}, {time.monotonic() - start:.1f} s",
              flush=True)

    def check_cuda(self, name, source, file):
        def run():
            iree = self.box.to_iree(source, file)
            with open(iree) as text:
                kernels, own = check_executables(
                    text.read(), self.box.compile(iree, tools.CUDA))
            return (f"{kernels} kernel(s) in their executables"
                    + (f", {own} executable(s) of IREE" if own else ""))
        self.check(name, "cuda", run)

    def check_merging(self, name, file):
        """Shows that the check of executables would see a merged one."""
        def run():
            with open(self.box.path(f"{file}.iree.mlir")) as source:
                text = share_object(source.read())
            module = self.box.compile(
                self.box.write(f"{file}.shared.mlir", text), tools.CUDA)
            try:
                check_executables(text, module)
            except Wrong as problem:
                return f"seen where objects share a path: {problem}"
            return "this version of IREE merges no executables that share a path"
        self.check(name, "merging", run)

    def check_plugin(self, name, source):
        """The pass of the plugin for IREE, in a stock mlir-opt."""
        def run():
            iree = self.box.run_plugin(source, name)
            with open(iree) as text:
                kernels, _ = check_executables(
                    text.read(), self.box.compile(iree, tools.CUDA))
            return f"{kernels} kernel(s) in their executables"
        self.check(name, "plugin", run)

    def check_runs(self, name, source, file, run_and_compare):
        def dispatches():
            iree = self.box.to_iree(source, file)
            module = self.box.compile(
                self.box.with_cpu_objects(source, iree, file), tools.CPU)
            return run_and_compare(module)

        def linalg():
            source_of_loops = self.box.sequential(source, file)
            try:
                module = self.box.compile(source_of_loops, tools.CPU)
            except tools.Failed as problem:
                # Of several loops beside each other, IREE 3.13 makes partitions that
                # wait for each other.
                if tools.CYCLES not in str(problem):
                    raise
                self.left_out += 1
                return f"left out: iree-compile {tools.CYCLES}"
            return run_and_compare(module)
        self.check(name, "dispatches", dispatches)
        self.check(name, "linalg", linalg)

    def check_program(self, name, text, functions):
        """A program whose functions mirage-run's interpreter runs."""
        if self.only and name not in self.only:
            return
        box = self.box
        original = box.write(f"{name}.mlir", text)
        batch = box.path(name)
        box.mirage_tool("mirage-run", original, "--batch", batch, "--check-bounds")

        def run_and_compare(module):
            worst = 0.0
            for function in functions:
                folder = os.path.join(batch, function)
                files = os.listdir(folder)
                inputs = [os.path.join(folder, f"input{i}.npy") for i in
                          range(sum(file.startswith("input") for file in files))]
                results = sum(file.startswith("exact") for file in files)
                worst = max(worst, compare(
                    box.run_module(module, function, inputs, results), folder))
            return f"right, at most {worst:.2f} of the bound"

        optimized = box.optimize(original, name)
        for suffix, source, file in (("", optimized, name),
                                     (" (plain)", original, name + ".plain")):
            self.check_cuda(name + suffix, source, file)
            self.check_runs(name + suffix, source, file, run_and_compare)

    def check_mixed(self):
        """The program of which Mirage replaces a part, against stock MLIR."""
        name = "mixed"
        if self.only and name not in self.only:
            return
        box = self.box
        original = box.write(f"{name}.mlir", programs.MIXED)
        inputs = mirage_cpu.random_inputs(programs.MIXED, name, seed=1)
        inputs[1] = Array.from_values("i64", inputs[1].shape,
                                      [7 * i % 100 for i in range(16)])
        paths = [box.path(f"{name}.input{i}.npy") for i in range(len(inputs))]
        for path, array in zip(paths, inputs):
            array.write_npy(path)
        expected = mirage_cpu.run(programs.MIXED, name, inputs)[0].values()
        scale = max(map(abs, expected))

        def run_and_compare(module):
            values, signs = map(read_values, box.run_module(module, name, paths, 2))
            # Sums of 64 products of f16, in another order, rounded to f16 once.
            worst = max(abs(v - e) for v, e in zip(values, expected))
            if not worst <= scale * 2**-9 or math.isnan(sum(values)):
                raise Wrong(f"an error of {worst} in results up to {scale}")
            if [int(v > 0) for v in values] != list(signs):
                raise Wrong("what stayed linalg does not see what Mirage computed")
            return f"right, an error of {worst / scale:.1e} of the largest result"

        source = box.optimize(original, name)
        self.check_cuda(name, source, name)
        self.check_runs(name, source, name, run_and_compare)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", default=os.path.join(root, "build/release/bin"),
                        help="folder of Mirage's tools")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin",
                        help="folder of stock mlir-opt and mlir-runner")
    parser.add_argument("--work", default=os.path.join(root, "build/release/iree"),
                        help="folder for what is written")
    parser.add_argument("--only", default="", help="names of programs, by commas")
    options = parser.parse_args()
    start = time.monotonic()
    try:
        iree = wheels.find_tools(os.path.join(options.work, "wheels"))
    except wheels.Unavailable as problem:
        print(f"check-iree: skipped: {problem}")
        return 0
    print(f"iree-compile {wheels.version(iree)}")
    box = tools.Tools(options.tools, options.llvm, iree, options.work)
    checker = Checker(box, set(filter(None, options.only.split(","))))
    for name, function in programs.SMALL.items():
        text = programs.module(programs.write(function, name))
        checker.check_program(name, text, [name])
    for name in programs.LAYERS:
        checker.check_program(name, box.mirage_tool(
            "mirage-opt", os.path.join(programs.CORPUS, f"torch-{name}.mlir"),
            "--mirage-import-linalg"), ["main"])
    checker.check_program("alike", programs.module(programs.ALIKE), ["twice", "thrice"])
    checker.check_merging("alike", "alike")
    checker.check_plugin("lora-linear-f16", os.path.join(
        programs.CORPUS, "torch-lora-linear-f16.mlir"))
    checker.check_program("weights", programs.module(programs.WEIGHTS), ["weights"])
    checker.check_mixed()
    print(f"check-iree: {checker.checks} checks, {checker.failures} failed, "
          f"{checker.left_out} left out, {time.monotonic() - start:.0f} s")
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())

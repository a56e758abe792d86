#!/usr/bin/env python3
"""Checks what other CMake projects get of Mirage: find_package(Mirage), from an
install tree and from the build tree.

  scripts/check-package.py
  scripts/check-package.py --build build/release --work FOLDER

It installs into an empty folder and, for each of the two packages, configures and
builds

  consumer    a compiler in C++ (test/CMake/consumer), which optimizes a program;
  consumer-c  a program in C, in a project without C++ (test/CMake/consumer-c), which
              compares two functions;

and, with the installed package alone, the plugin of examples/custom-operators. What
they print must be what mirage-opt prints. The installed mirage-opt must run and load
that plugin, and a stock mlir-opt the installed MiragePlugin. The folder of the
installation is moved before it is used: nothing may depend on where it was made.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = """
func.func @f(%x: tensor<16x256xf16>, %w: tensor<256x128xf16>)
    -> tensor<16x128xf16> {
  %0 = mirage_kernel.rms_norm %x epsilon(1.0e-5)
      : (tensor<16x256xf16>) -> tensor<16x256xf16>
  %1 = mirage_kernel.matmul %0, %w
      : (tensor<16x256xf16>, tensor<256x128xf16>) -> tensor<16x128xf16>
  return %1 : tensor<16x128xf16>
}
"""


class Failed(Exception):
    """A command or a comparison that failed, in words."""


def run(*command, status=0, **options):
    """Runs a command and returns what it prints on stdout."""
    command = [str(word) for word in command]
    process = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )
    if process.returncode != status:
        raise Failed(
            f"{' '.join(command)} ended with {process.returncode} and not {status}\n"
            f"{process.stdout[-2000:]}{process.stderr[-4000:]}"
        )
    return process.stdout


def read_cache(build):
    """The variables of a build folder."""
    text = (build / "CMakeCache.txt").read_text()
    return dict(re.findall(r"^(\w+):\w+=(.*)$", text, re.M))


class Checks:
    def __init__(self, build, work):
        self.build, self.work = build, work
        self.cache = read_cache(build)
        self.passed = self.failed = 0
        self.prefix = work / "moved"
        self.program = work / "program.mlir"
        self.program.write_text(PROGRAM)

    def check(self, name, function, *arguments):
        start = time.time()
        try:
            function(*arguments)
        except Failed as failure:
            self.failed += 1
            print(f"{name}: FAILED\n{failure}", flush=True)
            return
        self.passed += 1
        print(f"{name}: right, {time.time() - start:.0f} s", flush=True)

    def install(self):
        first = self.work / "prefix"
        run("cmake", "--install", self.build, "--prefix", first)
        first.rename(self.prefix)
        # Files that name the source or the build folder work here and nowhere else.
        for path in self.prefix.rglob("*.cmake"):
            for folder in (root, self.build, first):
                if str(folder) in path.read_text():
                    raise Failed(f"{path} names {folder}")

    def configure(self, source, name, package):
        """Configures and builds a project, which finds nothing but the package."""
        build = self.work / name
        run(
            "cmake", "-G", "Ninja", "-S", source, "-B", build,
            # The package is one of a release; a project may be built otherwise.
            "-DCMAKE_BUILD_TYPE=Debug",
            f"-DCMAKE_C_COMPILER={self.cache['CMAKE_C_COMPILER']}",
            f"-DCMAKE_CXX_COMPILER={self.cache['CMAKE_CXX_COMPILER']}",
            # Not ld, which takes long for LLVM's libraries.
            "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld",
            package,
        )
        run("cmake", "--build", build)
        return build

    def compile_cpp(self, name, package):
        build = self.configure(root / "test/CMake/consumer", f"cpp-{name}", package)
        found = run(build / "optimize", self.program)
        expected = run(
            self.build / "bin/mirage-opt", self.program, "--mirage-optimize=kernels=1"
        )
        if found.strip() != expected.strip() or "mirage_kernel.launch" not in found:
            raise Failed(f"mirage-opt makes\n{expected}\nand the consumer\n{found}")
        run(build / "optimize", self.work / "missing.mlir", status=1)

    def compile_c(self, name, package):
        build = self.configure(root / "test/CMake/consumer-c", f"c-{name}", package)
        found = run(
            build / "compare", root / "examples/gqa.mlir", "gqa", "gqa_mugraph"
        )
        if not found.startswith("@gqa_mugraph computes what @gqa does: proved"):
            raise Failed(f"the program in C says {found}")
        run(build / "compare", root / "examples/gqa.mlir", "gqa", "missing", status=2)

    def compile_plugin(self, package):
        example = root / "examples/custom-operators"
        build = self.configure(example, "plugin", package)
        plugin = next(build.rglob("ExampleOperators.*"))
        text = run(
            self.prefix / "bin/mirage-opt", f"--load-dialect-plugin={plugin}",
            example / "layer.mlir", "--mirage-expand-custom-operators",
        )
        if "mirage_kernel.silu" not in text or "example." in text:
            raise Failed(f"custom operators became\n{text}")

    def load_plugin(self):
        mlir_opt = pathlib.Path(self.cache["LLVM_DIR"]).parents[2] / "bin/mlir-opt"
        plugin = next(self.prefix.rglob("MiragePlugin.*"))
        text = run(
            mlir_opt, f"--load-dialect-plugin={plugin}", self.program,
            "--pass-pipeline=builtin.module(mirage-optimize{kernels=1})",
        )
        if "mirage_kernel.launch" not in text:
            raise Failed(f"mlir-opt with the plugin prints\n{text}")

    def run(self):
        self.check("install", self.install)
        packages = {
            "installed": f"-DCMAKE_PREFIX_PATH={self.prefix}",
            "built": f"-DMirage_DIR={self.build}/lib/cmake/Mirage",
        }
        for name, package in packages.items():
            self.check(f"C++, {name}", self.compile_cpp, name, package)
            self.check(f"C, {name}", self.compile_c, name, package)
        self.check("custom operators", self.compile_plugin, packages["installed"])
        self.check("plugin", self.load_plugin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, default=root / "build/release")
    parser.add_argument("--work", type=pathlib.Path, help="an empty folder to keep")
    arguments = parser.parse_args()
    work = arguments.work or pathlib.Path(tempfile.mkdtemp(prefix="mirage-package-"))
    work.mkdir(parents=True, exist_ok=True)
    # A package on the machine must not be found in place of the one in question.
    for name in ("CMAKE_PREFIX_PATH", "Mirage_DIR", "Mirage_ROOT"):
        os.environ.pop(name, None)
    checks = Checks(arguments.build.resolve(), work.resolve())
    checks.run()
    if not arguments.work:
        shutil.rmtree(work)
    print(f"the package: {checks.passed} right, {checks.failed} wrong")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())

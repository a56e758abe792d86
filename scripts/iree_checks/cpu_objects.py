"""Puts code for the CPU into the executables of a module for CUDA.

`replace_objects(module, kernels)` takes what mirage-translate --mirage-to-iree
prints and the same kernels as functions on tensors in linalg (`mirage-opt
--test-outline-kernels --convert-mirage-to-linalg=sequential`). PTX goes, and a
module of loops on buffers, which IREE compiles for the CPU, comes in. Executables,
exports, layouts and dispatches are those of the GPU. So what runs on the CPU shows
that the right kernel is launched on the right buffers in the right order.

Stock mlir-opt makes the loops. Only Python's standard library.
"""

import re
import subprocess

EXECUTABLE = re.compile(
    r'"hal\.executable\.source"\(\) <\{objects = .*?, sym_name = "(?P<name>\w+)"'
    r'.*?"hal\.executable\.source_end"', re.S)
EXPORT = re.compile(
    r'"hal\.executable\.export"\(\) <\{layout = (?P<layout>#hal\.pipeline\.layout<'
    r'bindings = \[(?P<bindings>[^\]]*)\]>).*?sym_name = "(?P<name>\w+)"')
FUNCTION = re.compile(
    r'  "func\.func"\(\) <\{.*?sym_name = "(?P<name>\w+)".*?\}> \(\{\n'
    r"  \^bb0\((?P<arguments>.*?)\):\n(?P<body>.*?)\n"
    r'    "func\.return"\(\) : \(\) -> \(\)\n  \}\) : \(\) -> \(\)\n', re.S)
PASSES = [
    "--empty-tensor-to-alloc-tensor",
    "--one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map",
    "--buffer-results-to-out-params=modify-public-functions hoist-static-allocs",
    "--convert-linalg-to-loops", "--canonicalize", "--cse",
    # Executables have no heap.
    "--promote-buffers-to-stack=max-alloc-size-in-bytes=1000000000 "
    "max-rank-of-allocated-memref=16",
    "--canonicalize",
    # The custom syntax of some operations differs in IREE.
    "--mlir-print-op-generic",
]


class Mismatch(Exception):
    """A kernel has other parameters than the function that stands for it."""


def to_loops(mlir_opt, text):
    """Functions on tensors as loops on buffers; results are arguments at the end."""
    return subprocess.run([mlir_opt, *PASSES], input=text, check=True,
                          capture_output=True, text=True).stdout


def inner_function(name, layout, bindings, function):
    """The function of an export. IREE starts it once for each block of the grid;
    the first one computes everything."""
    arguments = re.findall(r"(%\w+): (memref<[^>]*>)", function["arguments"])
    if len(arguments) != bindings:
        raise Mismatch(f"kernel {name} has {bindings} bindings, and a function "
                       f"with {len(arguments)} buffers stands for it")
    if '"memref.alloc"' in function["body"]:
        raise Mismatch(f"kernel {name} allocates memory")
    lines = [f"      func.func @{name}() {{",
             "        %zero = arith.constant 0 : index"]
    for number, (argument, type) in enumerate(arguments):
        lines.append(
            f'        {argument} = "hal.interface.binding.subspan"(%zero) <{{layout = '
            f"{layout}, binding = {number} : index, alignment = 64 : index, "
            f"operandSegmentSizes = array<i32: 1, 0>}}> : (index) -> {type}")
    for dimension in range(3):
        lines += [f'        %block{dimension} = "hal.interface.workgroup.id"() <{{'
                  f"dimension = {dimension} : index}}> : () -> index"]
    lines += [
        "        %sum = arith.addi %block0, %block1 : index",
        "        %block = arith.addi %sum, %block2 : index",
        "        %first = arith.cmpi eq, %block, %zero : index",
        "        scf.if %first {",
        function["body"],
        "        }", "        return", "      }"]
    return "\n".join(lines)


def replace_objects(module, loops):
    """`loops` is what to_loops made of the kernels."""
    functions = {m["name"]: m for m in FUNCTION.finditer(loops)}
    constants = re.findall(r'^  ("memref\.global".*)$', loops, re.M)
    aliases = "\n".join(re.findall(r"^#\w+ = .*$", loops, re.M))

    def replace(match):
        text = match.group(0)
        inner = ["    builtin.module {", *("      " + c for c in constants)]
        for export in EXPORT.finditer(text):
            if export["name"] not in functions:
                raise Mismatch(f"nothing stands for kernel {export['name']}")
            inner.append(inner_function(
                export["name"], export["layout"],
                export["bindings"].count("#hal.pipeline.binding"),
                functions[export["name"]]))
        inner.append("    }\n    ")
        text = re.sub(r"objects = .*?, (?=sym_name)", "", text, count=1)
        return text.replace('"hal.executable.source_end"',
                            "\n".join(inner).lstrip() + '"hal.executable.source_end"')

    return aliases + "\n" + EXECUTABLE.sub(replace, module)

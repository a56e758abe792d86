"""Runs tensor programs of upstream MLIR on the CPU with stock tools.

`lower_to_llvm(text)` takes functions on tensors (linalg, tensor, arith, math,
scf) to the LLVM dialect with mlir-opt's own passes, and `run_calls(text,
calls)` executes calls of them with mlir-runner and returns the exact bits of
their results. Nothing of Mirage is involved. Only Python's standard library.

    from mirage_cpu import random_inputs, run
    inputs = random_inputs(text, "main", seed=1)
    outputs = run(text, "main", inputs)         # [Array]
    outputs[0].shape, outputs[0].values()       # (4, 8), [0.25, ...]
"""

import ast
import dataclasses
import math
import os
import random
import re
import shutil
import struct
import subprocess
import tempfile


class ToolError(Exception):
    """A tool refused a program; the message is the tool's."""


# Name in MLIR: bytes, format of `struct`, type in NumPy's files.
ELEMENT_TYPES = {
    "f16": (2, "e", "<f2"), "f32": (4, "f", "<f4"), "f64": (8, "d", "<f8"),
    "bf16": (2, None, "<f4"), "f8E4M3FN": (1, None, "<f4"),
    "f8E5M2": (1, None, "<f4"), "i1": (1, "b", "|b1"), "i8": (1, "b", "|i1"),
    "i16": (2, "h", "<i2"), "i32": (4, "i", "<i4"), "i64": (8, "q", "<i8"),
}


def _float8_values(type):
    """The value of each code of an 8-bit float."""
    mantissa_bits = int(type[type.index("M") + 1])
    bias = 2 ** (6 - mantissa_bits) - 1
    values = []
    for code in range(128):
        exponent, mantissa = code >> mantissa_bits, code % (1 << mantissa_bits)
        fraction = mantissa / (1 << mantissa_bits)
        if type == "f8E5M2" and exponent == 31:
            values.append(math.nan if mantissa else math.inf)
        elif type == "f8E4M3FN" and code == 127:
            values.append(math.nan)
        else:
            values.append(2.0 ** (exponent - bias) * (1 + fraction) if exponent
                          else 2.0 ** (1 - bias) * fraction)
    return values + [-value for value in values]


def _encode_float8(type, values):
    """Codes of values that the type holds exactly."""
    codes = {}
    for code, value in enumerate(_float8_values(type)):
        codes.setdefault((value, math.copysign(1, value)), code)
    nan = next(c for c, v in enumerate(_float8_values(type)) if v != v)
    return bytes(nan if v != v else codes[v, math.copysign(1, v)] for v in values)


@dataclasses.dataclass
class Array:
    """A dense tensor: name of its element type, shape, little-endian bytes."""
    type: str
    shape: tuple
    data: bytes

    @staticmethod
    def from_values(type, shape, values):
        values = list(values)
        if type == "bf16":
            words = struct.unpack(f"<{len(values)}I",
                                  struct.pack(f"<{len(values)}f", *values))
            # Round to nearest, ties to even.
            halves = [(w + 0x7FFF + ((w >> 16) & 1)) >> 16 for w in words]
            return Array(type, shape, struct.pack(f"<{len(values)}H", *halves))
        if type.startswith("f8"):
            return Array(type, shape, _encode_float8(type, values))
        code = ELEMENT_TYPES[type][1]
        return Array(type, shape, struct.pack(f"<{len(values)}{code}", *values))

    def values(self):
        """The elements in row-major order, as Python numbers."""
        size, code, _ = ELEMENT_TYPES[self.type]
        count = len(self.data) // size
        if self.type == "bf16":
            words = [h << 16 for h in struct.unpack(f"<{count}H", self.data)]
            return struct.unpack(f"<{count}f", struct.pack(f"<{count}I", *words))
        if self.type.startswith("f8"):
            table = _float8_values(self.type)
            return tuple(table[byte] for byte in self.data)
        return struct.unpack(f"<{count}{code}", self.data)

    def write_npy(self, path):
        """Writes a NumPy file; bf16 and f8, which NumPy lacks, become f32."""
        data = self.data
        if ELEMENT_TYPES[self.type][1] is None:
            data = Array.from_values("f32", self.shape, self.values()).data
        header = repr({"descr": ELEMENT_TYPES[self.type][2],
                       "fortran_order": False, "shape": tuple(self.shape)})
        # NumPy's own files end in a comma, and IREE reads no others.
        header = header.removesuffix("}") + ", }"
        header += " " * (-(len(header) + 11) % 64) + "\n"
        with open(path, "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
            file.write(header.encode() + data)

    @staticmethod
    def read_npy(path):
        with open(path, "rb") as file:
            magic = file.read(8)
            if magic[:6] != b"\x93NUMPY":
                raise ValueError(f"{path} is not a NumPy file")
            wide = magic[6] > 1
            length, = struct.unpack("<I" if wide else "<H", file.read(4 if wide else 2))
            header = ast.literal_eval(file.read(length).decode())
            names = {npy: name for name, (_, code, npy) in ELEMENT_TYPES.items()
                     if code}
            if header["fortran_order"] or header["descr"] not in names:
                raise ValueError(f"{path} holds {header['descr']}, which is not read")
            return Array(names[header["descr"]], header["shape"], file.read())


def _tensor_type(element, shape):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


# --- Programs ---------------------------------------------------------------


def find_tool(name):
    """A tool of MLIR on PATH, or where Debian's packages of LLVM 22 put it."""
    for candidate in (name, f"{name}-22", f"/usr/lib/llvm-22/bin/{name}"):
        if found := shutil.which(candidate):
            return found
    raise ToolError(f"{name} is not installed")


def execute(command, text="", timeout=None):
    """Standard output of a tool that reads `text`; raises if it fails, or if it is killed
    after so many seconds."""
    ran = subprocess.run(command, input=text, capture_output=True, text=True,
                         timeout=timeout)
    if ran.returncode:
        message = ran.stderr.strip() or f"exit status {ran.returncode}"
        raise ToolError(f"{os.path.basename(command[0])}: {message[:4000]}")
    return ran.stdout


def _parenthesized(text, start):
    """What stands between the parenthesis that opens at `start` and its match."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return text[start + 1:i]
    raise ValueError("unbalanced parentheses")


def _tensor_types(text):
    types = []
    for inside in re.findall(r"tensor<([^<>]*)>", text):
        *sizes, element = inside.split("x")
        if element not in ELEMENT_TYPES or not all(s.isdigit() for s in sizes):
            raise ValueError(f"tensor<{inside}> is not static or of a known type")
        types.append((element, tuple(map(int, sizes))))
    return types


def find_functions(text):
    """Names of the public functions with a body, in order."""
    return re.findall(r"^\s*func\.func (?:public )?@([\w.$-]+)\(", text, re.M)


def signature(text, entry):
    """Types of a function's arguments and results, as (element, shape)."""
    found = re.search(rf"func\.func (?:\w+ )?@{re.escape(entry)}\(", text)
    if not found:
        raise ValueError(f"there is no function @{entry}")
    arguments = _parenthesized(text, found.end() - 1)
    rest = text[found.end() + len(arguments) + 1:]
    results = re.match(r"\s*->\s*", rest)
    if not results:
        return _tensor_types(arguments), []
    rest = rest[results.end():]
    results = _parenthesized(rest, 0) if rest[0] == "(" else rest.split("{")[0]
    return _tensor_types(arguments), _tensor_types(results)


def random_inputs(text, entry, seed=0, scale=1.0):
    """Normal floats of standard deviation `scale`, integers in [0, 2)."""
    generator = random.Random(seed)
    inputs = []
    for element, shape in signature(text, entry)[0]:
        count = math.prod(shape)
        if element.startswith("i"):
            values = [generator.randrange(2) for _ in range(count)]
        else:
            values = [generator.gauss(0, scale) for _ in range(count)]
        inputs.append(Array.from_values(element, shape, values))
    return inputs


def keep_functions(text, names):
    """The module with these functions, and those they call, alone."""
    passes = (f"builtin.module(symbol-privatize{{exclude={','.join(names)}}},"
              "symbol-dce)")
    return execute([find_tool("mlir-opt"), f"--pass-pipeline={passes}"], text)


# --- Lowering and running ---------------------------------------------------

# linalg.softmax is no structured operation: only a transform takes it apart.
_DECOMPOSE_SOFTMAX = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.decompose_interface %softmax
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""

# The order matters: tensors to buffers, structured operations to loops, loops
# to branches, and the mathematical functions that LLVM lacks to libm.
STOCK_PASSES = [
    "func.func(convert-elementwise-to-linalg)",
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "function-boundary-type-conversion=identity-layout-map}",
    "func.func(convert-linalg-to-loops,scf-forall-to-for,"
    "math-extend-to-supported-types,arith-expand{include-bf16=true})",
    "expand-strided-metadata",
    "lower-affine",
    "convert-scf-to-cf",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "convert-vector-to-llvm",
    "finalize-memref-to-llvm",
    "convert-arith-to-llvm",
    "convert-func-to-llvm",
    "convert-cf-to-llvm",
    "reconcile-unrealized-casts",
]


def lower_to_llvm(text):
    """A module of functions on tensors in the LLVM dialect."""
    passes = list(STOCK_PASSES)
    # 8-bit floats have no machine arithmetic: calls of LLVM's APFloat instead.
    # The pass of MLIR 22 makes invalid IR of f64, so these must not be in one
    # module.
    if "f8E" in text:
        passes.insert(passes.index("convert-scf-to-cf"), "convert-arith-to-apfloat")
    with tempfile.TemporaryDirectory() as folder:
        if "linalg.softmax" in text:
            library = os.path.join(folder, "softmax.mlir")
            with open(library, "w") as file:
                file.write(_DECOMPOSE_SOFTMAX)
            passes[:0] = [
                "transform-preload-library{transform-library-paths=" + library + "}",
                "transform-interpreter"]
        pipeline = "builtin.module(" + ",".join(passes) + ")"
        lowered = execute([find_tool("mlir-opt"), f"--pass-pipeline={pipeline}"], text)
    # MLIR 22 leaves arith's fast-math flags on llvm.fpext and llvm.fptrunc, and
    # mlir-runner does not know the arith dialect.
    return re.sub(r" \{fastmath = #arith\.fastmath<[\w,]+>\}", "", lowered)


def _print_bits(value, name, element, shape):
    """IR that prints the bits of a tensor as integers, which is exact."""
    count = math.prod(shape)
    width = 1 if element == "i1" else 8 * ELEMENT_TYPES[element][0]
    target = 64 if width == 64 else 32
    shaped = lambda type: _tensor_type(type, shape)
    flat = _tensor_type(f"i{target}", (count,))
    steps = []
    if not element.startswith("i"):
        steps.append(f"arith.bitcast {{}} : {shaped(element)} to {shaped(f'i{width}')}")
    if width < target:
        steps.append(f"arith.extui {{}} : {shaped(f'i{width}')} to "
                     f"{shaped(f'i{target}')}")
    if not shape:
        steps.append(f"tensor.expand_shape {{}} [] output_shape [1] : "
                     f"{shaped(f'i{target}')} into {flat}")
    elif len(shape) > 1:
        axes = ", ".join(map(str, range(len(shape))))
        steps.append(f"tensor.collapse_shape {{}} [[{axes}]] : "
                     f"{shaped(f'i{target}')} into {flat}")
    steps.append(f"tensor.cast {{}} : {flat} to tensor<*xi{target}>")
    lines = []
    for number, step in enumerate(steps):
        lines.append(f"{name}_{number} = {step.format(value)}")
        value = f"{name}_{number}"
    return lines + [f"func.call @printMemrefI{target}({value}) : "
                    f"(tensor<*xi{target}>) -> ()"]


def _constant(name, array):
    """IR that makes an array a constant."""
    type = _tensor_type(array.type, array.shape)
    if array.type != "i1":
        return [f'{name} = arith.constant dense<"0x{array.data.hex()}"> : {type}']
    # One byte an element, where dense would pack eight.
    bytes = _tensor_type("i8", array.shape)
    return [f'{name}_bytes = arith.constant dense<"0x{array.data.hex()}"> : {bytes}',
            f"{name} = arith.trunci {name}_bytes : {bytes} to {type}"]


def _make_main(text, calls):
    """A function that makes the calls and prints the bits of the results."""
    lines = []
    for number, (entry, inputs) in enumerate(calls):
        arguments, results = signature(text, entry)
        if [(array.type, tuple(array.shape)) for array in inputs] != arguments:
            raise ValueError(f"@{entry} takes other arguments than were given")
        operands = [f"%in{number}_{i}" for i in range(len(inputs))]
        for name, array in zip(operands, inputs):
            lines += _constant(name, array)
        types = [", ".join(_tensor_type(*type) for type in part)
                 for part in (arguments, results)]
        assigned = f"%out{number}:{len(results)} = " if results else ""
        lines.append(f"{assigned}func.call @{entry}({', '.join(operands)}) : "
                     f"({types[0]}) -> ({types[1]})")
        for i, (element, shape) in enumerate(results):
            lines += _print_bits(f"%out{number}#{i}", f"%bits{number}_{i}",
                                 element, shape)
    body = "\n".join("  " + line for line in lines)
    return ("func.func private @printMemrefI32(tensor<*xi32>)\n"
            "func.func private @printMemrefI64(tensor<*xi64>)\n"
            f"func.func @mirage_cpu_main() {{\n{body}\n  return\n}}\n")


def append_functions(text, functions):
    """`text` with more functions at the end of its module."""
    resources = text.find("\n{-#")
    text, tail = (text, "") if resources < 0 else (text[:resources], text[resources:])
    if re.search(r"^module\b", text, re.M):
        end = text.rstrip().rindex("}")
        return text[:end] + functions + "}\n" + tail
    return text + "\n" + functions + tail


def run_calls(text, calls, optimize=1):
    """Makes calls [(function, [Array])] in one process; results of each call.

    `optimize` is mlir-runner's -O level: 0 compiles fastest.
    """
    return run_and_print(text, calls, optimize)[0]


def run_and_print(text, calls, optimize=1):
    """What run_calls returns, and what the program printed itself."""
    program = lower_to_llvm(append_functions(text, _make_main(text, calls)))
    runner = find_tool("mlir-runner")
    folder = os.path.join(os.path.dirname(os.path.realpath(runner)), "..", "lib")
    libraries = [os.path.join(folder, f"libmlir_{name}.so") for name in
                 ("c_runner_utils", "runner_utils", "float16_utils",
                  "apfloat_wrappers")]
    output = execute([runner, "-e", "mirage_cpu_main", "-entry-point-result=void",
                      f"-O{optimize}", "--shared-libs=" + ",".join(libraries)],
                     program)
    printed = iter(re.findall(r"data =\s*\n?\[(.*?)\]", output, re.S))
    answers = []
    for entry, _ in calls:
        answers.append([])
        for element, shape in signature(text, entry)[1]:
            size = ELEMENT_TYPES[element][0]
            # Of an empty tensor, runner_utils prints an element all the same.
            words = [int(w) for w in next(printed).split(",")][:math.prod(shape)]
            mask = (1 << 8 * size) - 1
            data = b"".join((w & mask).to_bytes(size, "little") for w in words)
            answers[-1].append(Array(element, shape, data))
    own = re.sub(r"Unranked Memref [^\n]*?data =\s*\n?\[.*?\]", "", output,
                 flags=re.S)
    return answers, own


def run(text, entry, inputs, optimize=1):
    """Results of one call."""
    return run_calls(text, [(entry, inputs)], optimize)[0]

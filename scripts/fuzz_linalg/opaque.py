"""Kinds of operations that Mirage has no counterpart for, and their check.

Each operation has an attribute `opaque` with a number of its own. In a program
with such operations

  - each of them stays as it is, with a remark if it works on tensors or memrefs,
  - all others convert, without one,
  - and what the program computes and prints stays the same when it is taken in
    and out again, in stock mlir-runner.

Programs are of f32, without comparisons, and no bound of an error is known:
results may differ by TOLERANCE times the bound of their magnitude.
"""

import os
import re
import tempfile

import mirage_cpu
from mirage_cpu import Array, ToolError

from . import bodies, generate
from .check import Checker, Failure
from .kinds import KINDS, affine_map, generic, kind
from .program import Invalid, MAX_MAGNITUDE, Value, print_function

TOLERANCE = 1e-3


def _tag(writer):
    return f"opaque = {writer.name()[2:]}"


def _indices(writer, rank):
    zero = writer.let("arith.constant 0 : index")
    return ", ".join([zero] * rank)


def _first(writer, name, value):
    """The first element of a tensor."""
    return writer.let(f"tensor.extract {name}[{_indices(writer, len(value.shape))}] "
                      f"{{{_tag(writer)}}} : {value.type}")


def _tagged_generic(writer, maps, iterators, names, values, target, result, body):
    """linalg.generic with the attribute."""
    name = generic(writer, maps, iterators, names, values, target, result, body)
    header = max(i for i, line in enumerate(writer.lines)
                 if line.startswith(f"{name} = "))
    assert writer.lines[header].endswith(" {")
    writer.lines[header] = (writer.lines[header][:-1] +
                            f"attrs = {{{_tag(writer)}}} {{")
    return name


def _parallel(rank, count):
    return [affine_map(rank, range(rank))] * count, ["parallel"] * rank


class _SameType:
    """An operation whose result has its operand's type."""

    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        if not pool.value(x).shape:
            raise Invalid("rank")
        return [x], {}

    @staticmethod
    def infer(values, p):
        if not values[0].shape or values[0].element != "f32":
            raise Invalid("operand")
        return values[0]


@kind(3)
class Gather(_SameType):
    """Rows in reverse order by tensor.extract in the body.

    The row depends on an element, by as much as zero: order that positions alone
    decide is one that Mirage knows.
    """

    @staticmethod
    def emit(writer, names, values, result, p):
        rank = len(result.shape)

        def body(scalars):
            lines = [f"%i{d} = linalg.index {d} : index" for d in range(rank)]
            lines += [f"%n = arith.constant {result.shape[0] - 1} : index",
                      "%r = arith.subi %n, %i0 : index",
                      "%c = arith.constant 0.0 : f32",
                      f"%p = arith.mulf {scalars[0]}, %c : f32",
                      "%z = arith.fptosi %p : f32 to i32",
                      "%k = arith.index_cast %z : i32 to index",
                      "%j = arith.addi %r, %k : index"]
            at = ", ".join(["%j"] + [f"%i{d}" for d in range(1, rank)])
            return lines + [
                f"%y = tensor.extract {names[0]}[{at}] : {result.type}"], "%y"

        maps, iterators = _parallel(rank, 2)
        return _tagged_generic(writer, maps, iterators, names, values,
                               writer.empty(result), result, body)


@kind(3)
class Pooling:
    """linalg.pooling_ndhwc_max and its like, over windows of 2 by 2 by 2; of images it would
    not stay."""

    @staticmethod
    def make(random, pool):
        x = pool.existing(random)
        if len(pool.value(x).shape) != 5:
            x = pool.with_shape(random, (1, 2, 3, 4, 2), "f32")
        return [x], {"name": random.choice(["ndhwc_max", "ndhwc_sum", "ndhwc_min"])}

    @staticmethod
    def infer(values, p):
        x = values[0]
        if len(x.shape) != 5 or x.element != "f32":
            raise Invalid("operand")
        shape = list(x.shape)
        for d in (1, 2, 3):
            shape[d] -= 1
        if min(shape) < 1:
            raise Invalid("size")
        return Value(tuple(shape), "f32", 8 * x.magnitude)

    @staticmethod
    def emit(writer, names, values, result, p):
        start = {"max": float("-inf"), "min": float("inf"), "sum": 0.0}
        target = writer.fill(start[p["name"][6:]], result)
        window = writer.empty(Value((2, 2, 2), "f32"))
        return writer.let(
            f"linalg.pooling_{p['name']} {{{_tag(writer)}, "
            "dilations = dense<1> : tensor<3xi64>, "
            "strides = dense<1> : tensor<3xi64>} "
            f"ins({names[0]}, {window} : {values[0].type}, tensor<2x2x2xf32>) "
            f"outs({target} : {result.type}) -> {result.type}")


@kind(3)
class Dynamic(_SameType):
    """An operation on a tensor whose first dimension has no known size."""

    @staticmethod
    def emit(writer, names, values, result, p):
        dynamic = f"tensor<{'x'.join(['?', *map(str, result.shape[1:]), 'f32'])}>"
        x = writer.let(f"tensor.cast {names[0]} {{{_tag(writer)}}} : "
                       f"{result.type} to {dynamic}")
        y = writer.let(f"linalg.negf {{{_tag(writer)}}} ins({x} : {dynamic}) "
                       f"outs({x} : {dynamic}) -> {dynamic}")
        return writer.let(f"tensor.cast {y} {{{_tag(writer)}}} : {dynamic} to "
                          f"{result.type}")


@kind(3)
class Call(_SameType):
    """A call of a function that is only declared; it negates."""

    @staticmethod
    def emit(writer, names, values, result, p):
        name = "external_" + "x".join(map(str, result.shape))
        return writer.let(f"func.call @{name}({names[0]}) {{{_tag(writer)}}} : "
                          f"({result.type}) -> {result.type}")


@kind(3)
class Printed(_SameType):
    """Prints a number that depends on an element, and returns the operand."""

    @staticmethod
    def emit(writer, names, values, result, p):
        element = _first(writer, names[0], result)
        zero = writer.let("arith.constant 0.0 : f32")
        none = writer.let(f"arith.mulf {element}, {zero} {{{_tag(writer)}}} : f32")
        integer = writer.let(f"arith.fptosi {none} {{{_tag(writer)}}} : f32 to i64")
        number = writer.let(f"arith.constant {len(writer.lines)} : i64")
        both = writer.let(f"arith.addi {integer}, {number} {{{_tag(writer)}}} : i64")
        writer.lines += [
            f"func.call @printI64({both}) {{{_tag(writer)}}} : (i64) -> ()",
            f"func.call @printNewline() {{{_tag(writer)}}} : () -> ()"]
        return names[0]


@kind(3)
class Stored:
    """A factor that goes through memory."""
    make = _SameType.make

    @staticmethod
    def infer(values, p):
        x = _SameType.infer(values, p)
        return Value(x.shape, "f32", x.magnitude ** 2)

    @staticmethod
    def emit(writer, names, values, result, p):
        element = _first(writer, names[0], result)
        buffer = writer.let(f"memref.alloca() {{{_tag(writer)}}} : memref<1xf32>")
        at = _indices(writer, 1)
        writer.lines.append(f"memref.store {element}, {buffer}[{at}] "
                            f"{{{_tag(writer)}}} : memref<1xf32>")
        factor = writer.let(f"memref.load {buffer}[{at}] {{{_tag(writer)}}} : "
                            "memref<1xf32>")
        maps, iterators = _parallel(len(result.shape), 2)
        return _tagged_generic(
            writer, maps, iterators, names, values, writer.empty(result), result,
            lambda s: ([f"%y = arith.mulf {s[0]}, {factor} : f32"], "%y"))


@kind(2)
class Integers(_SameType):
    """Factors from a tensor of integers.

    They depend on an operand: what positions alone decide is a constant.
    """

    @staticmethod
    def infer(values, p):
        x = _SameType.infer(values, p)
        return Value(x.shape, "f32", x.magnitude * x.shape[0])

    @staticmethod
    def emit(writer, names, values, result, p):
        rank = len(result.shape)
        rows = Value(result.shape, "i32")
        maps, iterators = _parallel(rank, 2)
        number = _tagged_generic(
            writer, maps, iterators, names, values, writer.empty(rows), rows,
            lambda s: (["%i = linalg.index 0 : index",
                        "%n = arith.index_cast %i : index to i32",
                        "%c = arith.constant 0.0 : f32",
                        f"%p = arith.mulf {s[0]}, %c : f32",
                        "%z = arith.fptosi %p : f32 to i32",
                        "%y = arith.addi %n, %z : i32"], "%y"))
        maps, iterators = _parallel(rank, 3)
        return _tagged_generic(
            writer, maps, iterators, [names[0], number], [values[0], rows],
            writer.empty(result), result,
            lambda s: ([f"%f = arith.sitofp {s[1]} : i32 to f32",
                        f"%y = arith.mulf {s[0]}, %f : f32"], "%y"))


@kind(2)
class Loop(_SameType):
    """A loop, which stays, around an operation that converts."""

    @staticmethod
    def emit(writer, names, values, result, p):
        low, high, step = (writer.let(f"arith.constant {n} : index")
                           for n in (0, 3, 1))
        target = writer.empty(result)
        r, i, x = writer.name(), writer.name(), writer.name()
        writer.lines.append(
            f"{r} = scf.for {i} = {low} to {high} step {step} "
            f"iter_args({x} = {names[0]}) -> ({result.type}) {{")
        maps, iterators = _parallel(len(result.shape), 2)
        y = generic(writer, maps, iterators, [x], [result], target, result,
                    lambda s: ([f"%y = math.tanh {s[0]} : f32"], "%y"))
        writer.lines += [f"scf.yield {y} : {result.type}", "}"]
        return r


OPAQUE = ("Gather", "Pooling", "Dynamic", "Call", "Printed", "Stored",
          "Integers", "Loop")


def install(mixed):
    """Programs are mixed from now on, or have no kinds of this file."""
    if not mixed:
        for name in OPAQUE:
            del KINDS[name]
        return
    generate.ELEMENTS[:] = ["f32"]
    del KINDS["Cast"]
    for names in (bodies.BINARY, bodies.UNARY):
        names[:] = [name for name in names if name in bodies.PLAIN]
    # Errors of f32 stay far below what a wrong result differs by.
    MAX_MAGNITUDE["f32"] = 100.0


def _declarations(text, define):
    lines = ["func.func private @printI64(i64)\n",
             "func.func private @printNewline()\n"]
    types = {name: type for name, type in re.findall(
        r"call @(external_\w+)\(.*: \((tensor<\w+>)\)", text)}
    for name, type in sorted(types.items()):
        if define:
            lines.append(
                f"func.func private @{name}(%x: {type}) -> {type} {{\n"
                f"  %e = tensor.empty() : {type}\n"
                f"  %r = linalg.negf ins(%x : {type}) outs(%e : {type}) -> {type}\n"
                f"  return %r : {type}\n}}\n")
        else:
            lines.append(f"func.func private @{name}({type}) -> {type}\n")
    return "".join(lines)


def _tagged(text):
    """{number: text without names} of operations with the attribute."""
    lines, found, spans = text.split("\n"), {}, set()
    for start, line in enumerate(lines):
        tag = re.search(r"\bopaque = (\d+) : i64", line)
        if not tag:
            continue
        end = start
        if line.endswith("{"):
            indent = re.match(" *", line).group(0)
            while not lines[end].startswith(indent + "}"):
                end += 1
        spans.update(range(start, end + 1))
        operation = "\n".join(lines[start:end + 1])
        found[int(tag.group(1))] = re.sub(r"%[\w#:]+", "%", operation)
    rest = "\n".join(l for i, l in enumerate(lines) if i not in spans)
    return found, rest


class MixedChecker(Checker):
    def _check_batch(self, programs, seed):
        names = [f"p{i}" for i in range(len(programs))]
        texts = [print_function(p, KINDS, n) for p, n in zip(programs, names)]
        # Canonical, so that the parser's normal form is compared.
        text = "".join(texts)
        text = mirage_cpu.execute(
            [mirage_cpu.find_tool("mlir-opt"), "--mlir-print-local-scope"],
            text + _declarations(text, False))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "original.mlir")
            with open(path, "w") as file:
                file.write(text)
            command = [os.path.join(self.tools, "mirage-opt"), path,
                       "--mlir-print-local-scope"]
            converted, remarks = _run(
                [*command, "--convert-linalg-to-mirage=remarks"])
            out, _ = _run([*command, "--convert-linalg-to-mirage",
                           "--convert-mirage-to-linalg"])
        before, after = _functions(text), _functions(converted)
        remarked = {int(n) for n in re.findall(
            r"original\.mlir:(\d+):\d+: remark: .* stays: ", remarks)}
        failures = {name: _compare(*before[name], *after[name], remarked)
                    for name in names}
        self._execute(names, programs, text, out, seed, failures)
        return [failures[n] for n in names]

    def _execute(self, names, programs, text, out, seed, failures):
        calls = []
        for name in names:
            arguments, _ = mirage_cpu.signature(text, name)
            random = mirage_cpu.random.Random(f"{seed}:{name}")
            calls.append((name, [Array.from_values(
                element, shape, [random.uniform(-1, 1) for _ in range(
                    mirage_cpu.math.prod(shape))]) for element, shape in arguments]))
        runs = []
        for module in (text, out):
            declared = re.sub(r"^ *func\.func private @(external|print)\w+\(.*\n",
                              "", module, flags=re.M)
            module = mirage_cpu.append_functions(
                declared, _declarations(module, True))
            runs.append(mirage_cpu.run_and_print(module, calls, optimize=0))
        (before, printed), (after, printed_after) = runs
        # Which program's output differs is not known: all of the batch's are
        # suspected, and halving finds it.
        if printed != printed_after and len(names) > 1:
            raise ToolError("other output")
        for name, program, b, a in zip(names, programs, before, after):
            values = program.values(KINDS)
            limits = [TOLERANCE * values[i].magnitude for i in program.results]
            failures[name] = failures[name] or self._differs(b, a, limits)
        if printed != printed_after:
            failures[names[0]] = failures[names[0]] or Failure(
                "differs", f"prints {printed_after.split()}, not {printed.split()}")

    def _differs(self, before, after, limits):
        for i, (b, a, limit) in enumerate(zip(before, after, limits)):
            for element, (x, y) in enumerate(zip(b.values(), a.values())):
                self.elements += 1
                if not abs(x - y) <= limit:
                    return Failure("differs", (
                        f"the program sent out: element {element} of result {i} "
                        f"is {y!r}, not {x!r}"))
        return None


def _run(command):
    ran = mirage_cpu.subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        raise ToolError(f"{' '.join(command)}: {ran.stderr[:3000]}")
    return ran.stdout, ran.stderr


def _functions(text):
    """{name: (text, number of its first line)}."""
    return {m.group(1): (m.group(0), text.count("\n", 0, m.start()) + 1)
            for m in re.finditer(r"^  func\.func @(\w+)\(.*?^  }\n", text,
                                 re.M | re.S)}


def _compare(before, first_line, after, _, remarked):
    """What conversion did to a program's operations."""
    expected, _ = _tagged(before)
    found, rest = _tagged(after)
    for number, operation in expected.items():
        if found.get(number) != operation:
            return Failure("changed", "an opaque operation changed:\n"
                           f"{operation}\nto\n{found.get(number)}")
    left = sorted(set(re.findall(r"\b((?:linalg|tensor|arith|math)\.[\w.]+)", rest))
                  - {"tensor.empty", "arith.constant"})
    if left:
        return Failure("opaque", "stays opaque: " + ", ".join(left))
    for offset, line in enumerate(before.split("\n")):
        number = first_line + offset
        is_opaque = "opaque = " in line and re.search("tensor<|memref<", line)
        if bool(is_opaque) != (number in remarked):
            return Failure("remark", ("no remark: " if is_opaque else "remark: ") +
                           line.strip())
    return None

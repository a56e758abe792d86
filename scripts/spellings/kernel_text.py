"""Programs as text of mirage_kernel, in MLIR's generic form, and back."""

import math
import re
import struct

from .graph import Node, NotApplicable, OF_TYPE, Program, make, ordered, take

ENUMERATIONS = {("reduce", "kind"): "reduce_kind", ("compare", "kind"): "compare_kind",
                ("gelu", "form"): "gelu_form", ("conv2d", "layout"): "conv_layout"}
_OPERATION = re.compile(
    r'^ *(?:(%\w+)(?::(\d+))? = )?"([\w.]+)"\(([^)]*)\)(?: <\{(.*)\}>)? : '
    r"\(([^)]*)\) -> (.*)$")
_TYPE = re.compile(r"tensor<((?:\d+x)*)(\w+)>")


def print_float(value, element="f64"):
    """The number, rounded to a type, as MLIR writes it."""
    if math.isinf(value) or math.isnan(value):
        size = {"f64": "d", "f32": "f", "f16": "e"}[element]
        return "0x" + struct.pack(f">{size}", value).hex().upper()
    if element in ("f32", "f16"):
        code = "f" if element == "f32" else "e"
        value = struct.unpack(code, struct.pack(code, value))[0]
    return f"{value:.17e}"


def dense(node):
    """A constant's value as an attribute."""
    value = node.attributes["value"]
    text = value if isinstance(value, str) else (
        f"dense<{print_float(value, node.element)}>")
    return f"{text} : {node.type}"


def _print_attribute(node, name, value):
    if name == "operandSegmentSizes":
        return f"array<i32: {', '.join(map(str, value))}>"
    if (node.op, name) in ENUMERATIONS:
        return f"#mirage<{ENUMERATIONS[node.op, name]} {value}>"
    if node.op == "constant":
        return dense(node)
    if isinstance(value, tuple):
        return f"array<i64: {', '.join(map(str, value))}>"
    if isinstance(value, int):
        return f"{value} : i64"
    if isinstance(value, float):
        return f"{print_float(value)} : f64"
    return str(value)


def print_node(node, names):
    attributes = [
        name if value is True else f"{name} = {_print_attribute(node, name, value)}"
        for name, value in node.attributes.items()
        if name not in OF_TYPE.get(node.op, ())]
    properties = f" <{{{', '.join(attributes)}}}>" if attributes else ""
    operands = ", ".join(names[id(operand)] for operand in node.operands)
    types = ", ".join(operand.type for operand in node.operands)
    return (f'"mirage_kernel.{node.op}"({operands}){properties} : '
            f"({types}) -> {node.type}")


def head(name, arguments, results, attributes=""):
    """The first line of a function, and the line that returns `results`' names."""
    listed = ", ".join(f"%arg{i}: {node.type}" for i, node in enumerate(arguments))
    types = ", ".join(node.type for node in results)
    return f"func.func @{name}({listed}) -> ({types}){attributes} {{"


def print_body(results, names):
    """Lines that compute the results; `names` has those of arguments and gets
    those of all nodes."""
    lines = []
    for node in ordered(results):
        if id(node) not in names:
            names[id(node)] = f"%{len(names)}"
            lines.append(f"  {names[id(node)]} = {print_node(node, names)}")
    return lines


def print_return(results, names):
    values = ", ".join(names[id(node)] for node in results)
    return f"  return {values} : {', '.join(node.type for node in results)}"


def print_kernel(program):
    """A function of mirage_kernel."""
    names = {id(node): f"%arg{i}" for i, node in enumerate(program.arguments)}
    lines = print_body(program.results, names)
    return "\n".join([head(program.name, program.arguments, program.results), *lines,
                      print_return(program.results, names), "}"]) + "\n"


# --- Reading ------------------------------------------------------------------


def _read_type(text):
    sizes, element = _TYPE.fullmatch(text).groups()
    return element, tuple(int(size) for size in sizes.split("x")[:-1])


def _read_value(text):
    text = text.strip()
    if found := re.fullmatch(r"array<i\d+(?:: (.*))?>", text):
        return tuple(int(n) for n in (found.group(1) or "").split(",") if n)
    if found := re.fullmatch(r"#mirage<\w+ (\w+)>", text):
        return found.group(1)
    if found := re.fullmatch(r"(-?\d+) : i64", text):
        return int(found.group(1))
    if found := re.fullmatch(r"(\S+) : f64", text):
        digits = found.group(1)
        if digits.startswith("0x"):
            return struct.unpack(">d", bytes.fromhex(digits[2:]))[0]
        return float(digits)
    if found := re.fullmatch(r"(dense<.*>) : tensor<.*>", text):
        inside = found.group(1)[6:-1]
        return (float(inside) if re.fullmatch(r"-?[\d.]+(E[-+]?\d+)?", inside, re.I)
                else found.group(1))
    return text


def _read_attributes(text):
    """{name: value} of what stands between braces, split at its outer commas."""
    parts, depth, start = [], 0, 0
    for i, character in enumerate(text):
        depth += (character in "<([{") - (character in ">)]}")
        if character == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    attributes = {}
    for part in filter(str.strip, parts):
        name, equals, value = part.strip().partition(" = ")
        attributes[name] = _read_value(value) if equals else True
    return attributes


def read_kernel(text, entry=None):
    """The program of a function in MLIR's generic form, the first or `entry`."""
    values, arguments, name = {}, [], None
    for line in text.splitlines():
        if found := re.search(r'"func\.func"\(\).*sym_name = "([^"]+)"', line):
            name, values, arguments = found.group(1), {}, []
            continue
        if line.lstrip().startswith("^bb0("):
            for value, type in re.findall(r"(%\w+): (tensor<[^<>]*>)", line):
                element, shape = _read_type(type)
                values[value] = Node("argument", (), {}, element, shape)
                arguments.append(values[value])
            continue
        if not (found := _OPERATION.match(line)):
            continue
        result, count, op, operands, attributes, _, types = found.groups()
        operands = [values[o] for o in operands.split(", ") if o]
        if op == "func.return":
            if entry in (None, name):
                return Program(name, arguments, operands)
            continue
        dialect, _, op = op.partition(".")
        if dialect != "mirage_kernel" or op == "launch":
            raise NotApplicable(f"'{dialect}.{op}' is not an operator of mirage_kernel")
        attributes = _read_attributes(attributes or "")
        if op == "split":
            dim, parts = attributes["dim"], attributes["parts"]
            size = operands[0].shape[dim] // parts
            for i in range(parts):
                part = take(operands[0], dim, i * size, size)
                values[f"{result}#{i}"] = part
                if not count:
                    values[result] = part
            continue
        element, shape = _read_type(types)
        of_type = {"element": element, "shape": shape}
        attributes.update({kind: of_type[kind] for kind in OF_TYPE.get(op, ())})
        values[result] = make(op, *operands, **attributes)
        if values[result].signature != (element, shape):
            raise NotApplicable(f"the type of '{op}' is {types}")
    raise NotApplicable(f"there is no function @{entry or ''}")

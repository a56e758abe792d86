"""Programs as text of linalg, tensor, arith and math.

With `is_named`, products are linalg.matmul and linalg.batch_matmul where these
exist; without, everything that computes is a linalg.generic.
"""

import math

from .graph import ELEMENTWISE, NotApplicable, ordered
from .kernel_text import dense, head, print_float, print_return
from .primitives import means

BINARY = {"add": "addf", "sub": "subf", "mul": "mulf", "div": "divf",
          "max": "maximumf", "min": "minimumf"}
MATH = {"abs": "absf", "exp": "exp", "exp2": "exp2", "log": "log", "sqrt": "sqrt",
        "rsqrt": "rsqrt", "erf": "erf", "tanh": "tanh"}
# Comparisons as the dialect's: with NaN only `ne` holds.
PREDICATES = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt",
              "ge": "oge"}
WIDTHS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}


def _type(element, shape):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def _reassociation(source, target):
    """(groups of dimensions of `source`, groups of `target`) with equal sizes,
    as short as possible."""
    groups, i, j = [], 0, 0
    while i < len(source) or j < len(target):
        left, right = ([i], [j]) if i < len(source) and j < len(target) else ([], [])
        if not left:
            # What is left has size one, and belongs to the last group.
            groups[-1][0].extend(range(i, len(source)))
            groups[-1][1].extend(range(j, len(target)))
            break
        a, b, i, j = source[i], target[j], i + 1, j + 1
        while a != b:
            if a < b:
                a, left, i = a * source[i], left + [i], i + 1
            else:
                b, right, j = b * target[j], right + [j], j + 1
        groups.append((left, right))
    return groups


class _Printer:
    def __init__(self, program, is_named):
        self.program, self.is_named = program, is_named
        self.lines, self.count = [], 0
        self.names = {id(node): f"%arg{i}" for i, node in enumerate(program.arguments)}

    def add(self, text):
        self.count += 1
        name = f"%{self.count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def number(self, value, element):
        return self.add(f"arith.constant {print_float(value, element)} : {element}")

    def empty(self, element, shape):
        return self.add(f"tensor.empty() : {_type(element, shape)}")

    def filled(self, value, element, shape):
        value, empty = self.number(value, element), self.empty(element, shape)
        type = _type(element, shape)
        return self.add(f"linalg.fill ins({value} : {element}) outs({empty} : {type}) "
                        f"-> {type}")

    def generic(self, inputs, maps, out, kinds, body):
        """A linalg.generic: `inputs` and `out` are (value, element, shape), `body`
        returns the lines of (values of elements)."""
        loops = ", ".join(f"d{i}" for i in range(len(kinds)))
        shown = ", ".join(f"affine_map<({loops}) -> ({', '.join(m)})>" for m in maps)
        kinds = ", ".join(f'"{kind}"' for kind in kinds)
        type = _type(*out[1:])
        names = [f"%a{i}" for i in range(len(inputs))] + ["%out"]
        blocks = ", ".join(f"{n}: {element}" for n, (_, element, _) in
                           zip(names, [*inputs, out]))
        given = (f"ins({', '.join(v for v, _, _ in inputs)} : "
                 f"{', '.join(_type(e, s) for _, e, s in inputs)}) " if inputs else "")
        self.count += 1
        result = f"%{self.count}"
        *steps, value = body(names)
        self.lines += [
            f"  {result} = linalg.generic {{indexing_maps = [{shown}], "
            f"iterator_types = [{kinds}]}} {given}outs({out[0]} : {type}) {{",
            f"  ^bb0({blocks}):", *[f"    {step}" for step in steps],
            f"    linalg.yield {value} : {out[1]}", f"  }} -> {type}"]
        return result

    def value(self, node):
        return self.names[id(node)], node.element, node.shape

    # --- Elements ---------------------------------------------------------------

    def steps(self, node, names):
        """Lines that compute one element of an elementwise operator, and its name."""
        element, x = node.element, names[0]
        lines = []

        def step(text):
            lines.append(f"%s{len(lines)} = {text}")
            return f"%s{len(lines) - 1}"

        def number(value):
            return step(f"arith.constant {print_float(value, element)} : {element}")

        if node.op in BINARY:
            result = step(f"arith.{BINARY[node.op]} {x}, {names[1]} : {element}")
        elif node.op in MATH:
            result = step(f"math.{MATH[node.op]} {x} : {element}")
        elif node.op == "square":
            result = step(f"arith.mulf {x}, {x} : {element}")
        elif node.op == "scale":
            factor = number(node.attributes["factor"])
            result = step(f"arith.mulf {x}, {factor} : {element}")
        elif node.op == "pow":
            exponent = number(node.attributes["exponent"])
            result = step(f"math.powf {x}, {exponent} : {element}")
        elif node.op == "clamp":
            lower = step(f"arith.maximumf {x}, {number(node.attributes['lower'])} "
                         f": {element}")
            result = step(f"arith.minimumf {lower}, "
                          f"{number(node.attributes['upper'])} : {element}")
        elif node.op == "cast":
            source = node.operands[0].element
            if source not in WIDTHS or element not in WIDTHS:
                raise NotApplicable("linalg is printed without 8-bit floats")
            kind = "extf" if WIDTHS[source] < WIDTHS[element] else "truncf"
            result = step(f"arith.{kind} {x} : {source} to {element}")
        elif node.op == "compare":
            predicate = PREDICATES[node.attributes["kind"]]
            holds = step(f"arith.cmpf {predicate}, {x}, {names[1]} : {element}")
            result = step(f"arith.uitofp {holds} : i1 to {element}")
        elif node.op == "select":
            holds = step(f"arith.cmpf une, {x}, {number(0)} : {element}")
            result = step(f"arith.select {holds}, {names[1]}, {names[2]} : {element}")
        else:
            raise NotApplicable(f"'{node.op}' is not printed as linalg")
        return [*lines, result]

    def pointwise(self, node, body):
        maps = [[f"d{i}" if size == node.shape[i] else "0"
                 for i, size in enumerate(operand.shape)] for operand in node.operands]
        maps.append([f"d{i}" for i in range(node.rank)])
        out = (self.empty(node.element, node.shape), node.element, node.shape)
        return self.generic([self.value(o) for o in node.operands], maps, out,
                            ["parallel"] * node.rank, body)

    # --- Contractions -----------------------------------------------------------

    def product(self, node):
        out = (self.filled(0, node.element, node.shape), node.element, node.shape)
        a, b = node.operands
        flags = node.get("transpose_lhs"), node.get("transpose_rhs")
        has_name = node.rank in (2, 3) and not any(flags) and (
            a.shape[:-2] == b.shape[:-2])
        if self.is_named and has_name:
            name = "matmul" if node.rank == 2 else "batch_matmul"
            return self.add(
                f"linalg.{name} ins({self.names[id(a)]}, {self.names[id(b)]} : "
                f"{a.type}, {b.type}) outs({out[0]} : {node.type}) -> {node.type}")
        lead = range(node.rank - 2)
        m, n, k = (f"d{node.rank - 2 + i}" for i in range(3))

        def batch(operand):
            return [f"d{i}" if operand.shape[i] == node.shape[i] else "0" for i in lead]

        maps = [batch(a) + ([k, m] if flags[0] else [m, k]),
                batch(b) + ([n, k] if flags[1] else [k, n]),
                [f"d{i}" for i in lead] + [m, n]]

        def body(names):
            lines, values = [], []
            for name in names[:2]:
                if a.element != node.element:
                    lines.append(f"{name}w = arith.extf {name} : {a.element} to "
                                 f"{node.element}")
                    name += "w"
                values.append(name)
            left, right = values
            return [*lines, f"%p = arith.mulf {left}, {right} : {node.element}",
                    f"%t = arith.addf {names[2]}, %p : {node.element}", "%t"]

        return self.generic([self.value(a), self.value(b)], maps, out,
                            ["parallel"] * node.rank + ["reduction"], body)

    def reduction(self, node):
        x = node.operands[0]
        if node.get("group") or x.element != node.element or node.element != "f32":
            raise NotApplicable("only reductions of f32 are printed as linalg")
        dim, is_sum = node.attributes["dim"], node.attributes["kind"] == "sum"
        shape = x.shape[:dim] + x.shape[dim + 1:]
        out = (self.filled(0 if is_sum else -math.inf, "f32", shape), "f32", shape)
        dims = [f"d{i}" for i in range(x.rank)]
        combine = "addf" if is_sum else "maximumf"
        result = self.generic(
            [self.value(x)], [dims, dims[:dim] + dims[dim + 1:]], out,
            ["reduction" if i == dim else "parallel" for i in range(x.rank)],
            lambda names: [f"%t = arith.{combine} {names[0]}, {names[1]} : f32", "%t"])
        return self.reshaped(result, "f32", shape, node.shape)

    # --- Layouts ----------------------------------------------------------------

    def regrouped(self, kind, value, element, source, target, groups):
        shown = ", ".join(f"[{', '.join(map(str, group))}]" for group in groups)
        sizes = (f" output_shape [{', '.join(map(str, target))}]"
                 if kind == "expand" else "")
        return self.add(f"tensor.{kind}_shape {value} [{shown}]{sizes} : "
                        f"{_type(element, source)} into {_type(element, target)}")

    def reshaped(self, value, element, source, target):
        if source == target:
            return value
        groups = _reassociation(source, target) if source and target else []
        middle = tuple(math.prod(source[i] for i in left) for left, _ in groups)
        if middle != source:
            value = self.regrouped("collapse", value, element, source, middle,
                                   [left for left, _ in groups])
        if middle != target:
            value = self.regrouped("expand", value, element, middle, target,
                                   [right for _, right in groups])
        return value

    def layout(self, node):
        x = node.operands[0]
        name = self.names[id(x)]
        if node.op == "reshape":
            return self.reshaped(name, node.element, x.shape, node.shape)
        if node.op == "broadcast":
            return self.pointwise(node, lambda names: [names[0]])
        if node.op == "transpose":
            permutation = node.attributes["permutation"]
            if not self.is_named:
                loops = [f"d{permutation.index(i)}" for i in range(node.rank)]
                out = (self.empty(node.element, node.shape), node.element, node.shape)
                return self.generic([self.value(x)],
                                    [loops, [f"d{i}" for i in range(node.rank)]], out,
                                    ["parallel"] * node.rank, lambda names: [names[0]])
            empty = self.empty(node.element, node.shape)
            return self.add(f"linalg.transpose ins({name} : {x.type}) outs({empty} : "
                            f"{node.type}) permutation = {list(permutation)}")
        if node.op == "slice":
            parts = " ".join(str(list(node.attributes[part]))
                             for part in ("offsets", "sizes", "strides"))
            parts = parts.replace("] [", "][")
            return self.add(f"tensor.extract_slice {name}{parts} : {x.type} to "
                            f"{node.type}")
        if node.op == "concat":
            values = ", ".join(self.names[id(o)] for o in node.operands)
            types = ", ".join(o.type for o in node.operands)
            return self.add(f"tensor.concat dim({node.attributes['dim']}) {values} : "
                            f"({types}) -> {node.type}")
        raise NotApplicable(f"'{node.op}' is not printed as linalg")

    def node(self, node):
        if node.op == "constant":
            return self.add(f"arith.constant {dense(node)}")
        if node.op in ELEMENTWISE:
            return self.pointwise(node, lambda names: self.steps(node, names))
        if node.op == "matmul":
            return self.product(node)
        if node.op == "reduce":
            return self.reduction(node)
        return self.layout(node)

    def run(self):
        for node in ordered(self.program.results):
            if id(node) not in self.names:
                self.names[id(node)] = self.node(node)
        return "\n".join([
            head(self.program.name, self.program.arguments, self.program.results),
            *self.lines, print_return(self.program.results, self.names), "}"]) + "\n"


def print_linalg(program, is_named=True):
    """A function of linalg; composite operators are taken apart."""
    return _Printer(means(program), is_named).run()

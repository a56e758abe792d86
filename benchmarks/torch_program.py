"""Kernel operators as functions of PyTorch.

`translate` takes the text of a function of mirage_kernel operators without launches in MLIR's
generic form and writes a function of the same name in Python, an expression for each
operator, as people write it: products of 16 bits are PyTorch's of 16 bits, whose sums are
f32, and are converted where the operator has a wider result; attention is
scaled_dot_product_attention, norms are PyTorch's. Types are names (`f16`), so that
`get_function` can make the function compute in float64 throughout.
"""
import json
import re
import struct

TYPES = {"f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2", "f16": "float16",
         "bf16": "bfloat16", "f32": "float32", "f64": "float64", "i1": "bool", "i8": "int8",
         "i32": "int32", "i64": "int64"}  # fmt: skip
UNARY = {"abs": "{}.abs()", "exp": "{}.exp()", "exp2": "{}.exp2()", "log": "{}.log()",
         "sqrt": "{}.sqrt()", "rsqrt": "{}.rsqrt()", "square": "{}.square()", "silu": "F.silu({})",
         "sigmoid": "{}.sigmoid()", "mish": "F.mish({})", "erf": "{}.erf()", "relu": "F.relu({})",
         "tanh": "{}.tanh()"}  # fmt: skip
BINARY = {"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}",
          "max": "torch.maximum({}, {})", "min": "torch.minimum({}, {})"}  # fmt: skip
NARROW = ("f8E4M3FN", "f8E5M2")


class TranslationError(Exception):
    """An operator or a type that the translation does not know."""


class Tensor:
    """The name, shape and element type of a value."""

    def __init__(self, name, kind):
        found = re.fullmatch(r"tensor<((?:\d+x)*)(\w+)>", kind)
        if not found or found[2] not in TYPES:
            raise TranslationError(f"a value of type {kind}")
        self.name, self.element = name, found[2]
        self.shape = [int(size) for size in found[1].split("x")[:-1]]


class Operator:
    """A line of MLIR's generic form."""

    LINE = re.compile(r"\s*(?:(%[\w:, %]+) = )?\"([\w.]+)\"\((.*?)\)\s*(?:<\{(.*)\}>)?\s*"
                      r"(?:\{.*\})? : \((.*)\) -> (.*)")  # fmt: skip

    def __init__(self, line, values):
        found = self.LINE.fullmatch(line)
        if not found:
            raise TranslationError(line.strip())
        results, self.name, operands, self.attributes, _, kinds = found.groups()
        self.name = self.name.removeprefix("mirage_kernel.")
        self.operands = [values[name] for name in split_names(operands)]
        kinds = split_types(kinds)
        self.results = []
        if results:
            name, _, count = results.partition(":")
            names = [f"{name}#{i}" for i in range(int(count))] if count else [name]
            self.results = [Tensor(f"v{name[1:].replace('#', '_')}", kind)
                            for name, kind in zip(names, kinds, strict=True)]  # fmt: skip
            values.update(zip(names, self.results))

    def get(self, attribute, default=None):
        """The text of an attribute's value, without its type."""
        found = re.search(rf"(?:^|, ){attribute}(?: = (array<[^>]*>|#[^>]*>|dense<.*> : [^,]*|"
                          r"[^,]*))?(?=, |$)", self.attributes or "")  # fmt: skip
        if not found:
            return default
        return re.sub(r" : [fi]\d+$", "", found[1]) if found[1] else "true"

    def get_list(self, attribute):
        return [int(number) for number in re.findall(r"-?\d+", self.get(attribute).split(":", 1)[1])]

    def get_word(self, attribute):
        """The word of an enumeration: sum of #mirage<reduce_kind sum>."""
        return re.search(r"(\w+)>?$", self.get(attribute))[1]


def split_names(text):
    return [name.strip() for name in text.split(",")] if text.strip() else []


def split_types(text):
    return re.findall(r"tensor<[^<>]*>", text)


def read_number(text):
    """A number as MLIR writes it, also by its bits."""
    if not text.startswith("0x"):
        return repr(float(text))
    bits = bytes.fromhex(text[2:])
    number = struct.unpack({2: ">e", 4: ">f", 8: ">d"}[len(bits)], bits)[0]
    return f"float('{number}')"


def of_norm(op, x):
    """The expression of a norm, of which the operands behind the first are a weight and a bias
    by the segments of operands."""
    segments = op.get("operandSegmentSizes")
    present = [int(n) for n in re.findall(r"\d+", segments.split(":", 1)[1])] if segments else \
        [1, len(op.operands) - 1]  # fmt: skip
    others, rest = [], [o.name for o in op.operands[1:]]
    for count in present[1:]:
        others.append(rest.pop(0) if count else "None")
    epsilon = read_number(op.get("epsilon"))
    last = op.operands[0].shape[-1]
    if op.name == "rms_norm":
        return f"F.rms_norm({x}, ({last},), {others[0]}, {epsilon})"
    weight, bias = others[-2:]
    if op.name == "layer_norm":
        return f"F.layer_norm({x}, ({last},), {weight}, {bias}, {epsilon})"
    if op.name == "group_norm":
        return f"F.group_norm({x}, {op.get('groups')}, {weight}, {bias}, {epsilon})"
    if op.name == "instance_norm":
        return f"F.instance_norm({x}, None, None, {weight}, {bias}, eps={epsilon})"
    mean, variance = others[:2]
    return f"F.batch_norm({x}, {mean}, {variance}, {weight}, {bias}, eps={epsilon})"


def of_attention(op):
    q, k, v, *mask = op.operands
    lead = [max(sizes) for sizes in zip(q.shape[:-2], k.shape[:-2], v.shape[:-2])]
    index = "[None]" if len(lead) == 1 else ""
    names = [f"{o.name}.expand({[*lead, *o.shape[-2:]]}){index}" for o in (q, k, v)]
    bias = f", attn_mask={mask[0].name}.to({q.element}){index}" if mask else ""
    call = f"F.scaled_dot_product_attention({', '.join(names)}{bias}, " \
           f"scale={read_number(op.get('scale'))})"  # fmt: skip
    return call + ("[0]" if index else "")


def of_convolution(op, x, w):
    top, bottom, left, right = op.get_list("padding")
    strides, dilations = op.get_list("strides"), op.get_list("dilations")
    inner = op.get_word("layout") == "nhwc"
    if inner:
        x, w = f"{x}.permute(0, 3, 1, 2)", f"{w}.permute(3, 2, 0, 1)"
    padding = [top, left]
    if (top, left) != (bottom, right):
        x, padding = f"F.pad({x}, ({left}, {right}, {top}, {bottom}))", [0, 0]
    call = f"F.conv2d({x}, {w}, None, {strides}, {padding}, {dilations}, {op.get('groups')})"
    return call + (".permute(0, 2, 3, 1)" if inner else "")


def get_constant(op):
    return re.fullmatch(r"dense<(.*)> : .*", op.get("value"))[1]


def of_dense_constant(op):
    """The expression of a constant whose elements differ: a tensor that is made once."""
    value, element = get_constant(op), op.results[0].element
    if value.startswith('"'):
        made = f"torch.frombuffer(bytearray.fromhex({value[3:-1]!r}), " \
               f"dtype=torch.{TYPES[element]}).reshape({op.results[0].shape})"  # fmt: skip
    else:
        made = f"torch.tensor({json.loads(value)})"
    return f"{made}.to(device, {element})"


def express(op):
    """The expression of an operator's result."""
    # PyTorch computes nothing in f8.
    names = [f"{o.name}.to(f16)" if o.element in NARROW and op.name not in ("cast", "reshape")
             else o.name for o in op.operands]  # fmt: skip
    x = names[0] if names else None
    shape = op.results[0].shape
    dim = op.get("dim")
    if op.name in UNARY:
        return UNARY[op.name].format(x)
    if op.name in BINARY:
        return BINARY[op.name].format(*names)
    if op.name == "compare":
        return f"torch.{op.get_word('kind')}({x}, {names[1]})"
    if op.name == "select":
        return f"torch.where({x} != 0, {names[1]}, {names[2]})"
    if op.name == "gelu":
        form = "tanh" if op.get_word("form") == "tanh" else "none"
        return f"F.gelu({x}, approximate='{form}')"
    if op.name == "clamp":
        return f"{x}.clamp({read_number(op.get('lower'))}, {read_number(op.get('upper'))})"
    if op.name == "scale":
        return f"{x} * {read_number(op.get('factor'))}"
    if op.name == "pow":
        return f"{x} ** {read_number(op.get('exponent'))}"
    if op.name == "cast":
        return x
    if op.name == "constant":
        value = get_constant(op)
        return f"torch.full({shape}, {read_number(value)}, dtype={op.results[0].element}, " \
               "device=device)"  # fmt: skip
    if op.name == "repeat":
        return f"{x}.repeat({op.get_list('times')})"
    if op.name == "broadcast":
        return f"{x}.expand({shape})"
    if op.name == "reshape":
        return f"{x}.reshape({shape})"
    if op.name == "transpose":
        return f"{x}.permute({op.get_list('permutation')})"
    if op.name == "slice":
        parts = [f"{begin}:{begin + (size - 1) * step + 1}" + (f":{step}" if step > 1 else "")
                 for begin, size, step in zip(*(op.get_list(a) for a in
                                                ("offsets", "sizes", "strides")))]  # fmt: skip
        return f"{x}[{', '.join(parts)}]"
    if op.name == "split":
        return f"{x}.chunk({op.get('parts')}, {dim})"
    if op.name == "concat":
        return f"torch.cat([{', '.join(names)}], {dim})"
    if op.name == "pad":
        pairs = zip(op.get_list("low"), op.get_list("high"))
        sides = [side for pair in reversed(list(pairs)) for side in pair]
        return f"F.pad({x}, {sides}, value={read_number(op.get('value'))})"
    if op.name == "reduce":
        kind, group = op.get_word("kind"), op.get("group")
        kept, at = op.get("keep") is not None, int(dim)
        if group:
            sizes = list(op.operands[0].shape)
            x = f"{x}.reshape({[*sizes[:at], sizes[at] // int(group), int(group), *sizes[at + 1:]]})"
            at += 1
        if kind == "max":
            return f"{x}.amax({at}, keepdim={kept})"
        return f"{x}.{kind}({at}, keepdim={kept}, dtype={op.results[0].element})"
    if op.name == "matmul":
        y = names[1] + (".mT" if op.get("transpose_rhs") else "")
        return f"{x}{'.mT' if op.get('transpose_lhs') else ''} @ {y}"
    if op.name == "concat_matmul":
        return f"{x} @ {names[2]} + {names[1]} @ {names[3]}"
    if op.name == "conv2d":
        return of_convolution(op, *names)
    if op.name in ("rms_norm", "layer_norm", "group_norm", "instance_norm", "batch_norm"):
        return of_norm(op, x)
    if op.name == "variance":
        return f"{x}.var({dim}, correction={op.get('correction')}, " \
               f"keepdim={op.get('keep') is not None})"  # fmt: skip
    if op.name in ("softmax", "log_softmax"):
        return f"{x}.{op.name}({dim})"
    if op.name == "attention":
        return of_attention(op)
    raise TranslationError(f"the operator {op.name}")


def translate(text):
    """The text of the function in Python, and the shape and element type of each argument."""
    lines = [line for line in text.splitlines() if line.strip()]
    heads = [line for line in lines if line.lstrip().startswith("^bb0(")]
    if len(heads) != 1:
        raise TranslationError(f"{len(heads)} blocks with arguments")
    values, arguments = {}, []
    for name, kind in re.findall(r"(%\w+): ([^,]*<[^>]*>|\w+)", heads[0]):
        values[name] = Tensor(name[1:], kind)
        arguments.append(values[name])
    constants, body = [], []
    for line in lines[lines.index(heads[0]) + 1:]:
        op = Operator(line, values)
        if op.name == "func.return":
            body.append(f"    return {', '.join(o.name for o in op.operands)},")
            break
        if op.name == "constant" and get_constant(op).startswith(("[", '"')):
            constants.append(f"{op.results[0].name} = {of_dense_constant(op)}")
            continue
        expression = express(op)
        if op.name == "split":
            body.append(f"    {', '.join(r.name for r in op.results)}, = {expression}")
            continue
        result = op.results[0]
        elements = {o.element for o in op.operands}
        if op.name != "constant" and elements != {result.element} or op.name == "compare":
            expression = f"({expression}).to({result.element})"
        body.append(f"    {result.name} = {expression}")
    names = ", ".join(a.name for a in arguments)
    head = f"def main({names}):"
    return "\n".join([*constants, head, *body]) + "\n", [(a.shape, a.element) for a in arguments]


def get_function(text, exact=False):
    """The function that `translate` wrote, which computes in float64 where it is `exact`."""
    import torch
    import torch.nn.functional as F

    scope = {name: getattr(torch, kind) for name, kind in TYPES.items()}
    if exact:
        scope.update({name: torch.float64 for name in TYPES if name not in ("i1", "i32", "i64")})
    scope.update(torch=torch, F=F, device=torch.device("cuda"))
    exec(compile(text, "<program>", "exec"), scope)
    return scope["main"]

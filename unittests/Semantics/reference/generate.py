#!/usr/bin/env python3
"""Writes Cases.inc: operators, operands, and results that numpy computed.

Needs numpy; the tests don't: Cases.inc is checked in. Run it after adding a
case, from any folder. The output is the same on every run.
"""
import math
import os

import numpy as np

rng = np.random.default_rng(20240613)
cases = []


def rand(*shape, low=-2.0, high=2.0):
    """Values of three decimals, so that the text is exact and short."""
    return np.round(rng.uniform(low, high, shape), 3)


def cxx(value):
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "{" + ", ".join(cxx(v) for v in value) + "}"
    if math.isinf(value):
        return "-kInfinity" if value < 0 else "kInfinity"
    if math.isnan(value):
        return "kNaN"
    return repr(value)


def data(array):
    array = np.asarray(array, dtype=np.float64)
    values = ", ".join(cxx(float(v)) for v in array.ravel())
    return f"Data{{{cxx(list(array.shape))}, {{{values}}}}}"


def case(name, kind, operands, results, **attributes):
    lines = [f"{{ \"{name}\", OpKind::{kind},"]
    sets = " ".join(f"a.{k} = {cxx(v)};" for k, v in attributes.items())
    lines.append(f" [](OpAttributes &a) {{ (void)a; {sets} }},")
    lines.append(" {" + ",\n  ".join(data(o) for o in operands) + "},")
    lines.append(" {" + ",\n  ".join(data(r) for r in results) + "}},")
    cases.append("\n".join(lines))


def erf(x):
    return np.vectorize(math.erf)(x)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def mish(x):
    return x * np.tanh(np.log1p(np.exp(x)))


def gelu_tanh(x):
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return 0.5 * x * (1 + np.tanh(inner))


def elementwise():
    a, b = rand(2, 3), rand(2, 3)
    row, column = rand(1, 3), rand(2, 1)
    binary = [("Add", np.add), ("Sub", np.subtract), ("Mul", np.multiply),
              ("Div", np.divide), ("Max", np.maximum), ("Min", np.minimum)]
    for kind, function in binary:
        case("equal shapes", kind, [a, b], [function(a, b)])
        case("broadcast", kind, [row, column], [function(row, column)])
    nan = np.array([math.nan, 1.0, math.inf])
    other = np.array([1.0, math.nan, -math.inf])
    case("NaN", "Max", [nan, other], [np.maximum(nan, other)])
    case("NaN", "Min", [nan, other], [np.minimum(nan, other)])

    for kind, function in [("EQ", np.equal), ("NE", np.not_equal),
                           ("LT", np.less), ("LE", np.less_equal),
                           ("GT", np.greater), ("GE", np.greater_equal)]:
        left = np.array([[1.0, 2.0, 3.0, math.nan]])
        right = np.array([[2.0], [math.inf]])
        case(kind, "Compare", [left, right],
             [function(left, right).astype(float)],
             compareKind=f"CompareKind::{kind}")
    condition = np.array([[0.0, 2.0, -0.0], [math.nan, -1.0, 0.0]])
    case("plain", "Select", [condition, a, b], [np.where(condition, a, b)])
    case("broadcast", "Select", [condition, row, column],
         [np.where(condition, row, column)])

    x, positive = rand(2, 4), rand(2, 3, low=0.1, high=4.0)
    case("plain", "Exp", [x], [np.exp(x)])
    case("plain", "Exp2", [x], [np.exp2(x)])
    case("plain", "Log", [positive], [np.log(positive)])
    case("plain", "Sqrt", [positive], [np.sqrt(positive)])
    case("plain", "Rsqrt", [positive], [1 / np.sqrt(positive)])
    case("plain", "Square", [x], [np.square(x)])
    case("plain", "Sigmoid", [x], [sigmoid(x)])
    case("plain", "Silu", [x], [x * sigmoid(x)])
    case("erf", "Gelu", [x], [0.5 * x * (1 + erf(x / math.sqrt(2)))],
         geluForm="GeluForm::Erf")
    case("tanh", "Gelu", [x], [gelu_tanh(x)], geluForm="GeluForm::Tanh")
    case("plain", "Abs", [x], [np.abs(x)])
    case("plain", "Erf", [x], [erf(x)])
    case("plain", "Mish", [x], [mish(x)])
    far = np.array([-700.0, -30.0, 0.0, 19.0, 21.0, 700.0])
    case("far", "Mish", [far], [mish(far)])
    case("plain", "Relu", [x], [np.maximum(x, 0)])
    case("plain", "Tanh", [x], [np.tanh(x)])
    case("plain", "Clamp", [x], [np.clip(x, -0.5, 0.75)], lower=-0.5,
         upper=0.75)
    case("plain", "Scale", [x], [x * 0.3], scalar=0.3)
    for exponent in (0.0, 1.0, 3.0, -2.0):
        case(f"to {exponent}", "Pow", [x], [np.power(x, exponent)],
             scalar=exponent)
    for exponent in (0.5, -0.5, 1.7, 20.0):
        case(f"to {exponent}", "Pow", [positive], [positive**exponent],
             scalar=exponent)
    case("plain", "Cast", [x], [x])


def constants():
    values = rand(2, 2)
    text = cxx([float(v) for v in values.ravel()])
    shared = "std::make_shared<const std::vector<double>>"
    case("dense", "Constant", [], [values], resultShape=[2, 2],
         values=f"{shared}(std::initializer_list<double>{text})")
    case("splat", "Constant", [], [np.full((2, 3), 0.125)],
         resultShape=[2, 3], values=f"{shared}(1, 0.125)")


def layouts():
    x = rand(2, 3)
    case("plain", "Repeat", [x], [np.tile(x, (2, 1))], repeats=[2, 1])
    case("two dimensions", "Repeat", [x], [np.tile(x, (2, 2))],
         repeats=[2, 2])
    column = rand(2, 1)
    case("plain", "Broadcast", [column],
         [np.broadcast_to(column, (2, 3))], resultShape=[2, 3])
    cube = rand(2, 3, 2)
    case("plain", "Reshape", [cube], [cube.reshape(3, 4)], resultShape=[3, 4])
    case("scalar", "Reshape", [rand(1, 1) * 0 + 0.5], [np.array(0.5)],
         resultShape=[])
    case("plain", "Transpose", [cube], [cube.transpose(2, 0, 1)],
         permutation=[2, 0, 1])
    wide = rand(3, 6)
    case("strided", "Slice", [wide], [wide[1:3, 0:6:2]], offsets=[1, 0],
         sizes=[2, 3], strides=[1, 2])
    parts = np.split(wide, 3, axis=1)
    case("plain", "Split", [wide], parts, dim=1, parts=3)
    a, b, c = rand(2, 1), rand(2, 2), rand(2, 3)
    case("plain", "Concat", [a, b, c], [np.concatenate([a, b, c], axis=1)],
         dim=1)
    case("one operand", "Concat", [b], [b], dim=0)
    case("plain", "Pad", [x],
         [np.pad(x, ((1, 0), (2, 1)), constant_values=-7.5)],
         offsets=[1, 2], sizes=[0, 1], scalar=-7.5)
    case("nothing", "Pad", [x], [x], offsets=[0, 0], sizes=[0, 0])


def reductions():
    x = rand(2, 4, 3)
    for name, function in [("Sum", np.sum), ("Max", np.max),
                           ("Mean", np.mean)]:
        kind = f"ReduceKind::{name}"
        case(f"{name} dropped", "Reduce", [x], [function(x, axis=1)], dim=1,
             reduceKind=kind)
        case(f"{name} kept", "Reduce", [x],
             [function(x, axis=2, keepdims=True)], dim=2, keep=True,
             reduceKind=kind)
        grouped = function(x.reshape(2, 2, 2, 3), axis=2)
        case(f"{name} grouped", "Reduce", [x], [grouped], dim=1, group=2,
             reduceKind=kind)
    vector = rand(5)
    case("to a scalar", "Reduce", [vector], [np.sum(vector)], dim=0,
         reduceKind="ReduceKind::Sum")


def products():
    a, b = rand(2, 3), rand(3, 4)
    for left in (False, True):
        for right in (False, True):
            case(f"transposed {left} {right}", "Matmul",
                 [a.T if left else a, b.T if right else b], [a @ b],
                 transposeLhs=left, transposeRhs=right)
    batch, single = rand(2, 1, 2, 3), rand(1, 2, 3, 2)
    case("batch broadcast", "Matmul", [batch, single], [batch @ single])
    w, x, y, z = rand(2, 3), rand(2, 2), rand(3, 4), rand(2, 4)
    case("plain", "ConcatMatmul", [w, x, y, z], [w @ y + x @ z])
    w, x, y, z = rand(2, 2, 3), rand(2, 2, 1), rand(1, 3, 2), rand(2, 1, 2)
    case("batches", "ConcatMatmul", [w, x, y, z], [w @ y + x @ z])


def conv_nchw(x, f, strides, padding, dilations, groups):
    top, bottom, left, right = padding
    x = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)))
    n, c, h, w = x.shape
    out, per_group, kh, kw = f.shape
    oh = (h - dilations[0] * (kh - 1) - 1) // strides[0] + 1
    ow = (w - dilations[1] * (kw - 1) - 1) // strides[1] + 1
    result = np.zeros((n, out, oh, ow))
    for o in range(out):
        first = o // (out // groups) * per_group
        channels = x[:, first:first + per_group]
        for i in range(kh):
            for j in range(kw):
                rows = slice(i * dilations[0],
                             i * dilations[0] + strides[0] * oh, strides[0])
                columns = slice(j * dilations[1],
                                j * dilations[1] + strides[1] * ow, strides[1])
                part = channels[:, :, rows, columns][:, :, :oh, :ow]
                result[:, o] += np.einsum("nchw,c->nhw", part, f[o, :, i, j])
    return result


def convolutions():
    plain = dict(convStrides=[1, 1], convPadding=[0, 0, 0, 0],
                 convDilations=[1, 1], convGroups=1)
    hard = dict(convStrides=[2, 1], convPadding=[1, 0, 2, 1],
                convDilations=[1, 2], convGroups=2)
    for name, how in [("plain", plain), ("strides and groups", hard)]:
        groups = how["convGroups"]
        x, f = rand(1, 2, 4, 3), rand(2, 2 // groups, 2, 2)
        result = conv_nchw(x, f, how["convStrides"], how["convPadding"],
                           how["convDilations"], groups)
        case(name, "Conv2d", [x, f], [result],
             convLayout="ConvLayout::NCHW", **how)
        case(name + " nhwc", "Conv2d",
             [x.transpose(0, 2, 3, 1), f.transpose(2, 3, 1, 0)],
             [result.transpose(0, 2, 3, 1)], convLayout="ConvLayout::NHWC",
             **how)


def composites():
    x, weight, bias = rand(2, 4), rand(4), rand(4)
    rms = x / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + 0.01)
    case("plain", "RmsNorm", [x], [rms], scalar=0.01)
    case("weight", "RmsNorm", [x, weight], [rms * weight], scalar=0.01,
         hasWeight=True)
    centered = x - np.mean(x, axis=1, keepdims=True)
    norm = centered / np.sqrt(np.var(x, axis=1, keepdims=True) + 0.01)
    case("plain", "LayerNorm", [x], [norm], scalar=0.01)
    case("weight and bias", "LayerNorm", [x, weight, bias],
         [norm * weight + bias], scalar=0.01, hasWeight=True, hasBias=True)
    case("bias", "LayerNorm", [x, bias], [norm + bias], scalar=0.01,
         hasBias=True)
    for dim in (0, 1):
        e = np.exp(x)
        case(f"dimension {dim}", "Softmax", [x],
             [e / np.sum(e, axis=dim, keepdims=True)], dim=dim)
    large = x + 1000
    e = np.exp(x)
    case("large", "Softmax", [large], [e / np.sum(e, axis=1, keepdims=True)],
         dim=1)
    case("large", "LogSoftmax", [large],
         [x - np.log(np.sum(e, axis=1, keepdims=True))], dim=1)
    case("dropped", "Variance", [x], [np.var(x, axis=1)], dim=1)
    case("kept, corrected", "Variance", [x],
         [np.var(x, axis=1, ddof=1, keepdims=True)], dim=1, scalar=1.0,
         keep=True)


def channel_norms():
    x, weight, bias = rand(2, 4, 2, 3), rand(4), rand(4)

    def per_channel(v):
        return v.reshape(1, 4, 1, 1)

    def grouped(groups):
        rows = x.reshape(2, groups, -1)
        mean = np.mean(rows, axis=2, keepdims=True)
        variance = np.var(rows, axis=2, keepdims=True)
        return ((rows - mean) / np.sqrt(variance + 0.01)).reshape(x.shape)

    case("weight and bias", "GroupNorm", [x, weight, bias],
         [grouped(2) * per_channel(weight) + per_channel(bias)], scalar=0.01,
         groups=2, hasWeight=True, hasBias=True)
    case("bias", "InstanceNorm", [x, bias],
         [grouped(4) + per_channel(bias)], scalar=0.01, hasBias=True)
    mean, variance = rand(4), rand(4, low=0.1, high=2.0)
    norm = (x - per_channel(mean)) / np.sqrt(per_channel(variance) + 0.01)
    case("plain", "BatchNorm", [x, mean, variance], [norm], scalar=0.01)
    case("weight and bias", "BatchNorm", [x, mean, variance, weight, bias],
         [norm * per_channel(weight) + per_channel(bias)], scalar=0.01,
         hasWeight=True, hasBias=True)


def attention():
    q, k, v = rand(2, 2, 3, 4), rand(2, 1, 5, 4), rand(1, 1, 5, 2)
    mask = np.where(rand(1, 2, 3, 5) < -1.5, -math.inf, 0.0)
    for name, operands in [("grouped heads", [q, k, v]),
                           ("mask", [q, k, v, mask])]:
        scores = 0.5 * np.einsum("...md,...nd->...mn", q,
                                 np.broadcast_to(k, (2, 2, 5, 4)))
        if len(operands) > 3:
            scores = scores + mask
        e = np.exp(scores)
        weights = e / np.sum(e, axis=-1, keepdims=True)
        case(name, "Attention", operands, [weights @ v], scalar=0.5)


for part in (elementwise, constants, layouts, reductions, products,
             convolutions, composites,
             channel_norms, attention):
    part()

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Cases.inc")
with open(path, "w", encoding="utf-8") as file:
    file.write("// Written by generate.py.\n// clang-format off\n")
    file.write("\n".join(cases) + "\n")

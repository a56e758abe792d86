"""What functions of single numbers compute, in operators that importers take."""

from __future__ import annotations

import torch


def mish(x):
    """aten.mish: x tanh(log(1 + exp(x))), in f32 at least, rounded once. With e = exp(x),
    the tangent is n / (n + 2) of n = e (e + 2), which loses no digits where e is small. It
    is 1 in f32 from 9.7 on, and in f64 from 19.1 on, so that larger numbers need not
    overflow."""
    kind = torch.promote_types(x.dtype, torch.float32)
    wide = x.to(kind)
    power = torch.exp(torch.clamp(wide, max=20))
    product = power * (power + 2)
    return (wide * (product / (product + 2))).to(x.dtype)


TABLE = {torch.ops.aten.mish.default: mish}

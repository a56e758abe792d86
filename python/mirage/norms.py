"""What norms by the statistics of batches compute, in operators that importers take."""

from __future__ import annotations

import torch


def batch_norm(x, weight, bias, mean, variance, momentum, epsilon):
    """aten._native_batch_norm_legit_no_training: channels, the second dimension, are
    scaled and shifted by what was learned. It computes in f32 at least and rounds once.
    The statistics that it returns besides are empty."""
    kind = torch.promote_types(x.dtype, torch.float32)
    factor = torch.rsqrt(variance.to(kind) + epsilon)
    if weight is not None:
        factor = factor * weight.to(kind)
    shift = -mean.to(kind) * factor
    if bias is not None:
        shift = shift + bias.to(kind)
    shape = [1, -1] + [1] * (x.dim() - 2)
    result = x.to(kind) * factor.view(shape) + shift.view(shape)
    empty = x.new_empty((0,), dtype=kind)
    return result.to(x.dtype), empty, empty


def norm_of_batch(x, weight, bias, training, momentum, epsilon):
    """aten._native_batch_norm_legit.no_stats: each channel, the second dimension, by its own
    mean and variance, as norms of each image have it, whose channels are those of all images.
    Returns these means and the inverses of the deviations, too."""
    kind = torch.promote_types(x.dtype, torch.float32)
    dims = [0, *range(2, x.dim())]
    wide = x.to(kind)
    mean = wide.mean(dims, keepdim=True)
    centered = wide - mean
    inverse = torch.rsqrt((centered * centered).mean(dims, keepdim=True) + epsilon)
    result = centered * inverse
    shape = [1, -1] + [1] * (x.dim() - 2)
    if weight is not None:
        result = result * weight.to(kind).view(shape)
    if bias is not None:
        result = result + bias.to(kind).view(shape)
    return result.to(x.dtype), mean.flatten(), inverse.flatten()


TABLE = {torch.ops.aten._native_batch_norm_legit_no_training.default: batch_norm,
         torch.ops.aten._native_batch_norm_legit.no_stats: norm_of_batch}

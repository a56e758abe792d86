"""What operators on images compute, in operators that importers take: no indices."""

from __future__ import annotations

import inspect

import torch
import torch.nn.functional as F


def _reflect(x: torch.Tensor, dim: int, before: int, after: int) -> torch.Tensor:
    """Continues a dimension by its reflection at the first and the last element."""
    size = x.shape[dim]
    places = [*range(before, 0, -1), None, *range(size - 2, size - 2 - after, -1)]
    return torch.cat([x if place is None else x.narrow(dim, place, 1) for place in places], dim)


def reflection_pad(x, padding):
    """aten.reflection_pad2d: the last two dimensions, by (left, right, top, bottom)."""
    if min(padding) < 0:
        return NotImplemented
    left, right, top, bottom = padding
    return _reflect(_reflect(x, -1, left, right), -2, top, bottom)


def _repeat(x: torch.Tensor, rows: int, columns: int) -> torch.Tensor:
    """Each pixel rows x columns times."""
    *others, height, width = x.shape
    wide = x.reshape(*others, height, 1, width, 1).expand(*others, height, rows, width, columns)
    return wide.reshape(*others, height * rows, width * columns)


def _bilinear(x: torch.Tensor, rows: int, columns: int) -> torch.Tensor:
    """Interpolates between the centers of pixels, each of which becomes rows x columns, by a
    product with the weights of each dimension."""
    def weigh(size, factor):
        kind = torch.promote_types(x.dtype, torch.float32)
        numbers = torch.arange(size * factor, device=x.device, dtype=kind)
        places = ((numbers + 0.5) / factor - 0.5).clamp(0, size - 1)
        pixels = torch.arange(size, device=x.device, dtype=kind)
        return (1 - (places[:, None] - pixels).abs()).clamp(min=0).to(x.dtype)
    images, channels, height, width = x.shape
    # Channels are innermost, as convolutions have them.
    pixels = x.permute(0, 2, 3, 1).reshape(images * height, width, channels)
    wide = torch.bmm(weigh(width, columns).expand(images * height, -1, -1), pixels)
    wide = wide.reshape(images, height, width * columns * channels)
    whole = torch.bmm(weigh(height, rows).expand(images, -1, -1), wide)
    return whole.reshape(images, height * rows, width * columns, channels).permute(0, 3, 1, 2)


def _upsample(x: torch.Tensor, mode: str, rows: int, columns: int) -> torch.Tensor:
    return (_repeat if mode == "nearest" else _bilinear)(x, rows, columns)


_PARAMETERS = inspect.signature(F.interpolate)


def replace_upsampling(graph: torch.fx.GraphModule) -> None:
    """Replaces interpolation in a graph of Dynamo where each pixel of an image becomes as many
    as any other one, by the nearest one or by a bilinear function. Later, PyTorch makes
    indices of it. Other interpolation stays."""
    for node in list(graph.graph.nodes):
        if node.op != "call_function" or node.target is not F.interpolate:
            continue
        given = _PARAMETERS.bind(*node.args, **node.kwargs)
        given.apply_defaults()
        said = given.arguments
        image, result = said["input"].meta.get("example_value"), node.meta.get("example_value")
        if said["mode"] not in ("nearest", "bilinear") or said["align_corners"] or \
                said["antialias"] or image is None or image.dim() != 4 or \
                not image.is_floating_point():
            continue
        old, new, scale = image.shape[2:], result.shape[2:], said["scale_factor"]
        if not all(isinstance(size, int) for size in (*old, *new)) or any(
                after % before for before, after in zip(old, new)):
            continue
        factors = [after // before for before, after in zip(old, new)]
        scales = list(scale) if isinstance(scale, (tuple, list)) else [scale] * 2
        # The sizes say the factors alone only where PyTorch goes by them, too.
        if scale is not None and scales != factors:
            continue
        with graph.graph.inserting_before(node):
            replaced = graph.graph.call_function(
                _upsample, (said["input"], said["mode"], *factors))
        replaced.meta.update(node.meta)
        node.replace_all_uses_with(replaced)
        graph.graph.erase_node(node)
    graph.recompile()


TABLE = {torch.ops.aten.reflection_pad2d.default: reflection_pad}

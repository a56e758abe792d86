"""Attention as one operator, so that graphs are the same on every device.

PyTorch chooses an implementation of `scaled_dot_product_attention` when it traces, by
the device and what is installed. `replace_attention` puts `mirage::attention` in its
place before; left to PyTorch, that is `scaled_dot_product_attention` again, and given to
Mirage, products and a softmax.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F


@torch.library.custom_op("mirage::attention", mutates_args=())
def attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor,
              mask: torch.Tensor | None, scale: float, causal: bool) -> torch.Tensor:
    """softmax(scale * query @ key^T + mask) @ value.

    Shapes [..., m, d], [..., n, d], [..., n, e] and [..., m, n] or one that broadcasts
    to it, to [..., m, e]; the mask is added. Of key and value, the dimension before the last
    two may be a divisor of the query's: groups of heads share them. `causal` says that
    the mask is the causal one, which PyTorch's implementations know without it."""
    return F.scaled_dot_product_attention(
        query, key, value, None if causal else mask, is_causal=causal, scale=scale,
        enable_gqa=_shared(query, key) > 1).contiguous()


@attention.register_fake
def _(query, key, value, mask, scale, causal):
    return query.new_empty((*query.shape[:-1], value.shape[-1]))


def _shared(query, key):
    """How many heads of the query share a head of the key."""
    return query.shape[-3] // key.shape[-3] if query.dim() > 2 else 1


# A mask of more elements stays an input: an importer computes its elements.
_MASK_ELEMENTS = 1 << 22


def decomposed(query, key, value, mask, scale, causal):
    """The same in operators of PyTorch's core set. Scores are scaled in f32 at least: an
    importer rounds the factor to the type that it multiplies. A causal mask is made of
    indices here, so that kernels need not load it, and leave out what it hides."""
    if causal and query.shape[-2] * key.shape[-2] <= _MASK_ELEMENTS:
        mask = _mask_of_indices(query.shape[-2], key.shape[-2])
    if _shared(query, key) > 1:
        # Heads that share a key are rows of one product.
        rows = query.reshape(*key.shape[:-2], -1, query.shape[-1])
        scores = _scores(rows, key, scale).reshape(*query.shape[:-1], key.shape[-2])
        weights = _softmax(scores, mask).to(value.dtype)
        return torch.matmul(weights.reshape(*rows.shape[:-1], key.shape[-2]), value).reshape(
            *query.shape[:-1], value.shape[-1])
    weights = _weights(query, key, mask, scale).to(value.dtype)
    return torch.matmul(weights, value)


def _repeat(query, shared):
    """Keys or values, one for each head of the query."""
    count = _shared(query, shared)
    if count == 1:
        return shared
    return shared.unsqueeze(-3).expand(*shared.shape[:-2], count, *shared.shape[-2:]).reshape(
        *query.shape[:-2], *shared.shape[-2:])


def _weights(query, key, mask, scale):
    return _softmax(_scores(query, key, scale), mask)


def _scores(query, key, scale):
    scores = torch.matmul(query, key.transpose(-2, -1))
    if scores.dtype in (torch.float16, torch.bfloat16):
        scores = scores.float()
    return scores * scale


def _mask_of_indices(rows, columns):
    allowed = torch.arange(columns) <= torch.arange(rows).unsqueeze(-1)
    return torch.where(allowed, *(torch.full((), number, dtype=torch.float32)
                                  for number in (0.0, float("-inf"))))


def _softmax(scores, mask):
    return torch.softmax(scores if mask is None else scores + mask, -1)


# PyTorch passes `ctx` by this name.
def _save(ctx, inputs, output):
    query, key, value, mask, ctx.scale, _ = inputs
    ctx.save_for_backward(query, key, value, mask)


def _backward(ctx, gradient):
    query, key, value, mask = ctx.saved_tensors
    shared = key.shape
    key, value = _repeat(query, key), _repeat(query, value)
    weights = _weights(query, key, mask, ctx.scale)
    of_value = torch.matmul(weights.to(value.dtype).transpose(-2, -1), gradient)
    product = weights * torch.matmul(gradient, value.transpose(-2, -1))
    of_scores = product - weights * product.sum(-1, keepdim=True)
    of_scores = (of_scores * ctx.scale).to(query.dtype)
    of_query = torch.matmul(of_scores, key)
    of_key = torch.matmul(of_scores.transpose(-2, -1), query)
    if key.shape != shared:
        of_key, of_value = (x.reshape(*shared[:-2], -1, *x.shape[-2:]).sum(-3)
                            for x in (of_key, of_value))
    return of_query, of_key, of_value, None, None, None


attention.register_autograd(_backward, setup_context=_save)

TABLE = {torch.ops.mirage.attention.default: decomposed}


def _argument(node, position, name, default):
    if len(node.args) > position:
        return node.args[position]
    return node.kwargs.get(name, default)


def _value(node):
    if not isinstance(node, torch.fx.Node):
        return None
    value = node.meta.get("example_value", node.meta.get("val"))
    return value if isinstance(value, torch.Tensor) else None


def replace_attention(graph: torch.fx.GraphModule) -> None:
    """Replaces attention in a graph of Dynamo, where shapes are static, nothing is
    dropped out, key and value have the query's heads or are shared by groups of them, and
    a mask is added and needs no gradient. Other attention stays."""
    for node in list(graph.graph.nodes):
        if node.op != "call_function" or node.target not in (
                F.scaled_dot_product_attention, torch._C._nn.scaled_dot_product_attention):
            continue
        names = ["query", "key", "value"]
        inputs = [_argument(node, i, name, None) for i, name in enumerate(names)]
        mask = _argument(node, 3, "attn_mask", None)
        dropout = _argument(node, 4, "dropout_p", 0.0)
        causal = _argument(node, 5, "is_causal", False)
        scale = _argument(node, 6, "scale", None)
        grouped = _argument(node, 7, "enable_gqa", False)
        values = [_value(x) for x in inputs]
        if any(v is None or v.dim() < 2 for v in values) or dropout != 0.0:
            continue
        sizes = [size for v in values for size in v.shape]
        if not all(isinstance(size, int) for size in sizes):
            continue
        if not _heads_match(*values, grouped) or not isinstance(
                scale, (float, int, type(None))) or not isinstance(causal, bool):
            continue
        mask_value = _value(mask)
        if mask is not None and (mask_value is None or mask_value.requires_grad
                                 or mask_value.dtype != values[0].dtype):
            continue
        query, key, _ = values
        with graph.graph.inserting_before(node):
            if causal:
                mask = graph.graph.call_function(_causal_mask, (
                    query.shape[-2], key.shape[-2], query.dtype, query.device))
            if scale is None:
                scale = 1 / math.sqrt(query.shape[-1])
            new = graph.graph.call_function(torch.ops.mirage.attention.default,
                                            (*inputs, mask, float(scale), causal))
        new.meta.update(node.meta)
        node.replace_all_uses_with(new)
        graph.graph.erase_node(node)
    graph.recompile()


def _heads_match(query, key, value, grouped):
    outer = [x.shape[:-2] for x in (query, key, value)]
    if outer[0] == outer[1] == outer[2]:
        return True
    return grouped is True and outer[1] == outer[2] and all(outer) \
        and outer[0][:-1] == outer[1][:-1] and outer[0][-1] % outer[1][-1] == 0


def _causal_mask(rows, columns, dtype, device):
    allowed = torch.ones(rows, columns, dtype=torch.bool, device=device).tril()
    return torch.zeros(rows, columns, dtype=dtype, device=device).masked_fill(
        ~allowed, float("-inf"))

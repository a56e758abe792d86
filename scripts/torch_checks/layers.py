"""Layers of models in use, written by hand: what scripts/check-torch*.py compile."""

import torch
import torch.nn.functional as F
from torch import nn


class GatedMLP(nn.Module):
    """[m, hidden] to [m, hidden]."""

    def __init__(self, hidden, inner):
        super().__init__()
        self.gate = nn.Linear(hidden, inner, bias=False)
        self.up = nn.Linear(hidden, inner, bias=False)
        self.down = nn.Linear(inner, hidden, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class RMSNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x):
        wide = x.float() if x.dtype != torch.float64 else x
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-5)
        return self.weight * wide.to(x.dtype)


def rotate(x, cosine, sine):
    """Rotary position embedding of [batch, heads, positions, size]."""
    first, second = x.chunk(2, -1)
    return x * cosine + torch.cat((-second, first), -1) * sine


class Llama(nn.Module):
    """A decoder layer, [1, positions, hidden] to the same."""

    def __init__(self, hidden=4096, heads=32, inner=11008, positions=128):
        super().__init__()
        self.heads = heads
        self.norm, self.mlp_norm = RMSNorm(hidden), RMSNorm(hidden)
        self.query, self.key, self.value, self.out = (
            nn.Linear(hidden, hidden, bias=False) for _ in range(4))
        self.mlp = GatedMLP(hidden, inner)
        size = hidden // heads
        angles = torch.outer(torch.arange(positions).double(),
                             10000.0 ** (-torch.arange(0, size, 2).double() / size))
        angles = torch.cat((angles, angles), -1)
        self.register_buffer("cosine", angles.cos())
        self.register_buffer("sine", angles.sin())

    def forward(self, x):
        batch, positions, hidden = x.shape
        y = self.norm(x)

        def split(z):
            return z.view(batch, positions, self.heads, -1).transpose(1, 2)
        query = rotate(split(self.query(y)), self.cosine, self.sine)
        key = rotate(split(self.key(y)), self.cosine, self.sine)
        y = F.scaled_dot_product_attention(query, key, split(self.value(y)), is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, positions, hidden))
        return x + self.mlp(self.mlp_norm(x))


class Attention(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (
            nn.Linear(hidden, hidden) for _ in range(4))

    def forward(self, x):
        batch, positions, hidden = x.shape
        query, key, value = (
            linear(x).view(batch, positions, self.heads, -1).transpose(1, 2)
            for linear in (self.query, self.key, self.value))
        y = F.scaled_dot_product_attention(query, key, value)
        return self.out(y.transpose(1, 2).reshape(batch, positions, hidden))


class Bert(nn.Module):
    """An encoder layer that normalizes after, [1, positions, hidden] to the same."""

    def __init__(self, hidden=768, heads=12, inner=3072):
        super().__init__()
        self.attention = Attention(hidden, heads)
        self.norm, self.mlp_norm = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.up, self.down = nn.Linear(hidden, inner), nn.Linear(inner, hidden)

    def forward(self, x):
        x = self.norm(x + self.attention(x))
        return self.mlp_norm(x + self.down(F.gelu(self.up(x))))


class Vit(nn.Module):
    """A block that normalizes before, [1, patches + 1, hidden] to the same."""

    def __init__(self, hidden=768, heads=12, inner=3072):
        super().__init__()
        self.attention = Attention(hidden, heads)
        self.norm, self.mlp_norm = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.up, self.down = nn.Linear(hidden, inner), nn.Linear(inner, hidden)

    def forward(self, x):
        x = x + self.attention(self.norm(x))
        return x + self.down(F.gelu(self.up(self.mlp_norm(x))))


# Layers at the sizes of LLaMA 7B, BERT base and ViT B/16, with the shapes of inputs.
REAL = {
    "llama": (Llama, (1, 128, 4096)),
    "bert": (Bert, (1, 384, 768)),
    "vit": (Vit, (1, 197, 768)),
}


def make(name, dtype, device):
    """A layer and its input, the same numbers on every machine up to rounding."""
    torch.manual_seed(1)
    layer, shape = REAL[name]
    model = layer().to(device=device, dtype=dtype).eval()
    return model, torch.randn(shape).to(device=device, dtype=dtype)

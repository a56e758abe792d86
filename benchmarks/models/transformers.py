"""Transformers: BERT base and ViT B/16 as a whole, and decoder layers of LLaMA 3 8B and
Mixtral 8x7B with a static cache of keys and values."""

import torch
import torch.nn.functional as F
from torch import nn

from torch_checks.layers import Bert, GatedMLP, RMSNorm, Vit, rotate


class BertBase(nn.Module):
    """Embeddings, 12 layers and the pooler: tokens and their types, [1, tokens] each, to
    the last hidden state and the pooled first token."""

    def __init__(self, hidden=768, layers=12, heads=12, inner=3072, words=30522, tokens=512):
        super().__init__()
        self.words = nn.Embedding(words, hidden)
        self.positions = nn.Embedding(tokens, hidden)
        self.types = nn.Embedding(2, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.layers = nn.Sequential(*(Bert(hidden, heads, inner) for _ in range(layers)))
        self.pooler = nn.Linear(hidden, hidden)

    def forward(self, tokens, types):
        positions = self.positions.weight[:tokens.shape[1]]
        x = self.layers(self.norm(self.words(tokens) + self.types(types) + positions))
        return x, torch.tanh(self.pooler(x[:, 0]))


class VitBase(nn.Module):
    """An image [1, 3, size, size] to [1, classes]."""

    def __init__(self, hidden=768, layers=12, heads=12, inner=3072, patch=16, size=224,
                 classes=1000):
        super().__init__()
        self.patches = nn.Conv2d(3, hidden, patch, patch)
        self.token = nn.Parameter(torch.empty(1, 1, hidden))
        self.positions = nn.Parameter(torch.empty(1, (size // patch) ** 2 + 1, hidden))
        self.blocks = nn.Sequential(*(Vit(hidden, heads, inner) for _ in range(layers)))
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Linear(hidden, classes)

    def forward(self, image):
        x = self.patches(image).flatten(2).transpose(1, 2)
        x = torch.cat((self.token, x), 1) + self.positions
        return self.head(self.norm(self.blocks(x))[:, 0])


class CachedAttention(nn.Module):
    """Attention of grouped heads with rotary positions, which writes its keys and values
    into a cache of [batch, groups, positions, size].

    One token attends to the whole cache: it is the last one. Of several tokens, each
    attends to itself and to those before it, and they are the first ones."""

    def __init__(self, hidden=4096, heads=32, groups=8):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, hidden // heads
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.key, self.value = (
            nn.Linear(hidden, groups * self.size, bias=False) for _ in range(2))
        self.out = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x, cosine, sine, keys, values, places):
        batch, tokens, hidden = x.shape

        def split(y):
            return y.view(batch, tokens, -1, self.size).transpose(1, 2)
        query = rotate(split(self.query(x)), cosine, sine)
        key = rotate(split(self.key(x)), cosine, sine)
        value = split(self.value(x))
        keys.index_copy_(2, places, key)
        values.index_copy_(2, places, value)
        if tokens == 1:
            # The heads of a group are rows of one product, so that its keys are read once.
            rows = query.view(batch, self.groups, -1, self.size)
            y = F.scaled_dot_product_attention(rows, keys, values)
            return self.out(y.reshape(batch, 1, hidden))
        y = F.scaled_dot_product_attention(query, key, value, is_causal=True,
                                           enable_gqa=True)
        return self.out(y.transpose(1, 2).reshape(batch, tokens, hidden))


class DecoderLayer(nn.Module):
    """A layer of LLaMA 3 8B, or of Mixtral 8x7B where `experts` are given:
    [batch, tokens, hidden] to the same."""

    def __init__(self, hidden=4096, heads=32, groups=8, inner=14336, experts=0):
        super().__init__()
        self.norm, self.mlp_norm = RMSNorm(hidden), RMSNorm(hidden)
        self.attention = CachedAttention(hidden, heads, groups)
        self.mlp = Experts(hidden, inner, experts) if experts else GatedMLP(hidden, inner)

    def forward(self, x, *cache):
        x = x + self.attention(self.norm(x), *cache)
        return x + self.mlp(self.mlp_norm(x))


class Experts(nn.Module):
    """Gated MLPs of which each token takes the best two, weighted.

    Every expert computes every token, and those that a token does not take have the weight
    zero, so that shapes do not depend on numbers. Sixteen tokens take nearly all of eight
    experts, and their weights are what costs time."""

    def __init__(self, hidden, inner, experts, taken=2):
        super().__init__()
        self.taken = taken
        self.router = nn.Linear(hidden, experts, bias=False)
        self.gate, self.up = (nn.Parameter(torch.empty(experts, inner, hidden))
                              for _ in range(2))
        self.down = nn.Parameter(torch.empty(experts, hidden, inner))

    def forward(self, x):
        shape = x.shape
        x = x.view(-1, shape[-1])
        scores = self.router(x)
        wide = scores if scores.dtype == torch.float64 else scores.float()
        best, which = torch.topk(torch.softmax(wide, -1), self.taken)
        best = best / best.sum(-1, keepdim=True)
        weights = torch.zeros_like(wide).scatter(-1, which, best).to(x.dtype)
        y = F.silu(torch.matmul(x, self.gate.mT)) * torch.matmul(x, self.up.mT)
        y = torch.matmul(y, self.down.mT)
        return (y * weights.T[:, :, None]).sum(0).view(shape)

"""The programs that are exported from PyTorch, with inputs to trace them on.

Layers of Hugging Face's transformers are used as they are; what transformers
has no layer for is written here as its paper or reference code writes it.
Small sizes differ from dimension to dimension, so that mix-ups show.
"""

import torch
import transformers
from torch import nn
from torch.nn import functional as F
from transformers.models.bert import modeling_bert
from transformers.models.llama import modeling_llama
from transformers.models.qwen3 import modeling_qwen3
from transformers.models.segformer import modeling_segformer
from transformers.models.vit import modeling_vit


class RMSNormLinear(nn.Module):
    """torch's own RMSNorm; LlamaRMSNormLinear is the other spelling."""

    def __init__(self, hidden, out):
        super().__init__()
        self.norm = nn.RMSNorm(hidden, eps=1e-5)
        self.linear = nn.Linear(hidden, out, bias=False)

    def forward(self, x):
        return self.linear(self.norm(x))


class LlamaRMSNormLinear(nn.Module):
    """The norm in f32 whatever the storage type, as Llama's layers have it."""

    def __init__(self, hidden, out):
        super().__init__()
        self.norm = modeling_llama.LlamaRMSNorm(hidden)
        self.linear = nn.Linear(hidden, out, bias=False)

    def forward(self, x):
        return self.linear(self.norm(x))


class LoRALinear(nn.Module):
    def __init__(self, hidden, out, rank, alpha=16.0):
        super().__init__()
        self.base = nn.Linear(hidden, out, bias=False)
        self.down = nn.Linear(hidden, rank, bias=False)
        self.up = nn.Linear(rank, out, bias=False)
        self.scaling = alpha / rank

    def forward(self, x):
        return self.base(x) + self.up(self.down(x)) * self.scaling


class Attention(nn.Module):
    """Eager attention over grouped heads, as transformers writes it."""

    def __init__(self, scale=None):
        super().__init__()
        self.scale = scale

    def forward(self, query, key, value, mask=None):
        groups = query.shape[1] // key.shape[1]
        key = modeling_llama.repeat_kv(key, groups)
        value = modeling_llama.repeat_kv(value, groups)
        scores = torch.matmul(query, key.transpose(2, 3))
        if self.scale is not None:
            scores = scores * self.scale
        if mask is not None:
            scores = scores + mask
        weights = F.softmax(scores, dim=-1, dtype=torch.float32).to(query.dtype)
        return torch.matmul(weights, value)


class ScaledDotProductAttention(nn.Module):
    """PyTorch's composite; the exporter takes it apart."""

    def __init__(self, scale=None, causal=False):
        super().__init__()
        self.scale = scale
        self.causal = causal

    def forward(self, query, key, value, mask=None):
        return F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, scale=self.scale,
            is_causal=self.causal, enable_gqa=True)


class QKNormAttention(nn.Module):
    """Queries and keys normalized per head before attention (Qwen3)."""

    def __init__(self, head):
        super().__init__()
        self.q_norm = modeling_qwen3.Qwen3RMSNorm(head)
        self.k_norm = modeling_qwen3.Qwen3RMSNorm(head)
        self.attention = Attention(head ** -0.5)

    def forward(self, query, key, value):
        return self.attention(self.q_norm(query), self.k_norm(key), value)


class LlamaDecoderLayer(nn.Module):
    """cos and sin of the rotary embedding are inputs."""

    def __init__(self, config):
        super().__init__()
        self.layer = modeling_llama.LlamaDecoderLayer(config, 0)

    def forward(self, x, cos, sin, mask):
        return self.layer(x, attention_mask=mask, position_embeddings=(cos, sin))


class BertLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = modeling_bert.BertLayer(config)

    def forward(self, x, mask):
        out = self.layer(x, attention_mask=mask)
        return out[0] if isinstance(out, tuple) else out


class ViTBlock(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = modeling_vit.ViTLayer(config)

    def forward(self, x):
        out = self.layer(x)
        return out[0] if isinstance(out, tuple) else out


class SegformerAttention(nn.Module):
    """Keys and values come from an image that a convolution has shrunk."""

    def __init__(self, hidden, heads, height, width, ratio):
        super().__init__()
        config = transformers.SegformerConfig(
            hidden_sizes=[hidden], num_attention_heads=[heads], sr_ratios=[ratio],
            attn_implementation="eager")
        self.size = height, width
        self.attention = modeling_segformer.SegformerAttention(
            config, hidden, heads, ratio)

    def forward(self, x):
        return self.attention(x, *self.size)[0]


class EfficientViTAttention(nn.Module):
    """Multi-head ReLU linear attention: "EfficientViT", ICCV 2023, section 3.1.

    As in its reference code, a row of ones under v collects the denominator.
    """

    def __init__(self, channels, heads, head):
        super().__init__()
        self.heads, self.head = heads, head
        self.qkv = nn.Conv2d(channels, 3 * heads * head, 1, bias=False)
        self.projection = nn.Conv2d(heads * head, channels, 1, bias=False)

    def forward(self, x):
        batch, _, height, width = x.shape
        qkv = self.qkv(x).reshape(batch, self.heads, 3 * self.head, height * width)
        query, key, value = qkv.split(self.head, dim=2)
        query, key = F.relu(query), F.relu(key)
        value = F.pad(value, (0, 0, 0, 1), mode="constant", value=1.0)
        context = torch.matmul(value, key.transpose(-1, -2))
        out = torch.matmul(context, query)
        out = out[:, :, :-1] / (out[:, :, -1:] + 1e-5)
        return self.projection(out.reshape(batch, -1, height, width))


class CandyBlock(nn.Module):
    """What stands between two convolutions of the fast style transfer network."""

    def __init__(self, channels, reflect=False):
        super().__init__()
        self.norm = nn.InstanceNorm2d(channels, affine=True)
        self.pad = nn.ReflectionPad2d(2) if reflect else nn.ZeroPad2d((1, 2, 3, 4))

    def forward(self, x):
        return self.pad(F.relu(self.norm(x)))


class MixtralExpert(nn.Module):
    """One expert of a mixture, weighted by its router's probabilities."""

    def __init__(self, hidden, inner):
        super().__init__()
        self.w1 = nn.Linear(hidden, inner, bias=False)
        self.w2 = nn.Linear(inner, hidden, bias=False)
        self.w3 = nn.Linear(hidden, inner, bias=False)

    def forward(self, x, routing):
        return self.w2(F.silu(self.w1(x)) * self.w3(x)) * routing


def llama_config(hidden, inner, heads, kv_heads, head):
    return transformers.LlamaConfig(
        hidden_size=hidden, intermediate_size=inner, num_attention_heads=heads,
        num_key_value_heads=kv_heads, head_dim=head, attn_implementation="eager")


def encoder_config(kind, hidden, inner, heads, activation="gelu"):
    return kind(hidden_size=hidden, intermediate_size=inner, hidden_act=activation,
                num_attention_heads=heads, attn_implementation="eager")


def attention_inputs(batch, heads, kv_heads, queries, keys, head, mask):
    shapes = [(batch, heads, queries, head)] + 2 * [(batch, kv_heads, keys, head)]
    return shapes + ([(batch, 1, queries, keys)] if mask else [])


def programs(real=False):
    """Yields (name, maker of the module, shapes of its inputs, storage type).

    Small sizes are for tests, real ones are those of published models. A maker
    is to be called before the next program is asked for.
    """
    half, single = torch.float16, torch.float32
    types = [half] if real else [single, half]

    def each(name, make, shapes, types):
        for type in types:
            yield name + ("" if type == single else "-f16"), make, shapes, type

    # Norms and MLPs: Llama 3 8B.
    tokens, hidden, inner, out = (16, 4096, 14336, 6144) if real else (6, 24, 28, 20)
    config = llama_config(hidden, inner, 32, 8, 128) if real else \
        llama_config(hidden, inner, 6, 2, 8)
    yield from each("rmsnorm-linear", lambda: RMSNormLinear(hidden, out), [(tokens, hidden)], types)
    yield from each("llama-rmsnorm-linear", lambda: LlamaRMSNormLinear(hidden, out),
        [(tokens, hidden)], types)
    yield from each("gated-mlp", lambda: modeling_llama.LlamaMLP(config), [(tokens, hidden)], types)
    yield from each("lora-linear", lambda: LoRALinear(hidden, out, 16 if real else 4),
        [(tokens, hidden)], types)
    yield from each("mixtral-expert", lambda: MixtralExpert(hidden, inner),
        [(tokens, hidden), (tokens, 1)], types)

    # Attention: heads, grouped heads, head size of Llama 3 8B.
    batch, heads, kv_heads, head = (1, 32, 8, 128) if real else (2, 6, 2, 8)
    for phase, queries, keys in [("decode", 1, 4096 if real else 11),
                                 ("prefill", 1024 if real else 5, 1024 if real else 7)]:
        for mask in (False, True):
            for scale in (None, head ** -0.5):
                name = f"gqa-{phase}" + ("-mask" if mask else "")
                name += "" if scale is None else "-scale"
                shapes = attention_inputs(batch, heads, kv_heads, queries, keys, head, mask)
                if real and not scale:
                    continue
                # Mixed precision changes nothing that a mask or a scale does.
                both = types if real or mask == bool(scale) else [single]
                yield from each(name, lambda: Attention(scale), shapes, both)
            yield from each(f"sdpa-{phase}" + ("-mask" if mask else ""),
                lambda: ScaledDotProductAttention(), shapes, types)
    queries = 1024 if real else 5
    yield from each("sdpa-causal", lambda: ScaledDotProductAttention(causal=True),
        attention_inputs(batch, heads, kv_heads, queries, queries, head, False), types)
    yield from each("qk-norm-attention", lambda: QKNormAttention(head),
        attention_inputs(batch, heads, kv_heads, queries, queries + 2, head, False), types)

    # Whole layers: Llama 3 8B, BERT base, ViT base.
    yield from each("llama-decoder-layer", lambda: LlamaDecoderLayer(config),
        [(1, queries, hidden)] + 2 * [(1, queries, config.head_dim)] +
        [(1, 1, queries, queries)], types)
    tokens, hidden, inner, heads = (384, 768, 3072, 12) if real else (7, 24, 40, 3)
    for name, activation in [("bert-layer", "gelu"), ("bert-layer-gelu-new", "gelu_new")]:
        config = encoder_config(transformers.BertConfig, hidden, inner, heads, activation)
        yield from each(name, lambda: BertLayer(config),
            [(1, tokens, hidden), (1, 1, 1, tokens)], types)
    yield from each("vit-block", lambda: ViTBlock(encoder_config(
        transformers.ViTConfig, hidden, inner, heads)),
        [(1, 197 if real else tokens, hidden)], types)

    # Vision: Segformer B0's second stage, EfficientViT B1's third, Candy.
    types = [half] if real else [single]
    hidden, heads, height, width, ratio = (64, 2, 64, 64, 4) if real else (12, 3, 4, 6, 2)
    yield from each("segformer-attention",
        lambda: SegformerAttention(hidden, heads, height, width, ratio),
        [(1, height * width, hidden)], types)
    channels, heads, head = (128, 8, 16) if real else (10, 3, 4)
    height, width = (14, 14) if real else (5, 6)
    yield from each("efficientvit-attention",
        lambda: EfficientViTAttention(channels, heads, head),
        [(1, channels, height, width)], types)
    channels, height, width = (32, 224, 224) if real else (3, 7, 8)
    yield from each("candy-block", lambda: CandyBlock(channels), [(1, channels, height, width)], types)
    yield from each("candy-block-reflect", lambda: CandyBlock(channels, reflect=True),
        [(1, channels, height, width)], types)

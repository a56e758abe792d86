"""The programs that are exported from JAX, as functions of arrays.

Written the way JAX users write them: batch, tokens, heads, head size; images
with channels last; jax.nn's own softmax, activations and attention.
"""

import jax
import jax.numpy as jnp
from jax import lax

F32 = jnp.float32


def linear(x, weight):
    """A product that is summed in f32 whatever the storage type."""
    return jnp.matmul(x, weight, preferred_element_type=F32).astype(x.dtype)


def rms_norm(x, weight, epsilon=1e-5):
    wide = x.astype(F32)
    wide = wide * lax.rsqrt(jnp.mean(jnp.square(wide), axis=-1, keepdims=True) + epsilon)
    return (wide * weight.astype(F32)).astype(x.dtype)


def layer_norm(x, weight, bias, epsilon=1e-6):
    """Mean of squares less squared mean, as Flax computes the variance."""
    wide = x.astype(F32)
    mean = jnp.mean(wide, axis=-1, keepdims=True)
    variance = jnp.mean(jnp.square(wide), axis=-1, keepdims=True) - jnp.square(mean)
    wide = (wide - mean) * lax.rsqrt(variance + epsilon)
    return (wide * weight.astype(F32) + bias.astype(F32)).astype(x.dtype)


def rotate(x, cos, sin):
    first, second = jnp.split(x, 2, axis=-1)
    rotated = jnp.concatenate([-second, first], axis=-1)
    return x * cos[:, :, None, :] + rotated * sin[:, :, None, :]


def rmsnorm_linear(x, norm, weight):
    return linear(rms_norm(x, norm), weight)


def gated_mlp(x, gate, up, down):
    return linear(jax.nn.silu(linear(x, gate)) * linear(x, up), down)


def gelu_mlp(x, up, up_bias, down, down_bias):
    """jax.nn.gelu is the approximation by tanh."""
    return linear(jax.nn.gelu(linear(x, up) + up_bias), down) + down_bias


def lora_linear(x, weight, down, up):
    return linear(x, weight) + 4.0 * linear(linear(x, down), up)


def mixtral_expert(x, routing, gate, up, down):
    return gated_mlp(x, gate, up, down) * routing


def attention(query, key, value, mask=None):
    """Grouped heads, scores and softmax in f32, written with einsum.

    (jax.nn.dot_product_attention in f16 asks for a dot algorithm that
    StableHLO's lowering to linalg does not know.)
    """
    batch, queries, heads, head = query.shape
    query = query.reshape(batch, queries, key.shape[2], -1, head)
    scores = jnp.einsum("bqgid,bkgd->bgiqk", query, key, preferred_element_type=F32)
    scores = scores / head ** 0.5
    if mask is not None:
        scores = scores + mask[:, :, None].astype(F32)
    weights = jax.nn.softmax(scores, axis=-1).astype(query.dtype)
    mixed = jnp.einsum("bgiqk,bkgd->bqgid", weights, value, preferred_element_type=F32)
    return mixed.astype(query.dtype).reshape(batch, queries, heads, head)


def library_attention(query, key, value, mask=None):
    """jax.nn's own: grouped heads, scaled by 1/sqrt(head size)."""
    return jax.nn.dot_product_attention(query, key, value, bias=mask)


def causal_attention(query, key, value):
    return jax.nn.dot_product_attention(query, key, value, is_causal=True)


def qk_norm_attention(query, key, value, query_norm, key_norm):
    return attention(rms_norm(query, query_norm), rms_norm(key, key_norm), value)


def decoder_layer(x, cos, sin, mask, norm, wq, wk, wv, wo, mlp_norm, gate, up, down):
    batch, tokens, _ = x.shape
    head = cos.shape[-1]
    h = rms_norm(x, norm)
    query, key, value = (linear(h, w).reshape(batch, tokens, -1, head)
                         for w in (wq, wk, wv))
    mixed = attention(rotate(query, cos, sin), rotate(key, cos, sin), value, mask)
    x = x + linear(mixed.reshape(batch, tokens, -1), wo)
    return x + gated_mlp(rms_norm(x, mlp_norm), gate, up, down)


def vit_block(x, norm, norm_bias, wq, wk, wv, wo, mlp_norm, mlp_norm_bias,
              up, up_bias, down, down_bias):
    """Three heads."""
    batch, tokens, hidden = x.shape
    h = layer_norm(x, norm, norm_bias)
    query, key, value = (linear(h, w).reshape(batch, tokens, 3, -1)
                         for w in (wq, wk, wv))
    x = x + linear(attention(query, key, value).reshape(batch, tokens, hidden), wo)
    return x + gelu_mlp(layer_norm(x, mlp_norm, mlp_norm_bias),
                        up, up_bias, down, down_bias)


def convolution(x, weight, stride=1):
    return lax.conv_general_dilated(x, weight, (stride, stride), "VALID",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def segformer_attention(x, reduction, norm, norm_bias, wq, wk, wv, wo):
    """Three heads over an image; keys and values from one half as large."""
    batch, height, width, channels = x.shape
    small = layer_norm(convolution(x, reduction, 2), norm, norm_bias)
    query = linear(x, wq).reshape(batch, height * width, 3, -1)
    key, value = (linear(small, w).reshape(batch, height * width // 4, 3, -1)
                  for w in (wk, wv))
    return linear(attention(query, key, value).reshape(x.shape), wo)


def efficientvit_attention(x, qkv, projection):
    """ReLU linear attention with three heads."""
    batch, height, width, _ = x.shape
    split = convolution(x, qkv).reshape(batch, height * width, 3, 3, -1)
    query, key, value = (split[:, :, i] for i in range(3))
    query, key = jax.nn.relu(query), jax.nn.relu(key)
    context = jnp.einsum("bnhd,bnhe->bhde", key, value)
    total = jnp.einsum("bnhd,bhd->bnh", query, jnp.sum(key, axis=1))
    out = jnp.einsum("bnhd,bhde->bnhe", query, context) / (total[..., None] + 1e-6)
    return convolution(out.reshape(batch, height, width, -1), projection)


def candy_block(x, weight, bias):
    mean = jnp.mean(x, axis=(1, 2), keepdims=True)
    variance = jnp.var(x, axis=(1, 2), keepdims=True)
    normed = (x - mean) / jnp.sqrt(variance + 1e-5) * weight + bias
    return jnp.pad(jax.nn.relu(normed), ((0, 0), (1, 2), (3, 4), (0, 0)))


def programs(real=False):
    """Yields (name, function, shapes of its arguments, storage types)."""
    both, single = (["f16"], ["f16"]) if real else (["f32", "f16"], ["f32"])
    m, h, i, o = (16, 4096, 14336, 6144) if real else (6, 24, 28, 20)
    yield "rmsnorm-linear", rmsnorm_linear, [(m, h), (h,), (h, o)], both
    yield "gated-mlp", gated_mlp, [(m, h), (h, i), (h, i), (i, h)], both
    yield "gelu-mlp", gelu_mlp, [(m, h), (h, i), (i,), (i, h), (h,)], both
    r = 16 if real else 4
    yield "lora-linear", lora_linear, [(m, h), (h, o), (h, r), (r, o)], both
    yield ("mixtral-expert", mixtral_expert,
           [(m, h), (m, 1), (h, i), (h, i), (i, h)], single)

    b, n, g, d = (1, 32, 8, 128) if real else (2, 6, 2, 8)
    for phase, q, k in [("decode", 1, 4096 if real else 11),
                        ("prefill", 1024 if real else 5, 1024 if real else 7)]:
        shapes = [(b, q, n, d), (b, k, g, d), (b, k, g, d)]
        yield f"gqa-{phase}", attention, shapes, both
        yield f"gqa-{phase}-mask", attention, shapes + [(b, 1, q, k)], both
        if not real:
            yield f"library-{phase}", library_attention, shapes, single
            yield (f"library-{phase}-mask", library_attention,
                   shapes + [(b, 1, q, k)], single)
    if not real:
        yield ("library-causal", causal_attention,
               [(b, q, n, d), (b, q, g, d), (b, q, g, d)], single)
    yield "qk-norm-attention", qk_norm_attention, shapes + [(d,), (d,)], both

    kv = g * d
    layer = [(1, q, h), (1, q, d), (1, q, d), (1, 1, q, q), (h,), (h, n * d), (h, kv),
             (h, kv), (n * d, h), (h,), (h, i), (h, i), (i, h)]
    yield "llama-decoder-layer", decoder_layer, layer, both
    m, h, i = (197, 768, 3072) if real else (7, 24, 40)
    layer = [(1, m, h), (h,), (h,)] + 4 * [(h, h)] + [
        (h,), (h,), (h, i), (i,), (i, h), (h,)]
    yield "vit-block", vit_block, layer, both
    if real:
        return
    c = 12
    yield ("segformer-attention", segformer_attention,
           [(1, 4, 6, c), (2, 2, c, c), (c,), (c,)] + 4 * [(c, c)], single)
    yield ("efficientvit-attention", efficientvit_attention,
           [(1, 5, 6, 10), (1, 1, 10, 36), (1, 1, 12, 10)], single)
    yield "candy-block", candy_block, [(1, 7, 8, 3), (3,), (3,)], single

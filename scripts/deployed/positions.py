"""Positions: rotary embeddings, and sums with positions."""

from .builder import (add, cast, concat, deployed, layer_norm, mul, reshape, rms_norm,
                      scale, sub, take, transpose)


def _halves(x, cosine, sine):
    """Each head's halves are rotated (GPT-NeoX, Llama)."""
    dim, half = x.rank - 1, x.shape[-1] // 2
    turned = concat(dim, scale(take(x, dim, half, half), -1), take(x, dim, 0, half))
    return add(mul(x, cosine), mul(turned, sine))


@deployed("bf16")
def rotary_halves(p):
    """Rotary embedding of Llama for a prompt: halves of heads are rotated."""
    return _halves(p.wide(1, 32, 256, 128), p.wide(1, 1, 256, 128), p.wide(1, 1, 256, 128))


@deployed()
def rotary_pairs(p):
    """Rotary embedding of GPT-J: neighbours are rotated."""
    x, cosine, sine = p.wide(16, 128, 32, 2), p.wide(1, 128, 32, 1), p.wide(1, 128, 32, 1)
    even, odd = take(x, 3, 0, 1), take(x, 3, 1, 1)
    return concat(3, sub(mul(even, cosine), mul(odd, sine)),
                  add(mul(odd, cosine), mul(even, sine)))


@deployed()
def rotary_part_of_a_head(p):
    """Rotary embedding of Phi: 32 of 80 elements of each head are rotated."""
    x, cosine, sine = p.wide(32, 128, 80), p.wide(1, 128, 32), p.wide(1, 128, 32)
    return concat(2, _halves(take(x, 2, 0, 32), cosine, sine), take(x, 2, 32, 48))


@deployed("bf16")
def rotary_after_norm(p):
    """Qwen 3's queries: a norm with a weight for each head, then rotation."""
    x = mul(rms_norm(p.wide(16, 64, 128)), p.vector(128, 3))
    return _halves(x, p.wide(1, 64, 128), p.wide(1, 64, 128))


@deployed("bf16")
def rotary_decode_scores(p):
    """A step's queries are rotated, and their scores with cached keys scaled."""
    q, k = p.wide(8, 4, 128), p.argument(8, 512, 128)
    return p.scores(_halves(q, p.wide(1, 1, 128), p.wide(1, 1, 128)), k)


@deployed()
def embedding_sum(p):
    """The start of BERT: words, positions and segments are added, and a norm."""
    words, positions, segments = p.wide(4, 128, 768), p.wide(1, 128, 768), p.wide(1, 1, 768)
    y = layer_norm(add(add(words, positions), segments), 1e-12)
    return add(mul(y, p.vector(768, 3)), p.vector(768, 3))


@deployed()
def patch_embedding(p):
    """The start of ViT: patches of an image, a product, a bias, and positions."""
    image = p.argument(1, 3, 14, 16, 14, 16)
    patches = reshape(transpose(image, (0, 2, 4, 1, 3, 5)), (196, 768))
    return add(add(p.linear(patches, 384), p.vector(384)), cast(p.argument(196, 384), "f32"))

"""Attention: what models put around, into and in place of a softmax."""

from .builder import (LINALG, add, cast, concat, constant, deployed, div, largest,
                      layer_norm, make, mul, plus, positions, reshape, rms_norm, scale,
                      softmax, square, sub, swap, take, total, unit)

MASKED = -30000.0


def _mask(scores, keep):
    """The scores where `keep` is not zero."""
    hidden = constant("f32", scores.rank, MASKED)
    return make("select", keep, scores, hidden)


def _causal(scores):
    """The scores of keys that are not after their query, by their positions."""
    queries, keys = scores.shape[-2:]
    rank = scores.rank
    return _mask(scores, make("compare", positions(keys, rank - 1, rank),
                              positions(queries, rank - 2, rank), kind="le"))


@deployed()
def latent_decode(p):
    """Multi-head latent attention, decoding with absorbed weights, DeepSeek V2 Lite."""
    q, q_rope = p.argument(1, 16, 512), p.argument(1, 16, 64)
    cache, k_rope = p.argument(1, 1024, 512), p.argument(1, 1024, 64)
    scores = add(p.product(q, cache, transpose_rhs=True),
                 p.product(q_rope, k_rope, transpose_rhs=True))
    return p.product(softmax(scale(scores, 192 ** -0.5)), cache)


@deployed("bf16")
def latent_prefill(p):
    """Multi-head latent attention, a prompt: all heads share the keys' rotary part."""
    q, q_rope = p.argument(8, 128, 128), p.argument(8, 128, 64)
    k, k_rope, v = p.argument(8, 128, 128), p.argument(1, 128, 64), p.argument(8, 128, 128)
    scores = add(p.product(q, k, transpose_rhs=True),
                 p.product(q_rope, k_rope, transpose_rhs=True))
    return p.product(softmax(_causal(scale(scores, 192 ** -0.5))), v)


@deployed("bf16")
def latent_compression(p):
    """The latent of keys and values: a product, and a norm with a weight."""
    x = p.argument(64, 2048)
    return mul(rms_norm(p.linear(x, 512)), p.vector(512))


@deployed()
def window_by_position(p):
    """Sliding window attention of Mistral, the window made of positions."""
    q, k, v = (p.argument(8, 192, 64) for _ in range(3))
    scores = _causal(p.scores(q, k))
    distance = sub(positions(192, 1, 3), positions(192, 2, 3))
    near = make("compare", distance, constant("f32", 3, 64.0), kind="lt")
    return p.product(softmax(_mask(scores, near)), v)


@deployed(language=LINALG)
def window_decode(p):
    """One step of sliding window attention, with a mask of which keys are near."""
    q, k, v = p.argument(8, 4, 128), p.argument(8, 1024, 128), p.argument(8, 1024, 128)
    return p.product(softmax(add(p.scores(q, k), p.wide(1, 1, 1024))), v)


@deployed("bf16")
def softcap_prefill(p):
    """Attention of Gemma 2: a soft cap of 50 on scores, and a causal mask."""
    q, k, v = (p.argument(8, 128, 256) for _ in range(3))
    capped = scale(make("tanh", scale(p.scores(q, k), 1 / 50)), 50)
    return p.product(softmax(_causal(capped)), v)


@deployed(language=LINALG)
def softcap_decode(p):
    """One step of attention with a soft cap, two queries for each head of keys."""
    q, k, v = p.argument(4, 2, 256), p.argument(4, 1024, 256), p.argument(4, 1024, 256)
    capped = scale(make("tanh", scale(p.scores(q, k), 1 / 50)), 50)
    return p.product(softmax(capped), v)


@deployed("bf16")
def sink_decode(p):
    """One step of gpt-oss: a learned logit of each head joins the softmax."""
    q, k, v = p.argument(8, 8, 64), p.argument(8, 1024, 64), p.argument(8, 1024, 64)
    weights = softmax(concat(2, p.scores(q, k), p.wide(8, 8, 1)))
    return p.product(take(weights, 2, 0, 1024), v)


@deployed()
def sink_in_denominator(p):
    """The same sink as a term of the denominator, as kernels write it."""
    q, k, v = p.argument(8, 8, 64), p.argument(8, 512, 64), p.argument(8, 512, 64)
    scores, sink = p.scores(q, k), p.wide(8, 8, 1)
    top = make("max", largest(scores), sink)
    weights = make("exp", sub(scores, top))
    denominator = add(total(weights), make("exp", sub(sink, top)))
    return p.product(div(weights, denominator), v)


@deployed()
def retention_chunk(p):
    """Retention of RetNet in one chunk: scores decay with distance."""
    q, k, v = p.argument(4, 128, 256), p.argument(4, 128, 256), p.argument(4, 128, 512)
    return p.product(mul(p.scores(q, k), p.wide(4, 128, 128)), v)


@deployed("f32")
def retention_step(p):
    """Retention as a recurrence: the state decays, a column times a row is added."""
    q, k, v = p.argument(8, 1, 128), p.argument(8, 1, 128), p.argument(8, 1, 256)
    state, decay = p.argument(8, 128, 256), p.argument(8, 1, 1)
    new = add(mul(state, decay), p.product(k, v, transpose_lhs=True))
    return p.product(q, new), new


@deployed()
def linear_attention_elu(p):
    """Linear attention with the features elu(x) + 1."""
    q, k, v = (p.argument(8, 256, 64) for _ in range(3))

    def feature(x):
        x = cast(x, "f32")
        zero = constant("f32", 3, 0.0)
        return make("select", make("compare", x, zero, kind="gt"), plus(x, 1.0),
                    make("exp", x))

    query, key = feature(q), feature(k)
    norm = total(mul(query, total(key, 1)))
    return div(p.product(query, p.product(swap(key), v)), plus(norm, 1e-6))


@deployed("f32")
def random_features(p):
    """Positive random features of Performer: exp(x w - |x|^2 / 2)."""
    x, w = p.argument(8, 256, 64), p.argument(1, 64, 128)
    half = scale(total(square(x)), -0.5)
    return scale(make("exp", add(p.product(x, w), half)), 128 ** -0.5)


@deployed(language=LINALG)
def alibi_decode(p):
    """One step of BLOOM: each head adds its slope times the keys' distances."""
    q, k, v = p.argument(16, 1, 64), p.argument(16, 512, 64), p.argument(16, 512, 64)
    bias = mul(p.wide(16, 1, 1), p.wide(1, 1, 512))
    return p.product(softmax(add(p.scores(q, k), bias)), v)


@deployed()
def alibi_prime(p):
    """ALiBi on a prompt of 251 tokens, distances made of positions."""
    q, k, v = (p.argument(8, 251, 64) for _ in range(3))
    distance = sub(positions(251, 2, 3), positions(251, 1, 3))
    bias = mul(p.wide(8, 1, 1), distance)
    return p.product(softmax(add(p.scores(q, k), bias)), v)


@deployed("bf16")
def repeated_heads_decode(p):
    """One step of Llama 3: four heads read each head of keys, which is repeated."""
    q = p.argument(1, 32, 1, 128)

    def repeat(x):
        x = make("broadcast", reshape(x, (1, 8, 1, 512, 128)), shape=(1, 8, 4, 512, 128))
        return reshape(x, (1, 32, 512, 128))

    k, v = repeat(p.argument(1, 8, 512, 128)), repeat(p.argument(1, 8, 512, 128))
    return p.product(softmax(p.scores(q, k)), v)


@deployed("bf16", LINALG)
def one_head_of_keys_decode(p):
    """One step of multi-query attention, Falcon: all heads read one head of keys."""
    q, k, v = p.argument(4, 71, 64), p.argument(4, 512, 64), p.argument(4, 512, 64)
    return p.product(softmax(p.scores(q, k)), v)


@deployed()
def cross_attention_speech(p):
    """Whisper's decoder reads 1,500 frames of its encoder."""
    q, k, v = p.argument(8, 1, 64), p.argument(8, 1500, 64), p.argument(8, 1500, 64)
    return p.product(softmax(p.scores(q, k)), v)


@deployed(language=LINALG)
def cross_attention_text(p):
    """Stable Diffusion's pixels read 77 tokens, with heads of 40."""
    q, k, v = p.argument(8, 1024, 40), p.argument(8, 77, 40), p.argument(8, 77, 40)
    return p.product(softmax(p.scores(q, k)), v)


@deployed()
def attention_with_logarithms(p):
    """Attention that also returns the logarithm of each row's sum."""
    q, k, v = (p.argument(8, 128, 64) for _ in range(3))
    scores = p.scores(q, k)
    top = largest(scores)
    weights = make("exp", sub(scores, top))
    sums = total(weights)
    return div(p.product(weights, v), sums), add(top, make("log", sums))


@deployed("f32")
def merged_splits(p):
    """Partial results of split keys, put together by their logarithms of sums."""
    parts, logarithms = p.argument(16, 8, 128), p.argument(16, 8, 1)
    weights = make("exp", sub(logarithms, largest(logarithms, 1)))
    return div(total(mul(parts, weights), 1), total(weights, 1))


@deployed()
def cosine_attention(p):
    """Swin V2: cosines of queries and keys, a scale of each head, a bias."""
    q, k, v = (p.argument(16, 64, 32) for _ in range(3))
    cosines = p.product(unit(cast(q, "f32")), unit(cast(k, "f32")), transpose_rhs=True)
    logits = add(mul(cosines, p.wide(16, 1, 1)), p.wide(16, 64, 64))
    return p.product(softmax(logits), v)


@deployed("bf16")
def relative_bias_attention(p):
    """T5's encoder: no scale, and a bias of each head and distance."""
    q, k, v = (p.argument(8, 128, 64) for _ in range(3))
    return p.product(softmax(add(p.scores(q, k, 1.0), p.wide(8, 128, 128))), v)


@deployed()
def differential_decode(p):
    """One step of a differential transformer, and the norm of its heads."""
    q1, q2 = p.argument(8, 1, 64), p.argument(8, 1, 64)
    k1, k2, v = p.argument(8, 512, 64), p.argument(8, 512, 64), p.argument(8, 512, 128)
    weights = sub(softmax(p.scores(q1, k1)),
                  mul(softmax(p.scores(q2, k2)), p.wide(8, 1, 1)))
    return scale(rms_norm(p.product(weights, v)), 0.2)


@deployed()
def sigmoid_attention(p):
    """Attention with a sigmoid and a bias in place of the softmax."""
    q, k, v = (p.argument(8, 128, 64) for _ in range(3))
    return p.product(make("sigmoid", plus(p.scores(q, k), -4.852)), v)


@deployed()
def squared_relu_attention(p):
    """Gated attention unit of FLASH: squares of rectified scores."""
    q, k, v = (p.argument(4, 256, 128) for _ in range(3))
    gate = p.wide(4, 256, 128)
    scores = square(make("relu", p.scores(q, k, 1 / 256)))
    return mul(gate, p.product(scores, v))


@deployed("f32")
def odd_attention(p):
    """Attention of 61 tokens with heads of 37, in f32."""
    q, k, v = (p.argument(7, 61, 37) for _ in range(3))
    return p.product(softmax(p.scores(q, k)), v)


@deployed()
def tree_decode(p):
    """Speculative decoding: seven drafts, each sees the ones it follows."""
    q, k, v = p.argument(16, 7, 64), p.argument(16, 512, 64), p.argument(16, 512, 64)
    return p.product(softmax(add(p.scores(q, k), p.wide(1, 7, 512))), v)


@deployed()
def projected_keys(p):
    """Linformer: keys and values are projected from 512 to 64 along the sequence."""
    q, k, v = (p.argument(4, 512, 64) for _ in range(3))
    e, f = p.argument(1, 64, 512), p.argument(1, 64, 512)
    return p.product(softmax(p.scores(q, p.product(e, k))), p.product(f, v))


@deployed()
def normalized_queries_and_keys(p):
    """Layer norms of queries and keys of each head before attention, as ViT-22B."""
    q, k, v = (p.argument(8, 196, 64) for _ in range(3))
    q = mul(layer_norm(cast(q, "f32")), p.vector(64, 3))
    k = mul(layer_norm(cast(k, "f32")), p.vector(64, 3))
    return p.product(softmax(p.scores(q, k)), v)

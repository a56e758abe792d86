"""Feed-forward layers, adapters, gates and recurrences."""

from .builder import (LINALG, add, cast, constant, deployed, div, gelu, layer_norm, make,
                      mul, plus, reshape, rms_norm, scale, softmax, square, sub, swap,
                      take, total)


@deployed(language=LINALG)
def gelu_mlp(p):
    """GPT-2's layer: products with biases, a gelu between, and the input added."""
    x = p.argument(64, 768)
    hidden = gelu(add(p.linear(x, 3072), p.vector(3072)), "tanh")
    return add(add(p.linear(hidden, 768), p.vector(768)), cast(x, "f32"))


@deployed("bf16")
def geglu_fused(p):
    """Gemma's gated layer, both weights in one matrix."""
    both = p.linear(p.argument(16, 1024), 8192)
    return mul(gelu(take(both, 1, 0, 4096), "tanh"), take(both, 1, 4096, 4096))


@deployed("bf16", LINALG)
def swiglu_down(p):
    """Llama's layer for one token: a gated product and the product back."""
    x = p.argument(1, 1024)
    return p.linear(mul(make("silu", p.linear(x, 2816)), p.linear(x, 2816)), 1024)


@deployed()
def reglu(p):
    """A gated layer whose gate is rectified, with biases."""
    x = p.argument(32, 512)
    gate = add(p.linear(x, 1365), p.vector(1365))
    return mul(make("relu", gate), add(p.linear(x, 1365), p.vector(1365)))


@deployed()
def bilinear_glu(p):
    """A gated layer whose gate is the sigmoid of a product: the first GLU."""
    x = p.argument(32, 1024)
    return mul(make("sigmoid", p.linear(x, 1024)), p.linear(x, 1024))


@deployed("bf16")
def squared_relu_mlp(p):
    """Nemotron's layer: rectified and squared between its products."""
    return p.linear(square(make("relu", p.linear(p.argument(16, 1024), 4096))), 1024)


@deployed()
def quick_gelu_mlp(p):
    """CLIP's layer: x sigmoid(1.702 x) between its products, with biases."""
    hidden = add(p.linear(p.argument(77, 512), 2048), p.vector(2048))
    hidden = mul(hidden, make("sigmoid", scale(hidden, 1.702)))
    return add(p.linear(hidden, 512), p.vector(512))


@deployed("f32", LINALG)
def mish_layer(p):
    """A product, a bias and a mish, x tanh(log(1 + exp(x))), f32 and odd sizes."""
    x = add(p.linear(p.argument(33, 129), 257), p.vector(257))
    return mul(x, make("tanh", make("log", plus(make("exp", x), 1.0))))


@deployed()
def highway(p):
    """A highway layer: a gate chooses between the input and what is made of it."""
    x = p.argument(64, 512)
    gate = make("sigmoid", add(p.linear(x, 512), p.vector(512)))
    made = make("relu", add(p.linear(x, 512), p.vector(512)))
    return add(mul(gate, made), mul(plus(scale(gate, -1), 1.0), cast(x, "f32")))


@deployed("bf16")
def softmax_gate(p):
    """Mixtral's router: a product and a softmax over eight experts."""
    return softmax(p.linear(p.argument(64, 4096), 8))


@deployed("bf16")
def sigmoid_gate(p):
    """DeepSeek V3's router: sigmoids divided by their sum, and scaled."""
    scores = make("sigmoid", p.linear(p.argument(64, 2048), 256))
    return scale(div(scores, plus(total(scores), 1e-20)), 2.5)


@deployed("bf16")
def shared_expert(p):
    """Qwen's shared expert: a gated layer, scaled by a sigmoid of its own."""
    x = p.argument(16, 1024)
    hidden = mul(make("silu", p.linear(x, 1408)), p.linear(x, 1408))
    return mul(make("sigmoid", p.linear(x, 1)), p.linear(hidden, 1024))


@deployed()
def dense_experts(p):
    """Four experts, all computed, weighted by their gate and added."""
    x, gate = p.argument(1, 16, 512), p.wide(4, 16, 1)
    up, down = p.argument(4, 512, 1024), p.argument(4, 1024, 512)
    hidden = make("silu", p.product(x, up))
    return total(mul(p.product(hidden, down), gate), 0, keep=False)


@deployed("bf16")
def lora_scaled(p):
    """A product and a low-rank adapter of rank 8, scaled by two, with a bias."""
    x = p.argument(16, 1024)
    adapted = scale(p.linear(p.linear(x, 8), 3072), 2.0)
    return add(add(p.linear(x, 3072), p.vector(3072)), adapted)


@deployed(language=LINALG)
def lora_batched(p):
    """Each of four requests has an adapter of its own."""
    x, w = p.argument(4, 16, 1024), p.argument(1, 1024, 1024)
    a, b = p.argument(4, 1024, 16), p.argument(4, 16, 1024)
    return add(p.product(x, w), p.product(p.product(x, a), b))


@deployed()
def lora_two_adapters(p):
    """A product and two adapters of different rank."""
    x = p.argument(16, 1024)
    one, two = p.linear(p.linear(x, 16), 1024), p.linear(p.linear(x, 64), 1024)
    return add(add(p.linear(x, 1024), one), scale(two, 0.5))


@deployed()
def lora_weight_decomposed(p):
    """DoRA: columns of the adapted weight are divided by their lengths."""
    x, w = p.argument(16, 512), p.argument(512, 512)
    adapted = add(cast(w, "f32"), p.product(p.argument(512, 16), p.argument(16, 512)))
    lengths = make("rsqrt", total(square(adapted), 0))
    return mul(p.product(x, adapted), mul(lengths, p.vector(512)))


@deployed()
def scaled_activations(p):
    """IA3: learned vectors scale a hidden layer and the input's products."""
    hidden = mul(gelu(p.linear(p.argument(32, 768), 3072), "tanh"), p.vector(3072))
    return mul(p.linear(hidden, 768), p.vector(768))


@deployed()
def weight_normalization(p):
    """A product with g v / |v|, rows of v are those of outputs."""
    x, v, g = p.argument(64, 512), p.argument(512, 512), p.wide(512, 1)
    wide = cast(v, "f32")
    weight = mul(wide, mul(g, make("rsqrt", total(square(wide)))))
    return add(p.product(x, weight, transpose_rhs=True), p.vector(512))


@deployed("f32")
def gru_cell(p):
    """A step of a gated recurrent unit."""
    x, h = p.argument(16, 256), p.argument(16, 256)

    def part(x, h):
        return add(add(p.linear(x, 256), p.linear(h, 256)), p.vector(256))

    update, reset = make("sigmoid", part(x, h)), make("sigmoid", part(x, h))
    new = make("tanh", part(x, mul(reset, h)))
    return add(new, mul(update, sub(h, new)))


@deployed("f32", LINALG)
def lstm_cell(p):
    """A step of a long short-term memory, the gates' weights in one matrix."""
    x, h, cell = p.argument(16, 256), p.argument(16, 256), p.argument(16, 256)
    gates = add(add(p.linear(x, 1024), p.linear(h, 1024)), p.vector(1024))
    into, forget, out = (make("sigmoid", take(gates, 1, i * 256, 256)) for i in range(3))
    new = add(mul(forget, cell), mul(into, make("tanh", take(gates, 1, 768, 256))))
    return mul(out, make("tanh", new)), new


@deployed("bf16")
def state_space_step(p):
    """One step of Mamba 2: states decay by exp(dt a), and take a column times a row."""
    state, x, b = p.wide(24, 64, 128), p.argument(24, 64, 1), p.argument(24, 1, 128)
    c, dt, a = p.argument(24, 128, 1), p.wide(24, 1, 1), p.wide(24, 1, 1)
    new = add(mul(state, make("exp", mul(dt, a))), mul(p.product(x, b), dt))
    return p.product(new, c), new


@deployed()
def modulated_norm(p):
    """DiT: a norm, scaled and shifted by what conditions it, and a product."""
    x, shift, factor = p.wide(2, 256, 384), p.wide(2, 1, 384), p.wide(2, 1, 384)
    y = add(mul(layer_norm(x, 1e-6), plus(factor, 1.0)), shift)
    return p.product(y, p.argument(1, 384, 384))


@deployed()
def gated_residual(p):
    """DiT: a product, a bias, a gate of the condition, and the input added."""
    x = p.argument(2, 256, 384)
    y = add(p.product(p.argument(2, 256, 384), p.argument(1, 384, 384)), p.vector(384, 3))
    return add(cast(x, "f32"), mul(p.wide(2, 1, 384), y))


@deployed()
def classifier_of_means(p):
    """Means over tokens, a norm, and the product with the classes."""
    means = reshape(make("reduce", p.wide(8, 196, 384), kind="mean", dim=1, keep=True),
                    (8, 384))
    return add(p.linear(layer_norm(means), 1000), p.vector(1000))

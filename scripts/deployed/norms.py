"""Norms, chains of norms and sums, and what stands beside them."""

from .builder import (LINALG, add, cast, deployed, div, gelu, layer_norm, make, mean, mul,
                      plus, reshape, rms_norm, scale, square, sub, total, unit)


@deployed("bf16")
def added_rms_norm(p):
    """The residual is added first and returned beside the norm, as vLLM does."""
    x = add(p.wide(64, 4096), p.wide(64, 4096))
    return mul(rms_norm(x), p.vector(4096)), x


@deployed("bf16", LINALG)
def rms_norm_one_plus_weight(p):
    """Gemma's norm, whose weight has one added, and a product."""
    y = mul(rms_norm(p.wide(16, 2048)), plus(p.vector(2048), 1.0))
    return p.linear(y, 2048)


@deployed("bf16")
def sandwich_norm(p):
    """Gemma 2: a norm behind a product, the residual, and the next norm."""
    y = mul(rms_norm(p.linear(p.argument(16, 1024), 1024)), p.vector(1024))
    residual = add(p.wide(16, 1024), y)
    return mul(rms_norm(residual), p.vector(1024)), residual


@deployed()
def norm_chain(p):
    """Two residuals and two norms, one behind the other."""
    first = rms_norm(add(p.wide(32, 2048), p.wide(32, 2048)))
    return rms_norm(add(first, p.wide(32, 2048)))


@deployed(language=LINALG)
def layer_norm_bias_gelu(p):
    """A layer norm with weight and bias, and a gelu."""
    y = add(mul(layer_norm(p.wide(256, 768)), p.vector(768)), p.vector(768))
    return gelu(y)


@deployed()
def bias_gelu_layer_norm(p):
    """The head of a masked language model: product, bias, gelu, norm."""
    y = gelu(add(p.linear(p.argument(64, 768), 768), p.vector(768)))
    return add(mul(layer_norm(y, 1e-12), p.vector(768)), p.vector(768))


@deployed("f32")
def layer_norm_prime(p):
    """A layer norm of 127 rows of 509, both prime."""
    y = layer_norm(p.argument(127, 509))
    return add(mul(y, p.vector(509)), p.vector(509))


@deployed()
def layer_norm_products(p):
    """A norm, and three products of it: the start of every block of BERT and GPT."""
    x = layer_norm(p.wide(128, 768))
    return tuple(add(p.linear(x, 768), p.vector(768)) for _ in range(3))


@deployed()
def norm_by_length(p):
    """ScaleNorm: rows divided by their length, one learned factor, a product."""
    x, g = p.wide(64, 512), p.wide(1, 1)
    return p.linear(mul(unit(x), g), 512)


@deployed()
def dynamic_tanh(p):
    """A tanh of scaled inputs in place of a norm, and a product."""
    y = mul(make("tanh", mul(p.wide(64, 768), p.wide(1, 1))), p.vector(768))
    return p.linear(add(y, p.vector(768)), 768)


@deployed()
def global_response_norm(p):
    """ConvNeXt V2: channels are scaled by their share of the image's length."""
    x = p.wide(2, 196, 384)
    lengths = make("sqrt", total(square(x), 1))
    share = div(lengths, plus(mean(lengths), 1e-6))
    return add(add(mul(mul(x, share), p.vector(384, 3)), p.vector(384, 3)), x)


@deployed()
def pixel_norm(p):
    """StyleGAN: a norm over channels of every pixel."""
    x = p.wide(2, 128, 256)
    return mul(x, make("rsqrt", plus(mean(square(x), 1), 1e-8)))


@deployed()
def standardized_weights(p):
    """A product with weights whose columns have mean zero and variance one."""
    x, w = p.argument(64, 512), p.wide(512, 256)
    centered = sub(w, mean(w, 0))
    return p.product(x, mul(centered, make("rsqrt", plus(mean(square(centered), 0), 1e-5))))


@deployed("bf16")
def grouped_heads_norm(p):
    """A norm of each head, and a gate, as behind retention and in Mamba 2."""
    x = reshape(rms_norm(p.wide(64, 16, 128)), (64, 2048))
    return mul(x, make("silu", p.wide(64, 2048)))


@deployed()
def instance_norm_of_image(p):
    """Each channel of an image of 512 x 512 by its own mean and variance."""
    x = reshape(p.wide(1, 32, 512, 512), (32, 262144))
    return reshape(layer_norm(x), (1, 32, 512, 512))


@deployed()
def batch_norm_in_training(p):
    """Channels last, with the mean and the variance of the batch itself."""
    x = p.wide(65536, 256)
    centered = sub(x, mean(x, 0))
    return mul(centered, make("rsqrt", plus(mean(square(centered), 0), 1e-5)))


@deployed("f32")
def scaled_sum_norm(p):
    """DeepNorm: the input times a factor, a branch, and a layer norm behind."""
    return layer_norm(add(scale(p.argument(128, 1024), 2.632), p.argument(128, 1024)))

"""Convolutions, norms of images, and what scales their channels."""

from .builder import (LINALG, add, cast, deployed, gelu, layer_norm, make, mul, reduce,
                      reshape, scale, square, take, total, transpose)


def _conv(p, x, out, window, groups=1, stride=1):
    side = window // 2
    weight = p.argument(out, x.shape[1] // groups, window, window)
    return make("conv2d", p.narrow(x), weight, layout="nchw", strides=(stride, stride),
                padding=(side,) * 4, dilations=(1, 1), groups=groups, element="f32")


def _channels(p, size):
    return cast(reshape(p.argument(size), (1, size, 1, 1)), "f32")


def _group_norm(p, x, groups):
    """A norm of groups of channels, with a weight and a bias of each channel."""
    size = x.shape[1]
    return make("group_norm", x, cast(p.argument(size), "f32"),
                cast(p.argument(size), "f32"), groups=groups, epsilon=1e-5,
                operandSegmentSizes=(1, 1, 1))


def _batch_norm(p, x):
    """A norm by given statistics: a factor and a sum for each channel."""
    return add(mul(x, _channels(p, x.shape[1])), _channels(p, x.shape[1]))


@deployed()
def conv_bias_relu(p):
    """A convolution of 3 by 3, a bias and a rectifier, as VGG's."""
    y = _conv(p, p.argument(1, 32, 28, 28), 32, 3)
    return make("relu", add(y, _channels(p, 32)))


@deployed()
def conv_norm_residual(p):
    """The end of a block of ResNet: convolution, norm, residual, rectifier."""
    y = _batch_norm(p, _conv(p, p.argument(1, 32, 28, 28), 32, 3))
    return make("relu", add(y, p.wide(1, 32, 28, 28)))


@deployed()
def depthwise_separable(p):
    """MobileNet: a depthwise convolution, a norm, then one of 1 by 1 as a product."""
    x = p.argument(1, 64, 28, 28)
    y = make("clamp", _batch_norm(p, _conv(p, x, 64, 3, groups=64)), lower=0.0, upper=6.0)
    y = p.product(p.argument(1, 128, 64), reshape(y, (1, 64, 784)))
    y = add(y, cast(reshape(p.argument(128), (1, 128, 1)), "f32"))
    return make("clamp", y, lower=0.0, upper=6.0)


@deployed()
def depthwise_layer_norm(p):
    """The start of a block of ConvNeXt: depthwise 7 by 7, channels last, a norm."""
    y = _conv(p, p.argument(1, 48, 28, 28), 48, 7, groups=48)
    y = reshape(transpose(add(y, _channels(p, 48)), (0, 2, 3, 1)), (784, 48))
    return add(mul(layer_norm(y, 1e-6), p.vector(48)), p.vector(48))


@deployed()
def squeeze_and_excite(p):
    """EfficientNet: channels scaled by what two products make of their means."""
    x = p.wide(4, 144, 784)
    means = reduce("mean", x, 2, keep=False)
    hidden = make("silu", add(p.linear(means, 6), p.vector(6)))
    gates = make("sigmoid", add(p.linear(hidden, 144), p.vector(144)))
    return mul(x, reshape(gates, (4, 144, 1)))


@deployed("f32", LINALG)
def hard_squeeze_and_excite(p):
    """MobileNet V3: the same with a hard sigmoid."""
    x = p.argument(2, 72, 784)
    means = reduce("mean", x, 2, keep=False)
    gates = p.linear(make("relu", p.linear(means, 24)), 72)
    half = make("constant", element="f32", shape=(1, 1), value=3.0)
    gates = scale(make("clamp", add(gates, half), lower=0.0, upper=6.0), 1 / 6)
    return mul(x, reshape(gates, (2, 72, 1)))


@deployed()
def group_norm_silu(p):
    """The start of a block of Stable Diffusion: a norm of 32 groups, and a SiLU."""
    return make("silu", _group_norm(p, p.wide(1, 128, 32, 32), 32))


@deployed()
def group_norm_projection(p):
    """Stable Diffusion: a norm of groups, and a convolution of 1 by 1 as a product."""
    y = reshape(_group_norm(p, p.wide(1, 128, 16, 16), 32), (128, 256))
    return p.product(p.argument(128, 128), y)


@deployed("f32")
def group_norm_residual(p):
    """A norm of 8 groups with odd sizes, and a residual."""
    x = p.argument(2, 24, 15, 17)
    return add(_group_norm(p, x, 8), x)


@deployed()
def instance_norm_relu(p):
    """Style transfer: a norm of each channel of each image, and a rectifier."""
    y = make("instance_norm", p.wide(1, 32, 56, 56), epsilon=1e-5,
             operandSegmentSizes=(1, 0, 0))
    return make("relu", y)


@deployed(language=LINALG)
def inverted_bottleneck(p):
    """The products of a block of ConvNeXt: a norm, gelu between, scale, residual."""
    x = p.argument(196, 192)
    hidden = gelu(add(p.linear(layer_norm(cast(x, "f32")), 768), p.vector(768)))
    y = add(p.linear(hidden, 192), p.vector(192))
    return add(mul(y, p.vector(192)), cast(x, "f32"))


@deployed("f32")
def style_gram(p):
    """Style transfer: products of channels with channels."""
    x, y = p.argument(1, 64, 784), p.argument(1, 64, 784)
    return scale(p.product(x, y, transpose_rhs=True), 1 / (64 * 784))


@deployed()
def noise_step(p):
    """A step of DDIM: the image that the noise leaves, and the next noisy one."""
    x, noise = p.wide(2, 4, 64, 64), p.wide(2, 4, 64, 64)
    clean = make("clamp", scale(add(x, scale(noise, -0.6)), 1.25), lower=-1.0, upper=1.0)
    return add(scale(clean, 0.85), scale(noise, 0.5268))


@deployed()
def guided_noise(p):
    """Guidance without a classifier: conditional noise, exaggerated, then a step."""
    x, free, bound = (p.wide(2, 4, 64, 64) for _ in range(3))
    noise = add(free, scale(add(bound, scale(free, -1)), 7.5))
    return add(x, scale(noise, -0.05))

"""Networks that detect objects in an image: YOLOX-Nano and YOLOv4. What they give are the
numbers of each place, which a program that draws boxes takes."""

import functools

import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Sequential):
    """A convolution, a norm by what was learned and an activation."""

    def __init__(self, inputs, outputs, size=1, stride=1, groups=1, activation=nn.SiLU,
                 epsilon=1e-3):
        super().__init__(
            nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False),
            nn.BatchNorm2d(outputs, eps=epsilon), activation())


class Separable(nn.Sequential):
    """A convolution of each channel by itself, and one of single pixels."""

    def __init__(self, inputs, outputs, size=3, stride=1):
        super().__init__(Layer(inputs, inputs, size, stride, inputs), Layer(inputs, outputs))


class Bottleneck(nn.Module):
    """Two layers that may be added to what they take."""

    def __init__(self, first, second, adds=True):
        super().__init__()
        self.layers, self.adds = nn.Sequential(first, second), adds

    def forward(self, x):
        return x + self.layers(x) if self.adds else self.layers(x)


class Halves(nn.Module):
    """YOLOX's layer of two halves, of which one goes through bottlenecks."""

    def __init__(self, inputs, outputs, blocks=1, adds=True):
        super().__init__()
        half = outputs // 2
        self.left, self.right = Layer(inputs, half), Layer(inputs, half)
        self.blocks = nn.Sequential(*(Bottleneck(Layer(half, half), Separable(half, half), adds)
                                      for _ in range(blocks)))
        self.join = Layer(2 * half, outputs)

    def forward(self, x):
        return self.join(torch.cat((self.blocks(self.left(x)), self.right(x)), 1))


def pool(x, size):
    """The largest of the size x size pixels around each pixel."""
    return F.max_pool2d(x, size, 1, size // 2)


class Pyramid(nn.Module):
    """Maxima of windows of several sizes beside each other, between two layers."""

    def __init__(self, channels):
        super().__init__()
        self.begin = Layer(channels, channels // 2)
        self.end = Layer(2 * channels, channels)

    def forward(self, x):
        x = self.begin(x)
        return self.end(torch.cat([x, *(pool(x, size) for size in (5, 9, 13))], 1))


class Head(nn.Module):
    """YOLOX's numbers of one scale: box, whether there is an object, and classes."""

    def __init__(self, inputs, wide, classes):
        super().__init__()

        def twice():
            return nn.Sequential(Separable(wide, wide), Separable(wide, wide))
        self.stem = Layer(inputs, wide)
        self.to_classes, self.to_box = twice(), twice()
        self.classes, self.box, self.object = (
            nn.Conv2d(wide, outputs, 1) for outputs in (classes, 4, 1))

    def forward(self, x):
        x = self.stem(x)
        box = self.to_box(x)
        return torch.cat((self.box(box), torch.sigmoid(self.object(box)),
                          torch.sigmoid(self.classes(self.to_classes(x)))), 1)


class YoloX(nn.Module):
    """YOLOX-Nano (Ge et al. 2021): an image [1, 3, size, size] to [1, places, 5 + classes],
    with a place for each 8, 16 and 32 pixels of a row and a column."""

    def __init__(self, width=16, classes=80):
        super().__init__()
        small, middle, large = (width * factor for factor in (4, 8, 16))
        self.stem = Layer(12, width, 3)
        self.to_small = nn.Sequential(
            Separable(width, 2 * width, stride=2), Halves(2 * width, 2 * width),
            Separable(2 * width, small, stride=2), Halves(small, small, 3))
        self.to_middle = nn.Sequential(Separable(small, middle, stride=2),
                                       Halves(middle, middle, 3))
        self.to_large = nn.Sequential(Separable(middle, large, stride=2), Pyramid(large),
                                      Halves(large, large, adds=False))
        self.shrink_large, self.shrink_middle = Layer(large, middle), Layer(middle, small)
        self.up_middle = Halves(2 * middle, middle, adds=False)
        self.up_small = Halves(2 * small, small, adds=False)
        self.from_small = Separable(small, small, stride=2)
        self.down_middle = Halves(2 * small, middle, adds=False)
        self.from_middle = Separable(middle, middle, stride=2)
        self.down_large = Halves(2 * middle, large, adds=False)
        self.heads = nn.ModuleList(Head(channels, small, classes)
                                   for channels in (small, middle, large))

    def forward(self, x):
        # Each second pixel of each second row becomes channels.
        parts = [x[..., row::2, column::2] for column in (0, 1) for row in (0, 1)]
        small = self.to_small(self.stem(torch.cat(parts, 1)))
        middle = self.to_middle(small)
        large = self.shrink_large(self.to_large(middle))
        middle = self.shrink_middle(
            self.up_middle(torch.cat((F.interpolate(large, scale_factor=2), middle), 1)))
        small = self.up_small(torch.cat((F.interpolate(middle, scale_factor=2), small), 1))
        middle = self.down_middle(torch.cat((self.from_small(small), middle), 1))
        large = self.down_large(torch.cat((self.from_middle(middle), large), 1))
        results = [head(scale).flatten(2)
                   for head, scale in zip(self.heads, (small, middle, large))]
        return torch.cat(results, 2).transpose(1, 2)


Smooth = functools.partial(Layer, activation=nn.Mish, epsilon=1e-5)
Leaky = functools.partial(Layer, activation=lambda: nn.LeakyReLU(0.1), epsilon=1e-5)


class Stage(nn.Module):
    """A stage of YOLOv4's backbone: half as many pixels, and two halves of which one goes
    through residual blocks. In the first stage, both have all channels."""

    def __init__(self, inputs, outputs, blocks, first=False):
        super().__init__()
        half = outputs if first else outputs // 2
        inner = outputs // 2
        self.shrink = Smooth(inputs, outputs, 3, 2)
        self.left, self.right = Smooth(outputs, half), Smooth(outputs, half)
        self.blocks = nn.Sequential(
            *(Bottleneck(Smooth(half, inner), Smooth(inner, half, 3)) for _ in range(blocks)),
            Smooth(half, half))
        self.join = Smooth(2 * half, outputs)

    def forward(self, x):
        x = self.shrink(x)
        return self.join(torch.cat((self.blocks(self.left(x)), self.right(x)), 1))


def _turns(inputs, channels, layers):
    """Layers of 1 x 1 and 3 x 3 pixels in turn, the latter with twice as many channels."""
    widths = [inputs, *(channels * (1 + layer % 2) for layer in range(layers))]
    return nn.Sequential(*(Leaky(before, after, 3 if layer % 2 else 1)
                           for layer, (before, after) in enumerate(zip(widths, widths[1:]))))


class YoloV4(nn.Module):
    """YOLOv4 (Bochkovskiy et al. 2020): an image [1, 3, size, size] to the numbers of three
    boxes at each place of three scales, [1, 3 (5 + classes), rows, columns] each."""

    def __init__(self, classes=80):
        super().__init__()
        self.to_small = nn.Sequential(
            Smooth(3, 32, 3), Stage(32, 64, 1, first=True), Stage(64, 128, 2),
            Stage(128, 256, 8))
        self.to_middle, self.to_large = Stage(256, 512, 8), Stage(512, 1024, 4)
        self.before, self.after = _turns(1024, 512, 3), _turns(2048, 512, 3)
        self.shrink_large, self.shrink_middle = Leaky(512, 256), Leaky(256, 128)
        self.beside_middle, self.beside_small = Leaky(512, 256), Leaky(256, 128)
        self.up_middle, self.up_small = _turns(512, 256, 5), _turns(256, 128, 5)
        self.from_small, self.from_middle = Leaky(128, 256, 3, 2), Leaky(256, 512, 3, 2)
        self.down_middle, self.down_large = _turns(512, 256, 5), _turns(1024, 512, 5)
        self.ends = nn.ModuleList(
            nn.Sequential(Leaky(channels, 2 * channels, 3),
                          nn.Conv2d(2 * channels, 3 * (5 + classes), 1))
            for channels in (128, 256, 512))

    def forward(self, x):
        small = self.to_small(x)
        middle = self.to_middle(small)
        large = self.before(self.to_large(middle))
        large = self.after(torch.cat([*(pool(large, size) for size in (13, 9, 5)), large], 1))

        def join(above, beside):
            return torch.cat((beside, F.interpolate(above, scale_factor=2)), 1)
        middle = self.up_middle(join(self.shrink_large(large), self.beside_middle(middle)))
        small = self.up_small(join(self.shrink_middle(middle), self.beside_small(small)))
        middle = self.down_middle(torch.cat((self.from_small(small), middle), 1))
        large = self.down_large(torch.cat((self.from_middle(middle), large), 1))
        return tuple(end(scale) for end, scale in zip(self.ends, (small, middle, large)))

"""A network of convolutions: MobileNet V2."""

import torch
from torch import nn


class Normed(nn.Sequential):
    """A convolution, a norm by what was learned of the batches, and a rectifier up to 6."""

    def __init__(self, inputs, outputs, size, stride=1, groups=1, rectifies=True):
        layers = [nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False),
                  nn.BatchNorm2d(outputs)]
        super().__init__(*layers, *([nn.ReLU6()] if rectifies else []))


class Inverted(nn.Module):
    """MobileNet V2's block: wider by a factor, each channel by itself, narrow again."""

    def __init__(self, inputs, outputs, stride, factor):
        super().__init__()
        wide = inputs * factor
        self.layers = nn.Sequential(
            *([Normed(inputs, wide, 1)] if factor > 1 else []),
            Normed(wide, wide, 3, stride, groups=wide),
            Normed(wide, outputs, 1, rectifies=False))
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.layers(x) if self.adds else self.layers(x)


class MobileNet(nn.Module):
    """An image [1, 3, size, size] to [1, classes]."""

    # Of each stage: the factor, the channels, the blocks, and the first one's stride.
    STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
              (6, 160, 3, 2), (6, 320, 1, 1))

    def __init__(self, first=32, last=1280, classes=1000):
        super().__init__()
        layers, channels = [Normed(3, first, 3, 2)], first
        for factor, outputs, blocks, stride in self.STAGES:
            for block in range(blocks):
                layers.append(Inverted(channels, outputs, stride if block == 0 else 1, factor))
                channels = outputs
        self.layers = nn.Sequential(*layers, Normed(channels, last, 1))
        self.head = nn.Linear(last, classes)

    def forward(self, x):
        return self.head(torch.mean(self.layers(x), (2, 3)))

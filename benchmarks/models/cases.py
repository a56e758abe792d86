"""Parts of models that Korch, Optimal Kernel Orchestration for Tensor Programs, studies by
themselves (section 6.4), of the sizes that the models have in its evaluation."""

import torch
from torch import nn

from .convolutional import LinearAttention


class EfficientViTAttention(nn.Module):
    """EfficientViT's attention between its convolutions (Figure 8): queries, keys and values
    of all scales to what the last convolution reads."""

    def __init__(self, channels=128):
        super().__init__()
        self.attention = LinearAttention(channels)
        # What the part does not compute has no weights.
        del self.attention.project, self.attention.gather, self.attention.out

    def forward(self, x):
        return self.attention.attend(x)


class SoftmaxAttention(nn.Module):
    """SegFormer's attention as exported models have it, with a softmax of its own between two
    products (Figures 2 and 4): queries [batch, heads, pixels, size], and keys and values of
    fewer pixels."""

    def forward(self, query, key, value):
        scores = torch.matmul(query, key.transpose(-1, -2)) / query.shape[-1] ** 0.5
        return torch.matmul(torch.softmax(scores, -1), value)


class CandyNorm(nn.Sequential):
    """Candy's norm of each image, rectifier and reflection (Figure 12)."""

    def __init__(self, channels=128):
        super().__init__(nn.InstanceNorm2d(channels, affine=True), nn.ReLU(),
                         nn.ReflectionPad2d(1))


class SegFormerNorm(nn.Module):
    """The end of a stage of SegFormer: a residual, a norm of each pixel's channels, and pixels
    [batch, rows * columns, channels] as an image. All of it is bound by memory and could be one
    kernel, as the part of SegFormer in Figure 11, whose operators the text does not name."""

    def __init__(self, channels=32):
        super().__init__()
        self.norm = nn.LayerNorm(channels)

    def forward(self, x, residual):
        batch, pixels, channels = x.shape
        size = round(pixels ** 0.5)
        y = self.norm(x + residual)
        return y.transpose(1, 2).reshape(batch, channels, size, size)

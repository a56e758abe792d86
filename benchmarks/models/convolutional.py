"""Networks of convolutions: MobileNet V2, Candy, EfficientViT B1 and SegFormer B0."""

import torch
import torch.nn.functional as F
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


class Padded(nn.Sequential):
    """A convolution of an image that is continued by its reflection."""

    def __init__(self, inputs, outputs, size, stride=1):
        super().__init__(nn.ReflectionPad2d(size // 2), nn.Conv2d(inputs, outputs, size, stride))


class Residual(nn.Module):
    """Candy's block: two convolutions with norms of each image, added to their input."""

    def __init__(self, channels):
        super().__init__()
        self.layers = nn.Sequential(
            Padded(channels, channels, 3), nn.InstanceNorm2d(channels, affine=True), nn.ReLU(),
            Padded(channels, channels, 3), nn.InstanceNorm2d(channels, affine=True))

    def forward(self, x):
        return x + self.layers(x)


class Candy(nn.Module):
    """Fast neural style's network (Johnson et al. 2016, with norms of each image): an image
    [1, 3, size, size] to one of the same size."""

    def __init__(self):
        super().__init__()

        def normed(layer, channels):
            return [layer, nn.InstanceNorm2d(channels, affine=True), nn.ReLU()]
        self.layers = nn.Sequential(
            *normed(Padded(3, 32, 9), 32), *normed(Padded(32, 64, 3, 2), 64),
            *normed(Padded(64, 128, 3, 2), 128), *(Residual(128) for _ in range(5)),
            nn.Upsample(scale_factor=2), *normed(Padded(128, 64, 3), 64),
            nn.Upsample(scale_factor=2), *normed(Padded(64, 32, 3), 32), Padded(32, 3, 9))

    def forward(self, x):
        return self.layers(x)


class Hard(nn.Sequential):
    """A convolution, perhaps with a norm by what was learned, and perhaps hard swish."""

    def __init__(self, inputs, outputs, size=1, stride=1, groups=1, bias=False, norms=True,
                 activates=True):
        super().__init__(
            nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=bias),
            *([nn.BatchNorm2d(outputs)] if norms else []),
            *([nn.Hardswish()] if activates else []))


class Mobile(nn.Module):
    """EfficientViT's inverted block, of which the first two layers may have a bias in place of
    a norm. Without a factor each channel is by itself from the beginning."""

    def __init__(self, inputs, outputs, stride=1, factor=4, fewer_norms=False):
        super().__init__()
        wide = round(inputs * factor)
        plain = {"bias": fewer_norms, "norms": not fewer_norms}
        self.layers = nn.Sequential(
            *([Hard(inputs, wide, **plain)] if factor > 1 else []),
            Hard(wide, wide, 3, stride, wide, **plain), Hard(wide, outputs, activates=False))
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.layers(x) if self.adds else self.layers(x)


class LinearAttention(nn.Module):
    """EfficientViT's attention of several scales, without a softmax."""

    def __init__(self, channels, size=16, scale=5):
        super().__init__()
        self.size = size
        wide = 3 * channels
        self.project = nn.Conv2d(channels, wide, 1, bias=False)
        self.gather = nn.Sequential(
            nn.Conv2d(wide, wide, scale, padding=scale // 2, groups=wide, bias=False),
            nn.Conv2d(wide, wide, 1, groups=wide // size, bias=False))
        self.out = Hard(2 * channels, channels, activates=False)

    def attend(self, x):
        """The attention itself: queries, keys and values of all scales [batch, 6 * channels,
        rows, columns] to [batch, 2 * channels, rows, columns]."""
        batch, _, rows, columns = x.shape
        wide = x if x.dtype == torch.float64 else x.float()
        query, key, value = wide.reshape(batch, -1, 3 * self.size, rows * columns).chunk(3, 2)
        query, key = F.relu(query), F.relu(key)
        value = F.pad(value, (0, 0, 0, 1), value=1.0)
        y = torch.matmul(torch.matmul(value, key.transpose(-1, -2)), query).to(x.dtype)
        y = y[:, :, :-1] / (y[:, :, -1:] + 1e-5)
        return y.reshape(batch, -1, rows, columns)

    def forward(self, x):
        narrow = self.project(x)
        return x + self.out(self.attend(torch.cat((narrow, self.gather(narrow)), 1)))


class EfficientViT(nn.Module):
    """EfficientViT B1 (Cai et al. 2023): an image [1, 3, size, size] to [1, classes]."""

    def __init__(self, widths=(16, 32, 64, 128, 256), depths=(1, 2, 3, 3, 4), classes=1000):
        super().__init__()
        layers = [Hard(3, widths[0], 3, 2)]
        layers += [Mobile(widths[0], widths[0], factor=1) for _ in range(depths[0])]
        for stage, depth in enumerate(depths[1:], 1):
            inputs, outputs = widths[stage - 1:stage + 1]
            attends = stage > 2
            layers.append(Mobile(inputs, outputs, 2, fewer_norms=attends))
            for _ in range(depth if attends else depth - 1):
                layers += [*([LinearAttention(outputs)] if attends else []),
                           Mobile(outputs, outputs, fewer_norms=attends)]
        self.layers = nn.Sequential(*layers, Hard(widths[-1], 1536))
        self.head = nn.Sequential(nn.Linear(1536, 1600, bias=False), nn.LayerNorm(1600),
                                  nn.Hardswish(), nn.Linear(1600, classes))

    def forward(self, x):
        return self.head(torch.mean(self.layers(x), (2, 3)))


class SegFormerBlock(nn.Module):
    """Attention to keys and values of fewer pixels, and an MLP with a convolution in it, on
    rows of pixels [batch, rows * columns, channels]."""

    def __init__(self, channels, heads, shrinks, factor=4):
        super().__init__()
        self.heads, wide = heads, factor * channels
        self.norm, self.mlp_norm = (nn.LayerNorm(channels, eps=1e-6) for _ in range(2))
        self.query, self.out = (nn.Linear(channels, channels) for _ in range(2))
        self.keys = nn.Linear(channels, 2 * channels)
        self.shrink = nn.Conv2d(channels, channels, shrinks, shrinks) if shrinks > 1 else None
        self.shrink_norm = nn.LayerNorm(channels) if shrinks > 1 else None
        self.wide, self.narrow = nn.Linear(channels, wide), nn.Linear(wide, channels)
        self.mix = nn.Conv2d(wide, wide, 3, padding=1, groups=wide)

    def attend(self, x, rows, columns):
        batch, _, channels = x.shape

        def split(y):
            return y.view(batch, -1, self.heads, channels // self.heads).transpose(1, 2)
        few = x
        if self.shrink is not None:
            few = self.shrink(x.transpose(1, 2).reshape(batch, channels, rows, columns))
            few = self.shrink_norm(few.flatten(2).transpose(1, 2))
        key, value = self.keys(few).chunk(2, -1)
        y = F.scaled_dot_product_attention(split(self.query(x)), split(key), split(value))
        return self.out(y.transpose(1, 2).reshape(x.shape))

    def forward(self, x, rows, columns):
        x = x + self.attend(self.norm(x), rows, columns)
        y = self.wide(self.mlp_norm(x))
        y = self.mix(y.transpose(1, 2).reshape(y.shape[0], -1, rows, columns))
        return x + self.narrow(F.gelu(y.flatten(2).transpose(1, 2)))


class SegFormer(nn.Module):
    """SegFormer B0 (Xie et al. 2021): an image [1, 3, size, size] to the classes' scores of
    each fourth pixel of each fourth row."""

    # Of each stage: the channels, the heads, the patches' size and stride, and by how much
    # keys and values are fewer.
    STAGES = ((32, 1, 7, 4, 8), (64, 2, 3, 2, 4), (160, 5, 3, 2, 2), (256, 8, 3, 2, 1))

    def __init__(self, depth=2, hidden=256, classes=150):
        super().__init__()
        self.patches, self.norms, self.stages, self.ends, self.heads = (
            nn.ModuleList() for _ in range(5))
        before = 3
        for channels, heads, size, stride, shrinks in self.STAGES:
            self.patches.append(nn.Conv2d(before, channels, size, stride, size // 2))
            self.norms.append(nn.LayerNorm(channels))
            self.stages.append(nn.ModuleList(
                SegFormerBlock(channels, heads, shrinks) for _ in range(depth)))
            self.ends.append(nn.LayerNorm(channels))
            self.heads.append(nn.Linear(channels, hidden))
            before = channels
        self.fuse = Normed(4 * hidden, hidden, 1)
        self.classify = nn.Conv2d(hidden, classes, 1)

    def forward(self, x):
        results = []
        for patch, norm, blocks, end, head in zip(self.patches, self.norms, self.stages,
                                                  self.ends, self.heads):
            x = patch(x)
            batch, channels, rows, columns = x.shape
            x = norm(x.flatten(2).transpose(1, 2))
            for block in blocks:
                x = block(x, rows, columns)
            x = end(x)
            y = head(x).transpose(1, 2).reshape(batch, -1, rows, columns)
            results.append(y if not results else F.interpolate(
                y, results[0].shape[2:], mode="bilinear", align_corners=False))
            x = x.transpose(1, 2).reshape(batch, channels, rows, columns)
        return self.classify(self.fuse(torch.cat(results[::-1], 1)))

"""Models as they are deployed, written by hand in plain PyTorch with random weights.

`MODELS` has each by name: a constructor, and a function that makes the inputs. `CASES` has
parts of them. `make` gives a model or a part with its inputs. Folders of this package and of scripts/torch_checks must be
on the path.
"""

import functools
import math

import torch
from torch import nn

from . import cases, convolutional, detectors, transformers


class Numbers:
    """Random numbers for inputs. On the device "meta" only their shapes and types are
    there."""

    def __init__(self, dtype, device, seed=2):
        self.dtype, self.device = dtype, torch.device(device)
        self.generator = None
        if self.device.type != "meta":
            self.generator = torch.Generator(self.device).manual_seed(seed)

    def normal(self, *shape):
        return torch.randn(shape, device=self.device,
                           generator=self.generator).to(self.dtype)

    def integers(self, end, *shape):
        """Integers from 0 on that are less than `end`."""
        return torch.randint(end, shape, device=self.device, generator=self.generator)

    def rotary(self, begin, end, size, base=500000.0):
        """Cosines and sines of rotary embeddings of the positions from `begin` on."""
        angles = torch.outer(torch.arange(begin, end).double(),
                             base ** (-torch.arange(0, size, 2).double() / size))
        angles = torch.cat((angles, angles), -1)
        return [x.to(device=self.device, dtype=self.dtype)
                for x in (angles.cos(), angles.sin())]


def bert_inputs(numbers, words=30522, tokens=384):
    return [numbers.integers(words, 1, tokens), numbers.integers(2, 1, tokens)]


def image(numbers, size):
    return [numbers.normal(1, 3, size, size)]


def decoder_inputs(numbers, batch, tokens, hidden=4096, groups=8, size=128, cache=4096):
    """One token goes to the end of the cache, and several to its beginning."""
    begin = cache - 1 if tokens == 1 else 0
    places = torch.arange(begin, begin + tokens).to(numbers.device)
    return [numbers.normal(batch, tokens, hidden), *numbers.rotary(begin, begin + tokens, size),
            *(numbers.normal(batch, groups, cache, size) for _ in range(2)), places]


def _decoder(batch, tokens, **options):
    return (functools.partial(transformers.DecoderLayer, **options),
            functools.partial(decoder_inputs, batch=batch, tokens=tokens))


def normal(numbers, *shapes):
    return [numbers.normal(*shape) for shape in shapes]


MODELS = {
    "bert": (transformers.BertBase, bert_inputs),
    "vit": (transformers.VitBase, functools.partial(image, size=224)),
    "llama_decode_1": _decoder(1, 1),
    "llama_decode_16": _decoder(16, 1),
    "llama_prefill": _decoder(1, 1024),
    "mixtral": _decoder(16, 1, experts=8),
    "mobilenet": (convolutional.MobileNet, functools.partial(image, size=224)),
    "candy": (convolutional.Candy, functools.partial(image, size=224)),
    "efficientvit": (convolutional.EfficientViT, functools.partial(image, size=224)),
    "segformer": (convolutional.SegFormer, functools.partial(image, size=512)),
    "yolox": (detectors.YoloX, functools.partial(image, size=416)),
    "yolov4": (detectors.YoloV4, functools.partial(image, size=416)),
}

# Parts of models, in the same way.
CASES = {
    "efficientvit_attention": (
        cases.EfficientViTAttention, lambda n: normal(n, (1, 768, 128, 128))),
    "segformer_attention": (
        cases.SoftmaxAttention,
        lambda n: normal(n, (1, 1, 16384, 32), (1, 1, 256, 32), (1, 1, 256, 32))),
    "candy_norm": (cases.CandyNorm, lambda n: normal(n, (1, 128, 56, 56))),
    "segformer_norm_1": (
        cases.SegFormerNorm, lambda n: normal(n, (1, 16384, 32), (1, 16384, 32))),
    "segformer_norm_16": (
        cases.SegFormerNorm, lambda n: normal(n, (16, 16384, 32), (16, 16384, 32))),
}


def _fill(model, device):
    """Random weights that leave activations as large as they were."""
    generator = torch.Generator(device).manual_seed(1)
    for module in model.modules():
        for name, parameter in module.named_parameters(recurse=False):
            if isinstance(module, nn.Embedding):
                mean, deviation = 0, 1
            elif parameter.dim() == 1:
                mean, deviation = float(name != "bias"), 0.1
            else:
                # Rows of a product, or the filter of a channel; experts come before rows.
                terms = parameter.shape[-1] if parameter.dim() == 3 else \
                    parameter.numel() // parameter.shape[0]
                mean, deviation = 0, 1 / math.sqrt(terms)
            parameter.normal_(mean, deviation, generator=generator)
        for name, buffer in module.named_buffers(recurse=False):
            # What norms have learned of batches.
            if name == "running_mean":
                buffer.normal_(0, 0.1, generator=generator)
            elif name == "running_var":
                buffer.uniform_(0.5, 1.5, generator=generator)


@torch.no_grad()
def make(name, dtype, device):
    """A model and the list of its inputs. Numbers are the same in each call on devices of
    one type; on the device "meta" there are none. Integers stay integers."""
    constructor, inputs = (MODELS | CASES)[name]
    with torch.device("meta"):
        model = constructor().to(dtype).eval()
    if torch.device(device).type != "meta":
        model = model.to_empty(device=device)
        _fill(model, device)
    return model, inputs(Numbers(dtype, device))

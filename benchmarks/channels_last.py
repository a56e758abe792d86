"""Peers of networks of convolutions whose image and filters have their channels innermost, as
PyTorch's guide has it."""

LAST = "-channels-last"


def applies(way, model):
    """Whether a model is run in this way. One convolution, as before a transformer's blocks,
    is no network of them."""
    import torch

    convolutions = sum(isinstance(part, torch.nn.Conv2d) for part in model.modules())
    return not way.endswith(LAST) or convolutions > 1


def put_channels_last(model, inputs):
    """A copy of a model and of its inputs whose images and filters have channels innermost."""
    import copy

    import torch

    def put(x):
        return x.to(memory_format=torch.channels_last) if x.dim() == 4 else x.clone()

    return (copy.deepcopy(model).to(memory_format=torch.channels_last), [put(x) for x in inputs])

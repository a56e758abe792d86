"""Exports the programs of pytorch_models.py to MLIR through torch-mlir.

    python export_pytorch.py folder [--real] [--output-type=tosa] [name ...]

Weights become arguments of the function, so that files stay small.
"""

import argparse
import os
import sys
import warnings

import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch_mlir import fx

from header import write
from pytorch_models import programs

TOSA = ["llama-rmsnorm-linear", "gated-mlp", "gqa-prefill-mask-scale", "candy-block"]


class WeightsAsArguments(nn.Module):
    """forward(inputs..., weights...) of a module that stays out of sight."""

    def __init__(self, module, inputs):
        super().__init__()
        self.names = [name for name, _ in module.named_parameters()]
        self.inputs = inputs
        self.call = lambda weights, args: torch.func.functional_call(
            module, weights, args)

    def forward(self, *args):
        weights = dict(zip(self.names, args[self.inputs:]))
        return self.call(weights, args[:self.inputs])


def prepare(make, shapes, type):
    """A program with all its tensors as arguments, and such arguments."""
    module = make().to(type).eval()
    inputs = [torch.randn(shape, dtype=type) for shape in shapes]
    weights = [parameter.detach() for parameter in module.parameters()]
    return WeightsAsArguments(module, len(inputs)).eval(), (*inputs, *weights)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", help="programs, else those of the corpus")
    parser.add_argument("--real", action="store_true", help="sizes of real models")
    parser.add_argument("--output-type", default="linalg-on-tensors",
                        choices=["linalg-on-tensors", "tosa"])
    options = parser.parse_intermixed_args()
    tosa = options.output_type == "tosa"
    names = options.names or (TOSA if tosa else None)
    warnings.filterwarnings("ignore")
    for name, make, shapes, type in programs(options.real):
        if names and name not in names:
            continue
        module, arguments = prepare(make, shapes, type)
        with torch.no_grad(), sdpa_kernel(SDPBackend.MATH):
            text = str(fx.export_and_import(
                module, *arguments, output_type=options.output_type,
                func_name="main"))
        prefix = "tosa" if tosa else "torch"
        write(os.path.join(options.folder, f"{prefix}-{name}.mlir"), text,
              sys.argv, [], ["torch", "torch-mlir", "transformers"])


if __name__ == "__main__":
    main()

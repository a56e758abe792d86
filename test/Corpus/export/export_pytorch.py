"""Exports the programs of pytorch_models.py to MLIR through torch-mlir.

    python export_pytorch.py folder [--real] [--output-type=tosa] [name ...]

Weights become arguments of the function, so that files stay small.
"""

import argparse
import os
import sys
import warnings

import torch
import torch_mlir
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch_mlir import fx

from header import write
from pytorch_models import programs

# What torch-mlir has no lowering for, taken apart by PyTorch's own rules.
SDPA = [torch.ops.aten.scaled_dot_product_attention.default]


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


def export(module, shapes, type, output_type):
    module = module.to(type).eval()
    inputs = [torch.randn(shape, dtype=type) for shape in shapes]
    weights = [parameter.detach() for parameter in module.parameters()]
    wrapped = WeightsAsArguments(module, len(inputs)).eval()
    with torch.no_grad(), sdpa_kernel(SDPBackend.MATH):
        return str(fx.export_and_import(
            wrapped, *inputs, *weights, output_type=output_type, func_name="main"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", help="programs, all if none is named")
    parser.add_argument("--real", action="store_true", help="sizes of real models")
    parser.add_argument("--output-type", default="linalg-on-tensors")
    options = parser.parse_intermixed_args()
    warnings.filterwarnings("ignore")
    failed = 0
    for name, make, shapes, type in programs(options.real):
        if options.names and name not in options.names:
            continue
        try:
            text = export(make(), shapes, type, options.output_type)
        except Exception as error:
            print(f"{name}: {str(error)[:2000]}", file=sys.stderr)
            failed += 1
            continue
        prefix = "tosa" if options.output_type == "tosa" else "torch"
        write(os.path.join(options.folder, f"{prefix}-{name}.mlir"), text,
              sys.argv, [], ["torch", "torch-mlir", "transformers"])
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

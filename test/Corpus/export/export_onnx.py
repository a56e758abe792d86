"""Exports programs of pytorch_models.py to ONNX, and ONNX to MLIR.

    python export_onnx.py folder [--real] [name ...]

The second step is what a user of an ONNX file does; the first only makes
ONNX files whose weights are inputs.
"""

import argparse
import os
import sys
import tempfile
import warnings

import torch

from export_pytorch import prepare
from header import run_tool, write
from pytorch_models import programs

PASSES = ["--torch-onnx-to-torch-backend-pipeline",
          "--torch-backend-to-linalg-on-tensors-backend-pipeline"]
NAMES = ["rmsnorm-linear", "llama-rmsnorm-linear", "gated-mlp", "gqa-decode-scale",
         "gqa-prefill-mask-scale", "gqa-prefill-mask-scale-f16",
         "llama-decoder-layer", "bert-layer", "bert-layer-f16", "vit-block",
         "segformer-attention", "efficientvit-attention", "candy-block",
         "candy-block-reflect"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", default=NAMES,
                        help="programs, else those of the corpus")
    parser.add_argument("--real", action="store_true", help="sizes of real models")
    options = parser.parse_intermixed_args()
    warnings.filterwarnings("ignore")
    for name, make, shapes, type in programs(options.real):
        if name not in options.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            onnx = os.path.join(folder, "program.onnx")
            torch_mlir = os.path.join(folder, "program.mlir")
            module, arguments = prepare(make, shapes, type)
            torch.onnx.export(module, arguments, dynamo=True, verbose=False).save(onnx)
            run_tool("torch-mlir-import-onnx", [onnx, "-o", torch_mlir])
            text = run_tool("torch-mlir-opt", PASSES + [torch_mlir])
        write(os.path.join(options.folder, f"onnx-{name}.mlir"), text, sys.argv,
              ["torch-mlir-import-onnx program.onnx -o program.mlir",
               "torch-mlir-opt " + " ".join(PASSES)],
              ["torch", "onnx", "onnxscript", "torch-mlir", "transformers"])


if __name__ == "__main__":
    main()

"""Exports the programs of jax_models.py to MLIR through StableHLO.

    python export_jax.py folder [--real] [--route=iree] [name ...]

jax.export gives StableHLO. Two released tools lower it to linalg: torch-mlir's
carries StableHLO's own lowering, IREE's has another, with other spellings.
"""

import argparse
import os
import sys

import jax
import jax.numpy as jnp

from header import run_tool, write
from jax_models import programs

# Prefix of the files: tool, its passes, its package, programs of the corpus.
ROUTES = {
    "jax": ("torch-mlir-opt",
            ["--inline", "--stablehlo-legalize-to-linalg", "--canonicalize", "--cse"],
            "torch-mlir",
            ["rmsnorm-linear", "rmsnorm-linear-f16", "gated-mlp", "gated-mlp-f16",
             "gelu-mlp", "lora-linear", "gqa-decode", "gqa-decode-f16",
             "gqa-prefill-mask", "gqa-prefill-mask-f16", "library-decode",
             "library-decode-mask", "library-prefill", "library-prefill-mask",
             "library-causal", "qk-norm-attention", "qk-norm-attention-f16",
             "llama-decoder-layer", "vit-block", "efficientvit-attention",
             "candy-block"]),
    "iree": ("iree-opt",
             ["--iree-stablehlo-to-stablehlo-preprocessing",
              "--iree-stablehlo-to-iree-input", "--inline", "--canonicalize", "--cse"],
             "iree-base-compiler",
             ["rmsnorm-linear", "rmsnorm-linear-f16", "gated-mlp-f16", "gelu-mlp-f16",
              "lora-linear-f16", "mixtral-expert", "gqa-decode-mask",
              "gqa-decode-mask-f16", "gqa-prefill", "gqa-prefill-f16",
              "library-prefill-mask", "qk-norm-attention-f16", "llama-decoder-layer",
              "llama-decoder-layer-f16", "vit-block", "vit-block-f16",
              "segformer-attention", "efficientvit-attention"]),
}
TYPES = {"f32": jnp.float32, "f16": jnp.float16}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", help="programs, else those of the corpus")
    parser.add_argument("--real", action="store_true", help="sizes of real models")
    parser.add_argument("--route", choices=ROUTES, default="jax")
    options = parser.parse_intermixed_args()
    tool, passes, package, names = ROUTES[options.route]
    for base, function, shapes, types in programs(options.real):
        for type in types:
            name = base + ("" if type == "f32" else f"-{type}")
            if name not in (options.names or names):
                continue
            arguments = [jax.ShapeDtypeStruct(shape, TYPES[type]) for shape in shapes]
            # On a CPU, JAX refuses products of f16 that are summed in f32.
            exported = jax.export.export(jax.jit(function), platforms=["cuda"])(*arguments)
            text = run_tool(tool, passes, exported.mlir_module())
            write(os.path.join(options.folder, f"{options.route}-{name}.mlir"), text,
                  sys.argv, [" ".join([tool] + passes)], ["jax", package])


if __name__ == "__main__":
    main()

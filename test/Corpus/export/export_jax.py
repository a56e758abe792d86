"""Exports the programs of jax_models.py to MLIR through StableHLO.

    python export_jax.py folder [--real] [name ...]

jax.export gives StableHLO; torch-mlir's wheel carries a tool with StableHLO's
own lowering to linalg.
"""

import argparse
import os
import sys

import jax
import jax.numpy as jnp

from header import run_tool, write
from jax_models import programs

PASSES = ["--inline", "--stablehlo-legalize-to-linalg", "--canonicalize", "--cse"]
TYPES = {"f32": jnp.float32, "f16": jnp.float16}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", help="programs, all if none is named")
    parser.add_argument("--real", action="store_true", help="sizes of real models")
    options = parser.parse_intermixed_args()
    for base, function, shapes, types in programs(options.real):
        for type in types:
            name = base + ("" if type == "f32" else f"-{type}")
            if options.names and name not in options.names:
                continue
            arguments = [jax.ShapeDtypeStruct(shape, TYPES[type]) for shape in shapes]
            # On a CPU, JAX refuses products of f16 that are summed in f32.
            exported = jax.export.export(jax.jit(function), platforms=["cuda"])(*arguments)
            write(os.path.join(options.folder, f"jax-{name}.mlir"),
                  run_tool("torch-mlir-opt", PASSES, exported.mlir_module()),
                  sys.argv, ["torch-mlir-opt " + " ".join(PASSES)], ["jax", "torch-mlir"])


if __name__ == "__main__":
    main()

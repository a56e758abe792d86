#!/usr/bin/env python3
"""Times sizes that no tile divides beside the next ones that tiles divide.

    scripts/benchmark.sh odd_sizes make OUT      # without a GPU
    scripts/benchmark.sh odd_sizes run OUT       # with one, and PyTorch
    scripts/benchmark.sh odd_sizes report OUT

`make` writes products, products behind an RMS norm, and attention in f16, bf16 and f32 as
programs of kernel operators (OUT/programs), and takes them through --mirage-optimize and
--mirage-lower-to-nvvm. `run` times them as `deployed run` does, beside PyTorch's eager mode
alone, and compares them with float64. `report` prints what each size takes over the next one
that tiles divide: a multiple of 8 rows, which are columns of wgmma, or of 64, which are its
rows; heads of 128; 128 keys. The larger size computes more, so that a ratio above one is what
edges cost.
"""
import argparse
import glob
import json
import os
import sys

import deployed
from common import print_head, print_row
from turns import ROOT

sys.path.insert(0, os.path.join(ROOT, "scripts"))

from spellings.graph import Program, argument, cast, make, scale  # noqa: E402
from spellings.kernel_text import print_kernel  # noqa: E402

# Rows, and the next ones.
ROWS = ((1, 8), (3, 8), (17, 24), (100, 128), (1000, 1024))
# Elements of a head and keys, and the next ones.
HEADS = (((80, 4096), (128, 4096)), ((96, 4096), (128, 4096)), ((64, 4095), (64, 4096)),
         ((80, 4095), (128, 4096)), ((128, 4095), (128, 4096)))  # fmt: skip
TYPES = ("f16", "bf16", "f32")


def get_name(kind, size, element):
    return "_".join((kind, *map(str, size), element))


def write_product(kind, rows, element):
    """The product with a weight of 1,024 x 4,096, of x or of its norm."""
    x, w = argument(element, rows, 1024), argument(element, 1024, 4096)
    normalized = make("rms_norm", cast(x, "f32"), epsilon=1e-6) if kind == "norm" else x
    product = make("matmul", cast(normalized, element), w)
    return Program(get_name(kind, (rows,), element), [x, w], [cast(product, element)])


def write_attention(head, keys, element):
    """256 queries of each of 8 heads."""
    q, k, v = (argument(element, 8, size, head) for size in (256, keys, keys))
    scores = scale(make("matmul", q, k, transpose_rhs=True), head**-0.5)
    weights = make("softmax", scores, dim=2)
    result = make("matmul", cast(weights, element), v)
    return Program(get_name("attention", (head, keys), element), [q, k, v],
                   [cast(result, element)])  # fmt: skip


def get_pairs():
    """Pairs of an odd size's program and the next one's, as functions that write them."""
    for element in TYPES:
        for kind in ("product", "norm"):
            for sizes in ROWS:
                yield [(get_name(kind, (rows,), element),
                        lambda k=kind, r=rows, e=element: write_product(k, r, e))
                       for rows in sizes]  # fmt: skip
        for sizes in HEADS:
            yield [(get_name("attention", size, element),
                    lambda s=size, e=element: write_attention(*s, e)) for size in sizes]  # fmt: skip


def write(folder):
    os.makedirs(folder, exist_ok=True)
    paths = []
    for name, get in {name: get for pair in get_pairs() for name, get in pair}.items():
        paths.append(os.path.join(folder, f"{name}.mlir"))
        with open(paths[-1], "w") as file:
            file.write(print_kernel(get()))
    return paths


def report(out):
    with open(os.path.join(out, "times.json")) as file:
        times = json.load(file)
    print(f"{times['gpu']}, PyTorch {times['PyTorch']}\n")
    print_head("size", "Mirage, µs", "next size", "Mirage, µs", "ratio", "eager, µs",
               "error / eager's")  # fmt: skip
    ratios = []
    for (name, _), (other, _) in get_pairs():
        if name not in times or other not in times:
            continue
        row = times[name]
        took, next_took = (times[n]["times"]["mirage"] for n in (name, other))
        ratios.append(took / next_took)
        print_row(name, f"{took:.1f}", other, f"{next_took:.1f}", f"{ratios[-1]:.2f}",
                  f"{row['times']['eager']:.1f}",
                  f"{row['errors']['mirage']:.1e} / {row['errors']['eager']:.1e}")  # fmt: skip
    print(f"\n{len(ratios)} sizes, at most {max(ratios):.2f} of the next one's time")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("step", choices=("make", "run", "report"))
    parser.add_argument("out", metavar="OUT")
    options = parser.parse_args()
    if options.step == "make":
        return deployed.make(options.out, write(os.path.join(options.out, "programs")), None, "")
    if options.step == "report":
        return report(options.out)
    made = sorted(os.path.basename(os.path.dirname(path))
                  for path in glob.glob(os.path.join(options.out, "*", "program.json")))  # fmt: skip
    return deployed.run(options.out, made, 1, peers=("eager",)) > 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Times products of one tiling each, and holds the cost model against them.

    benchmarks/product_tiles.py make OUT        # without a GPU
    benchmarks/product_tiles.py run OUT         # with one: writes OUT/times.txt
    benchmarks/product_tiles.py report [TIMES]  # TIMES: OUT/times.txt, or those of one
                                                # NVIDIA H100 (product_tiles.txt)

A program is one launch of about 100 blocks, each of which computes so many rows and
columns of a product of f16, or of several with the same left operand, by iterations of
32, 64 or 128 contracted elements. Report prints, for each, what it took, what
--mirage-print-cost says, and the instruction by which it is computed, and the mean and
the spread of the ratio for each instruction.
"""
import argparse
import json
import math
import os
import re
import subprocess

from common import BIN

HERE = os.path.dirname(os.path.abspath(__file__))

# Rows and columns of a tile, contracted elements, whether the right operand is
# transposed, the grid, and where they are not 64 and 1 the contracted elements of an
# iteration and the number of products.
EVEN = [(rows, columns, 1024, True, 4, 32)
        for rows in (16, 32, 48, 64, 96, 128, 192)
        for columns in (8, 16, 24, 32, 48, 64, 96, 128) if rows * columns <= 128 * 96]  # fmt: skip
LONG = [(rows, columns, depth, False, 4, 32)
        for rows, columns in ((16, 32), (16, 64), (32, 64), (48, 48), (64, 64), (64, 32),
                              (96, 96), (128, 64), (64, 128), (128, 128), (96, 32), (32, 32))
        for depth in (4096, 1024)]  # fmt: skip
UNEVEN = [(rows, columns, 1024, True, *((1, 96) if rows > 100 else (4, 32)))
          for rows in (197, 100, 50, 77) for columns in (8, 12, 32, 36, 64)]  # fmt: skip
UNEVEN += [(rows, columns, 1024, columns != 20, 4, 32)
           for rows in (64, 128, 16) for columns in (12, 36, 20)]  # fmt: skip
STEPS = [(rows, columns, depth, True, x, y, step, products)
         for rows, columns, depth, x, y, products in (
             (96, 24, 768, 4, 32, 3), (128, 24, 768, 3, 32, 3), (64, 48, 768, 6, 16, 3),
             (96, 24, 768, 4, 32, 1), (128, 86, 4096, 1, 128, 2), (128, 64, 4096, 1, 172, 2),
             (64, 64, 11008, 2, 64, 1), (64, 64, 4096, 2, 64, 3), (128, 96, 4096, 1, 128, 1),
             (64, 96, 4096, 2, 64, 2))
         for step in (32, 64, 128)]  # fmt: skip
TILINGS = EVEN + LONG + UNEVEN + STEPS


def name_of(tiling):
    return "_".join(str(int(number)) for number in tiling)


def write(tiling):
    rows, columns, depth, transposed, x, y, *others = tiling
    step, products = others or (64, 1)
    m, n = rows * x, columns * y
    right = f"tensor<{n}x{depth}xf16>" if transposed else f"tensor<{depth}x{n}xf16>"
    tile = f"tensor<{columns}x{step}xf16>" if transposed else f"tensor<{step}x{columns}xf16>"
    imap, fmap = ("y -> 0", "%i -> 1") if transposed else ("y -> 1", "%i -> 0")
    sums, left = f"tensor<{rows}x{columns}xf32>", f"tensor<{rows}x{step}xf16>"
    stored, result = f"tensor<{rows}x{columns}xf16>", f"tensor<{m}x{n}xf16>"
    numbers = range(products)

    def listed(text):
        return ", ".join(text.format(i=i) for i in numbers)

    def types(one):
        return f"({', '.join([one] * products)})" if products > 1 else one

    def several(name):
        return f"%{name}:{products}" if products > 1 else f"%{name}"

    def part(name, i):
        return f"%{name}#{i}" if products > 1 else f"%{name}"

    body = [f"%w{i} = mirage_block.load %q{i} imap(x -> phi, {imap}) fmap({fmap}) : {right} to {tile}"
            for i in numbers]  # fmt: skip
    body += [f"%m{i} = mirage_block.matmul %v, %w{i}{' transpose_rhs' * transposed} : "
             f"({left}, {tile}) -> {sums}" for i in numbers]  # fmt: skip
    body += [f"%s{i} = mirage_block.accumulate sum %m{i} : ({sums}) -> {sums}" for i in numbers]
    behind = [f"%c{i} = mirage_block.cast {part('f', i)} : {sums} to {stored}" for i in numbers]
    behind += [f"%o{i} = mirage_block.store %c{i} omap(x -> 0, y -> 1) : {stored} to {result}"
               for i in numbers]  # fmt: skip
    lines = "\n      ".join(body), "\n    ".join(behind)
    return f"""module attributes {{mirage.target = #mirage.target<sm_90a>}} {{
func.func @f(%a: tensor<{m}x{depth}xf16>, {listed('%b{i}: ' + right)}) -> {types(result)} {{
  {several('r')} = mirage_kernel.launch grid(x = {x}, y = {y}) (%p = %a : tensor<{m}x{depth}xf16>, {listed('%q{i} = %b{i} : ' + right)}) -> {types(result)} {{
    {several('f')} = mirage_block.for %i = 0 to {depth // step} -> {types(sums)} {{
      %v = mirage_block.load %p imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<{m}x{depth}xf16> to {left}
      {lines[0]}
      mirage_block.yield {listed('%s{i}')} : {', '.join([sums] * products)}
    }}
    {lines[1]}
    mirage_block.yield {listed('%o{i}')} : {', '.join([result] * products)}
  }}
  return {', '.join(part('r', i) for i in numbers)} : {', '.join([result] * products)}
}}
}}
"""


def make(out):
    for tiling in TILINGS:
        folder = os.path.join(out, name_of(tiling))
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "program.mlir")
        with open(path, "w") as file:
            file.write(write(tiling))
        lowered = subprocess.run([f"{BIN}/mirage-opt", path, "--mirage-lower-to-nvvm"],
                                 capture_output=True, text=True, check=True)  # fmt: skip
        subprocess.run([f"{BIN}/mirage-translate", "--mirage-to-ptx", "-o", f"{folder}/kernels"],
                       input=lowered.stdout, text=True, check=True)  # fmt: skip


def run(out, mirage_run):
    with open(os.path.join(out, "times.txt"), "w") as file:
        for tiling in TILINGS:
            name = name_of(tiling)
            ran = subprocess.run(
                [mirage_run, "--device=cuda", "--entry=f", f"--kernels={out}/{name}/kernels",
                 "--time"], capture_output=True, text=True, check=True)  # fmt: skip
            print(name, re.search(r"median_us=([0-9.]+)", ran.stdout)[1], file=file, flush=True)


def ask(text, *passes):
    return subprocess.run([f"{BIN}/mirage-opt", *passes, "-o", os.devnull], input=text,
                          capture_output=True, text=True, check=True).stdout  # fmt: skip


def report(times):
    measured = {}
    with open(times) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, microseconds = line.split()
                measured[name] = float(microseconds)
    ratios = {}
    for tiling in TILINGS:
        name = name_of(tiling)
        if name not in measured:
            continue
        text = write(tiling)
        model = json.loads(ask(text, "--mirage-print-cost=json"))[0]["microseconds"]
        is_wgmma = "wgmma = true" in ask(text, "--mirage-print-schedule")
        instruction = "wgmma" if is_wgmma else "mma.sync"
        ratio = measured[name] / model
        ratios.setdefault(instruction, []).append(math.log(ratio))
        print(f"{name:24} {instruction:8} {measured[name]:7.2f} us, model {model:7.2f}, "
              f"ratio {ratio:.2f}")
    for instruction, logs in sorted(ratios.items()):
        mean = sum(logs) / len(logs)
        spread = math.sqrt(sum((log - mean) ** 2 for log in logs) / len(logs))
        print(f"{instruction}: {len(logs)} tilings, mean ratio {math.exp(mean):.2f}, "
              f"standard deviation of its logarithm {spread:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("step", choices=("make", "run", "report"))
    parser.add_argument("out", nargs="?", metavar="OUT")
    parser.add_argument("--mirage-run", default=f"{BIN}/mirage-run")
    options = parser.parse_args()
    if options.step == "report":
        report(options.out or os.path.join(HERE, "product_tiles.txt"))
        return
    if not options.out:
        parser.error(f"{options.step} needs a folder")
    if options.step == "make":
        make(options.out)
    else:
        run(options.out, options.mirage_run)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times single convolutions beside PyTorch's.

    scripts/benchmark.sh convolutions make OUT [--only A,B]    # without a GPU
    scripts/benchmark.sh convolutions run OUT [--only A,B]     # with one, and PyTorch

Convolutions are those of networks for images, in f16 with channels innermost. PyTorch runs
them with channels_last and cudnn.benchmark. Both are captured in CUDA graphs that rotate
over copies of their inputs, more than the L2 cache holds, and replayed in turns 15 times;
times are medians in microseconds. `run` compares each element with float64, within the
bound of a sum in f32 that is rounded once, and prints the largest part of it that an error
has. OUT holds a folder with PTX and a manifest for each convolution.
"""
import argparse
import os
import statistics
import subprocess
import sys

from common import BIN, print_head, print_row, split

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Images, rows, columns, channels and output channels, the filter's size, its stride, the
# padding, groups, and whether a bias and a rectifier follow.
CONVOLUTIONS = {
    "resnet_56": (1, 56, 56, 64, 64, 3, 1, 1, 1, False),
    "resnet_56_relu": (1, 56, 56, 64, 64, 3, 1, 1, 1, True),
    "resnet_28_bs8": (8, 28, 28, 128, 128, 3, 1, 1, 1, False),
    "resnet_14": (1, 14, 14, 256, 256, 3, 1, 1, 1, False),
    "resnet_7": (1, 7, 7, 512, 512, 3, 1, 1, 1, False),
    "yolo_104": (1, 104, 104, 128, 128, 3, 1, 1, 1, False),
    "candy_2": (1, 258, 258, 32, 64, 3, 2, 0, 1, False),
    "candy_3": (1, 130, 130, 64, 128, 3, 2, 0, 1, False),
    "candy_block": (1, 66, 66, 128, 128, 3, 1, 0, 1, False),
    "candy_last": (1, 264, 264, 32, 3, 9, 1, 0, 1, False),
    "pointwise_28": (1, 28, 28, 256, 512, 1, 1, 0, 1, False),
    "pointwise_14": (1, 14, 14, 384, 64, 1, 1, 0, 1, False),
    "depthwise_112": (1, 112, 112, 96, 96, 3, 1, 1, 96, False),
    "depthwise_112_by_2": (1, 112, 112, 64, 64, 3, 2, 1, 64, False),
    "depthwise_28_of_5": (1, 28, 28, 240, 240, 5, 1, 2, 240, False),
}
TURNS, ROTATED = 15, 120 << 20


def write(name):
    images, rows, columns, channels, outputs, size, step, padding, groups, ends = \
        CONVOLUTIONS[name]
    results = [(length + 2 * padding - size) // step + 1 for length in (rows, columns)]

    def tensor(*shape, kind="f16"):
        return f"tensor<{'x'.join(map(str, shape))}x{kind}>"

    image = tensor(images, rows, columns, channels)
    weights, bias = tensor(size, size, channels // groups, outputs), (1, 1, 1, outputs)
    shape = (images, *results, outputs)
    result, sums = tensor(*shape), tensor(*shape, kind="f32")
    text = (f"func.func @main(%x: {image}, %w: {weights}"
            + (f", %b: {tensor(*bias)}" if ends else "") + f") -> {result} {{\n"
            f"  %0 = mirage_kernel.conv2d nhwc %x, %w strides [{step}, {step}] padding "
            f"{[padding] * 4} dilations [1, 1] groups({groups})"
            f" : ({image}, {weights}) -> {sums if ends else result}\n")
    if ends:
        wide = tensor(*bias, kind="f32")
        text += (f"  %1 = mirage_kernel.cast %b : {tensor(*bias)} to {wide}\n"
                 f"  %2 = mirage_kernel.add %0, %1 : ({sums}, {wide}) -> {sums}\n"
                 f"  %3 = mirage_kernel.relu %2 : ({sums}) -> {sums}\n"
                 f"  %4 = mirage_kernel.cast %3 : {sums} to {result}\n")
    return text + f"  return %{4 if ends else 0} : {result}\n}}\n"


def make(out, names):
    for name in names:
        folder = os.path.join(out, name)
        os.makedirs(folder, exist_ok=True)
        lowered = subprocess.run([os.path.join(BIN, "mirage-opt"), "--mirage-lower-to-nvvm"],
                                 input=write(name), capture_output=True, text=True, check=True)
        subprocess.run([os.path.join(BIN, "mirage-translate"), "--mirage-to-ptx", "-o", folder],
                       input=lowered.stdout, text=True, check=True)


def load(folder):
    import torch

    from mirage import driver, launcher, manifest, program

    def read(file):
        with open(os.path.join(folder, file)) as opened:
            return opened.read()

    target, function = manifest.parse(read("manifest.json"))
    return launcher.Launcher(program.Program(folder, target, function, read("kernels.ptx"), []),
                             torch.device("cuda"), driver.cuda())


def of_torch(name, exact=False):
    """What takes inputs as Mirage does, transposed without a copy, to PyTorch's result; and
    what prepares the inputs."""
    import torch
    import torch.nn.functional as F

    step, padding, groups, ends = CONVOLUTIONS[name][6:]

    def prepare(x, w, *bias):
        w = w.permute(3, 2, 0, 1)
        return (x.permute(0, 3, 1, 2),
                w if exact else w.contiguous(memory_format=torch.channels_last),
                *(b.reshape(-1) for b in bias))

    def call(x, w, *bias):
        result = F.conv2d(x, w, bias[0] if bias else None, step, padding, groups=groups)
        return F.relu_(result) if ends else result

    return call, prepare


def get_part(name, inputs, result):
    """The largest part that an error has of the bound: of a sum in f32 of so many terms, of
    which each product is exact, and of the rounding to f16."""
    import torch

    call, prepare = of_torch(name, exact=True)
    wide = [x.double() for x in inputs]
    exact = call(*prepare(*wide)).permute(0, 2, 3, 1)
    sizes = call(*prepare(*(x.abs() for x in wide))).permute(0, 2, 3, 1)
    terms = inputs[1][..., 0].numel() + len(inputs)
    error = sizes * terms * 2.0**-23
    bound = error + (exact.abs() + error) * 2.0**-11 + 2.0**-25
    part = (result.double() - exact).abs() / bound
    return torch.where(part.isnan(), torch.inf, part).max().item()


def capture(call, sets):
    import torch

    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for inputs in sets[:2]:
            call(*inputs)
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        results = [call(*inputs) for inputs in sets]
    return graph, results


def run(out, names):
    import torch

    sys.path.insert(0, os.path.join(ROOT, "python"))
    torch.backends.cudnn.benchmark = True
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__, "cuDNN",
          torch.backends.cudnn.version())
    print_head("convolution", "PyTorch", "Mirage", "error / bound")
    wrong = 0
    for name in names:
        launch = load(os.path.join(out, name))
        size = sum(torch.Size(b.shape).numel() * 2 for b in launch.inputs)
        sets = []
        for seed in range(max(2, min(24, ROTATED // size + 1))):
            torch.manual_seed(seed)
            sets.append([torch.randn(b.shape, device="cuda").half() for b in launch.inputs])
        part = get_part(name, sets[0], launch(*sets[0])[0])
        wrong += part > 1
        call, prepare = of_torch(name)
        # A graph reads what it was captured with, which has to stay.
        prepared = [prepare(*inputs) for inputs in sets]
        graphs = [capture(call, prepared), capture(launch, sets)]
        times = [[] for _ in graphs]
        for _ in range(TURNS):
            for (graph, _), found in zip(graphs, times):
                begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                begin.record()
                graph.replay()
                end.record()
                end.synchronize()
                found.append(begin.elapsed_time(end) * 1e3 / len(sets))
        print_row(name, *(f"{statistics.median(found):.2f}" for found in times),
                  f"{part:.2f}" + (" WRONG" if part > 1 else ""))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("step", choices=("make", "run"))
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--only", help="names, with commas")
    options = parser.parse_args()
    names = split(options.only, CONVOLUTIONS, "convolution") if options.only \
        else list(CONVOLUTIONS)
    if options.step == "make":
        return make(options.out, names)
    return run(options.out, names) > 0


if __name__ == "__main__":
    sys.exit(main())

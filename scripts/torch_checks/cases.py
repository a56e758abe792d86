#!/usr/bin/env python3
"""The checks of scripts/check-torch.py, in a Python that has PyTorch and the wheel."""

import argparse
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time

import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
import mirage
from mirage import activations, mutations, report, simulation
from torch_checks import layers, stored_orders, tool_failures
from torch_checks.derived import SAME, Wrong, count_copies, every_call, expect
from torch_checks.streams import check_streams  # noqa: F401
from torch_checks.timing import check_timed_calls  # noqa: F401

SIMULATION = {"device": "simulation", "replace": "all", "strict": True}


def lora(x, w, a, b):
    return F.linear(x, w) + F.linear(F.linear(x, a), b)


def random(*shapes, dtype=torch.float16, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return [(torch.randn(shape, generator=generator) / 4).to(dtype) for shape in shapes]


def lora_inputs(dtype=torch.float16):
    return random((16, 128), (64, 128), (16, 128), (64, 16), dtype=dtype)


def attention_inputs(dtype=torch.float16):
    return random(*[(1, 2, 32, 16)] * 3, dtype=dtype)


def mlp(dtype=torch.float16):
    torch.manual_seed(2)
    return layers.GatedMLP(64, 96).to(dtype)


def compile_anew(function, dynamic=False, **options):
    """The function by the backend, which forgot what it compiled before."""
    torch._dynamo.reset()
    return torch.compile(function, backend="mirage", dynamic=dynamic,
                         options={**SIMULATION, **options})


def run(function, inputs, **keywords):
    """Runs with each subgraph checked. Gives the results, the reports, and the largest
    part of a bound that was used; raises Wrong where no subgraph was run."""
    start = len(report.graphs)
    with every_call() as parts:
        results = compile_anew(function, **keywords)(*inputs)
    if not parts:
        raise Wrong("no kernels ran: " + "; ".join(map(str, report.graphs[start:])))
    return results, report.graphs[start:], max(parts)


def same_in_float64(function, inputs, **keywords):
    """Checks that pieces are put together right, where rounding hides nothing."""
    inputs = [x.double() if x.is_floating_point() else x for x in inputs]
    got, expected = compile_anew(function, **keywords)(*inputs), function(*inputs)
    difference = (got - expected).abs().max() / expected.abs().max()
    if not difference <= SAME:
        raise Wrong(f"in float64 it differs by {difference:.1e}")


def count(graphs):
    """How many subgraphs were replaced, and by how many kernels."""
    parts = [part for graph in graphs for part in graph.subgraphs if part.replaced]
    return len(parts), sum(len(part.program.function.kernels) for part in parts)


def check_types(function, make, what):
    lines = []
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        with torch.no_grad():
            model, inputs = make(dtype)
            _, graphs, part = run(model or function, inputs)
        parts, kernels = count(graphs)
        expect(parts == 1 and not graphs[0].left, f"{what} is not one subgraph: {graphs[0]}")
        lines.append(f"{str(dtype).removeprefix('torch.')}: {kernels} kernel(s), "
                     f"{part:.2f} of the bound")
    return "; ".join(lines)


def check_lora():
    return check_types(lora, lambda t: (None, lora_inputs(t)), "LoRA")


def check_attention():
    def causal(q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)

    def grouped(q, k, v):
        return F.scaled_dot_product_attention(q, k[:, :1], v[:, :1], is_causal=True,
                                              enable_gqa=True)
    with torch.no_grad():
        same_in_float64(causal, attention_inputs())
        same_in_float64(grouped, attention_inputs())
    return check_types(F.scaled_dot_product_attention,
                       lambda t: (None, attention_inputs(t)), "attention")


def check_mlp():
    return check_types(None, lambda t: (mlp(t), random((16, 64), dtype=t)), "the gated MLP")


def convolutions(dtype=torch.float16):
    """A convolution, the norm behind it by what was learned of batches, one that filters
    each channel by itself, and one of a single element; and an image."""
    torch.manual_seed(4)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(16, 32, 3, 2, 1, bias=False), torch.nn.BatchNorm2d(32),
        torch.nn.ReLU6(), torch.nn.Conv2d(32, 32, 3, padding=1, groups=32),
        torch.nn.Conv2d(32, 8, 1)).to(dtype).eval()
    return model, random((1, 16, 12, 20), dtype=dtype)


def check_convolutions():
    return check_types(None, convolutions, "convolutions with a norm")


def check_images():
    """Reflections, norms of each image, groups of channels, and both ways to upsample; sizes
    that whole factors do not make are PyTorch's."""
    torch.manual_seed(5)
    nn = torch.nn
    model = nn.Sequential(
        nn.ReflectionPad2d((1, 1, 2, 1)), nn.Conv2d(8, 16, 3, 2),
        nn.InstanceNorm2d(16, affine=True), nn.ReLU(), nn.Conv2d(16, 16, 1, groups=4),
        nn.Upsample(scale_factor=2), nn.ReflectionPad2d(1), nn.Conv2d(16, 8, 3),
        nn.Upsample(scale_factor=(2, 3), mode="bilinear")).half().eval()
    with torch.no_grad():
        _, graphs, part = run(model, random((1, 8, 9, 13)), search="kernels=1 effort=10")
        parts, kernels = count(graphs)
        expect(parts == 1 and not graphs[0].left, f"it is not one subgraph: {graphs[0]}")
        x, = random((1, 2, 4, 6), dtype=torch.float64)
        for mode, size, scale in (("nearest", (8, 18), None), ("bilinear", (8, 18), None),
                                  ("nearest", None, (2, 3)), ("bilinear", None, 2),
                                  ("bilinear", (5, 6), None), ("nearest", None, 1.5)):
            def resize(y):
                return F.interpolate(torch.exp(y), size, scale, mode)
            got, expected = compile_anew(resize)(x), resize(x)
            expect((got - expected).abs().max() <= SAME * expected.abs().max(),
                   f"{mode} to {size or scale} differs")
    return f"{kernels} kernels, {part:.2f} of the bound"


def check_pooling():
    """Maxima and means of windows, which overlap, begin outside of the image, or end there."""
    nn = torch.nn
    model = nn.Sequential(
        nn.Conv2d(8, 16, 3, padding=1), nn.MaxPool2d(3, 2, 1), nn.SiLU(), nn.MaxPool2d(5, 1, 2),
        nn.Conv2d(16, 16, 1), nn.MaxPool2d(2, 2, ceil_mode=True), nn.AvgPool2d(2))
    torch.manual_seed(6)
    model = model.half().eval()
    with torch.no_grad():
        _, graphs, part = run(model, random((1, 8, 18, 26)), search="kernels=1 effort=1 pieces=false")
        parts, kernels = count(graphs)
        expect(parts == 1 and not graphs[0].left, f"it is not one subgraph: {graphs[0]}")
        same_in_float64(model.double(), random((1, 8, 18, 26)), search="kernels=1 effort=1 pieces=false")
    return f"{kernels} kernels, {part:.2f} of the bound"


def check_activations():
    """Functions that importers take apart: of numbers whose exponentials overflow, too."""
    model = torch.nn.Sequential(torch.nn.Linear(32, 48), torch.nn.Mish())
    torch.manual_seed(8)
    model = model.half().eval()
    x = 40 * random((16, 32))[0]
    with torch.no_grad():
        _, graphs, part = run(model, (x,))
        parts, kernels = count(graphs)
        expect(parts == 1 and not graphs[0].left, f"it is not one subgraph: {graphs[0]}")
        same_in_float64(model.double(), (x,))
    numbers = torch.cat((torch.linspace(-40, 800, 2000), torch.linspace(-1e-3, 1e-3, 99)))
    for kind, bound in ((torch.float32, 2**-20), (torch.float64, 1e-14)):
        given = numbers.to(kind)
        got, exact = activations.mish(given), torch.nn.functional.mish(given.double())
        error = ((got - exact).abs() / exact.abs().clamp(min=1e-30)).max()
        expect(error <= bound, f"{kind} differs by {error}")
    return f"{kernels} kernels, {part:.2f} of the bound"


def check_strides():
    """What is stored in another order of dimensions is read as it is stored."""
    return stored_orders.check(compile_anew, convolutions)


def check_last_views():
    """Views that reorder a result stay PyTorch's; the program gives what they view."""
    norm = torch.nn.LayerNorm(16).half()
    with torch.no_grad():
        x, y = random((2, 24, 16), (2, 24, 16))
        function = lambda x, y: norm(x + y).transpose(1, 2).reshape(2, 16, 4, 6)  # noqa: E731
        got, graphs, part = run(function, (x, y))
    expect([b.shape for b in graphs[0].subgraphs[0].program.function.of_role("output")]
           == [(2, 24, 16)] and got.stride() == function(x, y).stride(), "elements were moved")
    return f"a transpose and a reshape, {part:.2f} of the bound"


def check_load():
    """What depends on weights alone is computed in the first call, and again when a weight
    has changed, in place or by another tensor in its place."""
    library = simulation.stand_in().library

    def launch(compiled, *inputs):
        before = library.launched
        result = compiled(*inputs)
        return result, library.launched - before
    with torch.no_grad():
        model, (x,) = convolutions()
        compiled = compile_anew(model)
        first, loading = launch(compiled, x)
        expect("when parameters have changed" in str(report.graphs[-1]), "nothing is said of it")
        again, calling = launch(compiled, x)
        expect(calling < loading and torch.equal(first, again), "nothing is loaded")
        model[0].weight.mul_(-1)
        changed, kernels = launch(compiled, x)
        expect(kernels == loading, "a weight that changed is not loaded")
        model[0].weight.data = -model[0].weight.data
        back, kernels = launch(compiled, x)
        expect(kernels == loading, "a weight in the place of another is not loaded")
        expect(torch.equal(first, back) and not torch.equal(first, changed),
               "results do not follow the weights")
        _, every = launch(compile_anew(model, load=False), x)
        expect(every > calling, "the option load=False loads")
        # Filters that are contiguous in no order are copied while loading only.
        compiled, filters = compile_anew(model), model[0].weight.data
        model[0].weight.data = torch.stack([filters, filters], -1)[..., 0]
        expect(torch.equal(compiled(x), back), "filters between others are misread")
        copies = [count_copies(compiled, x)]
        model[0].weight.mul_(1)
        copies.append(count_copies(compiled, x))
        expect(copies == [0, 1], f"{copies} copies of the filters")
        # Operators do not count changes of inference tensors.
        with torch.inference_mode():
            untracked, (x,) = convolutions()
            compiled = compile_anew(untracked)
            expect(launch(compiled, x)[1] == launch(compiled, x)[1] == loading,
                   "inference tensors are taken for constant")
    # In training, weights change in each step.
    model, (x,) = convolutions(torch.float32)
    compiled = compile_anew(model)
    expect(launch(compiled, x)[1] == launch(compiled, x)[1], "training loads")
    return f"{calling} kernels, {loading - calling} more when weights change"


def check_training():
    """Gradients, each backward subgraph checked as well; and in float64 all of it."""
    model, (x,) = mlp(torch.float32), random((16, 64), dtype=torch.float32)
    start = len(report.graphs)
    with every_call() as parts:
        compile_anew(model)(x).pow(2).sum().backward()
    kinds = [graph.kind for graph in report.graphs[start:]]
    expect(kinds == ["forward", "backward"], f"graphs {kinds}")
    expect(all(any(p.replaced for p in g.subgraphs) for g in report.graphs[start:]),
           "a graph has no kernels")

    def gradients(function, owner, value):
        owner.zero_grad()
        function(value).pow(2).sum().backward()
        return [parameter.grad.clone() for parameter in owner.parameters()]
    double = mlp(torch.float64)
    pairs = zip(gradients(compile_anew(double), double, x.double()),
                gradients(double, double, x.double()))
    expect(all((a - b).abs().max() <= SAME * b.abs().max() for a, b in pairs),
           "gradients differ in float64")
    # A step with an optimizer goes through the same kernels.
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    compiled = compile_anew(model)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = (compiled(x) - 1).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    expect(losses[0] > losses[1] > losses[2], f"the loss does not fall: {losses}")
    return f"forward and backward, {max(parts):.2f} of the bound; the loss falls"


def check_attention_training():
    """The backward of attention, which PyTorch would choose by the device."""
    inputs = [x.double().requires_grad_() for x in attention_inputs(torch.float64)]
    start = len(report.graphs)
    result = compile_anew(F.scaled_dot_product_attention)(*inputs)
    weights, = random(result.shape, dtype=torch.float64, seed=3)
    (result * weights).sum().backward()
    own = [x.grad.clone() for x in inputs]
    for x in inputs:
        x.grad = None
    (F.scaled_dot_product_attention(*inputs) * weights).sum().backward()
    expect(all((a - x.grad).abs().max() <= SAME * x.grad.abs().max()
               for a, x in zip(own, inputs)), "gradients differ in float64")
    parts, kernels = count(report.graphs[start:])
    expect(parts == 2, "forward and backward are not a subgraph each")
    return f"gradients right in {kernels} kernels"


def check_cache():
    """A cache of keys and values that each call changes: only what is written moves. A
    query with more heads than the cache shares these, and where what the cache held
    before is read as well, it is copied as PyTorch does."""
    def step(query, x, w, keys, values, place):
        keys.index_copy_(2, place, x @ w)
        values[:, :, -1:] = x
        return F.scaled_dot_product_attention(query, keys, values, enable_gqa=True)

    def shift(query, x, w, keys, values, place):
        before = values.sum(2, keepdim=True)
        values[:, :, -1:] = x
        return torch.exp(values.sum(2, keepdim=True) - before) @ w

    tensors = random((1, 4, 1, 16), (1, 2, 1, 16), (16, 16), *[(1, 2, 32, 16)] * 2)
    inputs = [*tensors, torch.tensor([31])]
    lines = []
    for function, in_place in ((step, True), (shift, False)):
        with torch.no_grad():
            _, graphs, part = run(function, [x.clone() for x in inputs])
            own, eager = ([x.double() if x.is_floating_point() else x for x in inputs]
                          for _ in range(2))
            start = len(report.graphs)
            pairs = [(compile_anew(function)(*own), function(*eager)), *zip(own, eager)]
        expect(count(report.graphs[start:])[0] > 0, "nothing is replaced in float64")
        for value, expected in pairs:
            expect((value - expected).abs().max() <= SAME * expected.abs().max(),
                   f"{function.__name__} differs in float64")
        left = [name for names in graphs[0].left.values() for name in names]
        expect(("aten.copy_.default" in left) != in_place, f"left to PyTorch: {left}")
        lines.append(f"{function.__name__}: {part:.2f} of the bound")
    return "; ".join(lines)


def check_written_rows():
    """Rows that are written by indices, whatever their width, order and place in memory:
    those that are whole elements of 16 bytes are moved as such."""
    count = 0
    for dtype in (torch.float16, torch.float32, torch.float64):
        for shape, dim in (((1, 2, 32, 16), 2), ((4, 8), 0), ((4, 8), 1), ((2, 3, 8), -2),
                           ((2, 3, 8), -1), ((6, 7), 0), ((5,), 0)):
            whole, = random((*shape[:-1], shape[-1] + 8))
            index = torch.tensor([shape[dim] - 1, 0])
            source, = random([2 if i == dim % len(shape) else size
                              for i, size in enumerate(shape)], seed=5)
            source = source.to(dtype)
            for first in (0, 1, 8):
                # Of whole rows, and of parts that begin anywhere.
                own = whole.to(dtype)[..., first:first + shape[-1]]
                expected = own.index_copy(dim, index, source)
                written = mutations._index_copy(own, dim, index, source)
                expect(written is own and torch.equal(own, expected),
                       f"{list(shape)} of {dtype}, dimension {dim}, from {first} on")
                count += 1
    return f"{count} tensors"


def check_layers():
    """A LLaMA, a BERT and a ViT layer at small sizes. Bounds for each element hold, but
    are large after so many operators. So errors may also be no more than twice those of
    eager mode, which rounds as often."""
    lines = []
    for name, model, shape in (
            ("llama", lambda: layers.Llama(32, 2, 48, 16), (1, 16, 32)),
            ("bert", lambda: layers.Bert(32, 2, 64), (1, 16, 32)),
            ("vit", lambda: layers.Vit(32, 2, 64), (1, 17, 32))):
        torch.manual_seed(3)
        model = model().eval()
        inputs = random(shape)
        with torch.no_grad():
            exact = model.half().double()(inputs[0].double())
            model = model.half()
            result, graphs, part = run(model, inputs)
            own, eager = ((y.double() - exact).norm() / exact.norm()
                          for y in (result, model(*inputs)))
        expect(own <= 2 * eager, f"{name} has an error of {own:.1e}, eager's is {eager:.1e}")
        parts, kernels = count(graphs)
        lines.append(f"{name}: {kernels} kernels in {parts} subgraph(s), "
                     f"{own / eager:.2f} of eager's error")
    return "; ".join(lines)


def check_graph_break():
    def broken(x, w):
        y = torch.relu(x @ w)
        print("between")
        return torch.softmax(y, -1)
    inputs = random((16, 64), (64, 32))
    with torch.no_grad(), contextlib.redirect_stdout(io.StringIO()):
        _, graphs, part = run(broken, inputs)
        same_in_float64(broken, inputs)
    expect(count(graphs)[0] == 2, "there are not two graphs with kernels")
    return f"two graphs, {part:.2f} of the bound"


def check_dynamic():
    """A size that is not known when PyTorch traces: each one is compiled."""
    model = mlp()
    start = len(report.graphs)
    with torch.no_grad(), every_call() as parts:
        compiled = compile_anew(model, dynamic=True, shapes=2)
        for rows in (16, 32, 16, 48):
            x, = random((rows, 64))
            result = compiled(x)
            expect(result.shape == (rows, 64), f"a result of shape {result.shape}")
    graphs = report.graphs[start:]
    expect([count([g])[0] for g in graphs] == [1, 1], "not one program for each of two sizes")
    expect(len(parts) == 3, "the option shapes does not bound what is compiled")
    return f"two sizes compiled, the third left to PyTorch; {max(parts):.2f} of the bound"


def check_fallback():
    """Operators that Mirage has no kernels for, with reasons; the rest is replaced."""
    def function(x, i, w):
        y = F.embedding(i, x) @ w
        return torch.cumsum(torch.softmax(y, -1), 0) @ w + torch.rand(())
    x, w = random((16, 64), (64, 64))
    inputs = [x, torch.arange(8), w]
    with torch.no_grad():
        _, graphs, part = run(function, inputs)
    reasons = {name: reason for reason, names in graphs[0].left.items() for name in names}
    for name, reason in (("aten.embedding.default", "elements of int64"),
                         ("aten.rand.default", "it is random"),
                         ("aten.cumsum.default", "tm_tensor")):
        expect(reason in reasons.get(name, ""), f"{name} is left since {reasons.get(name)}")
    expect(count(graphs)[0] == 2, f"not two subgraphs: {graphs[0]}")
    # On a CPU without the stand-in nothing is done, and that is said.
    start = len(report.graphs)
    result = compile_anew(lora, device="auto")(*lora_inputs())
    expect(torch.equal(result, lora(*lora_inputs())), "a fallback has other bits")
    expect("on cpu" in (report.graphs[start].reason or ""), "no reason for tensors on the CPU")
    # A program that is not faster stays, with what the search says.
    start = len(report.graphs)
    x, = random((16, 16))
    compile_anew(torch.sin, replace="found")(x)
    subgraphs = report.graphs[start].subgraphs
    left = [part.reason for part in subgraphs] + list(report.graphs[start].left)
    expect(left and all(left), "no reason for what stays")
    return f"four reasons, {part:.2f} of the bound; sin: {left[0][:60]}"


def check_launch_failure():
    """A launch that the driver refuses is PyTorch's from then on."""
    compiled = compile_anew(lora)
    inputs = lora_inputs()
    start = len(report.graphs)
    compiled(*inputs)
    library = simulation.stand_in().library
    library.entries.clear()
    result = compiled(*inputs)
    library.pending.clear()
    expect(torch.equal(result, lora(*inputs)), "the fallback has other bits")
    reason = report.graphs[start].subgraphs[0].reason
    expect("a launch failed" in (reason or ""), f"the reason is {reason}")
    return "left to PyTorch with the driver's reason"


def check_explain():
    text = io.StringIO()
    with contextlib.redirect_stdout(text), torch.no_grad():
        mirage.explain(mlp(), *random((16, 64)))
    for part in ("operators replaced by", "estimated:", "proved"):
        expect(part in text.getvalue(), f"explain does not say {part!r}")
    return text.getvalue().splitlines()[1].strip()


SECOND = """
import sys, time
sys.path.insert(0, {scripts!r})
import torch
from torch_checks import cases
start = time.monotonic()
with torch.no_grad():
    compiled = cases.compile_anew(cases.lora, device="record")
    compiled(*cases.lora_inputs())
part = cases.report.graphs[0].subgraphs[0]
assert part.recorded and "torch_mlir" not in sys.modules, str(cases.report.graphs[0])
print(f"{{time.monotonic() - start:.2f}}")
"""


def check_record():
    """A second process, in which no tool runs and no importer is there."""
    compile_anew(lora, device="record")(*lora_inputs())
    scripts = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    done = subprocess.run(
        [sys.executable, "-c", SECOND.format(scripts=scripts)], capture_output=True,
        text=True, env={**os.environ, "MIRAGE_IMPORTER": "none", "PATH": ""})
    expect(done.returncode == 0, done.stderr[-500:])
    seconds = float(done.stdout.split()[-1])
    expect(seconds < 20, f"the second process takes {seconds} s")
    return f"a second process compiles in {seconds} s"


def check_crash():
    """A tool that is killed says nothing of the program, and one that refuses it does."""
    return tool_failures.check(
        lambda: compile_anew(lora, device="record")(*lora_inputs(torch.float64)))


IREE = """
import sys
sys.path.insert(0, {scripts!r})
from torch_checks import cases
print(cases.check_lora())
"""


def check_iree():
    """The same programs through IREE's importer, in a process with a record of its own."""
    scripts = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    with tempfile.TemporaryDirectory() as records:
        done = subprocess.run(
            [sys.executable, "-c", IREE.format(scripts=scripts)], capture_output=True,
            text=True, env={**os.environ, "MIRAGE_IMPORTER": "iree",
                            "MIRAGE_RECORDS": records})
    expect(done.returncode == 0, done.stderr[-500:])
    return done.stdout.strip()


CHECKS = {name.removeprefix("check_"): function for name, function in list(globals().items())
          if name.startswith("check_") and name != "check_types"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    only = set(filter(None, parser.parse_args().only.split(",")))
    failures = checks = 0
    for name, function in CHECKS.items():
        if only and name not in only:
            continue
        checks += 1
        start = time.monotonic()
        try:
            answer = function()
        except Exception as problem:  # the other checks go on
            failures += 1
            answer = f"WRONG: {type(problem).__name__}: {str(problem)[:1500]}"
        print(f"{name:20} {answer}, {time.monotonic() - start:.1f} s", flush=True)
    print(f"check-torch: {checks} checks, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

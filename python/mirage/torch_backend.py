"""The backend of torch.compile: graphs of PyTorch with kernels of Mirage in them.

AOTAutograd gives functional graphs, for training a forward and a backward one. In each,
operators that Mirage knows are joined to subgraphs, each of which becomes a program of
kernels or, with a reason in `report.graphs`, stays. Nothing that Mirage cannot do is an
exception for the user.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import os

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode, unset_fake_temporarily
from torch.fx.experimental.proxy_tensor import make_fx
from functorch.compile import make_boxed_func

from . import (attention, graphs, images, importers, measurement, mutations, program, progress,
               record, report, strides, tools, traffic)
from .driver import CudaError, cuda
from .launcher import TYPES, Launcher
from .manifest import ManifestError

log = logging.getLogger("mirage")

# A constant of more bytes is computed in each call, as it was.
_CONSTANT_BYTES = 64 << 20


@dataclasses.dataclass(frozen=True)
class Options:
    """What `torch.compile(..., options={...})` may say.

    search: options of mirage-optimize, as on its command line.
    lower: options of mirage-lower-to-nvvm. "measure=device" measures on the GPU how launches
      are executed fastest, a few seconds for each; "measure=instructions" asks the
      instructions of their kernels.
    device: "auto" launches on the GPU where the tensors are; "simulation" runs kernels
      of CPU tensors on a stand-in for the driver, for tests; "record" compiles, and
      leaves running to PyTorch.
    chip: what to compile for where no GPU says it, "sm_90a" or "sm_80".
    replace: "faster" replaces a subgraph where its kernels took no longer than PyTorch's
      when both were run, on a GPU, and elsewhere where the search found faster kernels
      for some of it; "found" asks the search alone, and "all" replaces whatever Mirage
      has kernels for.
    fused: also makes kernels of what is searched as it is, with fusion alone, and takes on
      a GPU whichever took less when both were run. Neither is done where `replace` is
      "found", nor in simulation.
    load: computes what depends on the model's parameters and buffers alone when the first
      call needs it, and again when they have changed, and not in each call.
    shapes: how many combinations of dynamic sizes are compiled; others are PyTorch's.
    progress: shows on stderr where a compilation is that takes seconds; None does so where
      that is a terminal.
    strict: lets exceptions through that are not known ways of refusing a graph.
    """

    search: str = "kernels=1"
    lower: str = ""
    device: str = "auto"
    chip: str = "sm_90a"
    replace: str = "faster"
    fused: bool = True
    load: bool = True
    shapes: int = 8
    progress: bool | None = None
    strict: bool = False

    @staticmethod
    def of(values: dict | None) -> Options:
        """Options from torch.compile and the environment (MIRAGE_SEARCH, MIRAGE_LOWER,
        MIRAGE_DEVICE, MIRAGE_REPLACE, MIRAGE_FUSED, MIRAGE_LOAD, MIRAGE_STRICT,
        MIRAGE_PROGRESS). ValueError names an unknown option or value."""
        chosen = {"search": os.environ.get("MIRAGE_SEARCH", Options.search),
                  "lower": os.environ.get("MIRAGE_LOWER", Options.lower),
                  "device": os.environ.get("MIRAGE_DEVICE", Options.device),
                  "replace": os.environ.get("MIRAGE_REPLACE", Options.replace),
                  "fused": os.environ.get("MIRAGE_FUSED", "1") == "1",
                  "load": os.environ.get("MIRAGE_LOAD", "1") == "1",
                  "strict": os.environ.get("MIRAGE_STRICT", "") == "1", **(values or {})}
        known = {field.name for field in dataclasses.fields(Options)}
        if unknown := set(chosen) - known:
            raise ValueError(f"mirage has no option {', '.join(sorted(unknown))}; there are "
                             f"{', '.join(sorted(known))}")
        for name, values in (("device", ("auto", "simulation", "record")),
                             ("replace", ("faster", "found", "all"))):
            if chosen[name] not in values:
                raise ValueError(f"{name} is {', '.join(values[:-1])} or {values[-1]}, "
                                 f"not {chosen[name]}")
        return Options(**chosen)


# Of inputs by their numbers: the order of dimensions in which each is contiguous.
Orders = dict[int, tuple[int, ...]]


class Refused(Exception):
    """Mirage leaves a graph to PyTorch; the message is the reason."""


# What may go wrong without being a mistake of this package.
_KNOWN = (Refused, tools.ToolError, importers.ImportFailure, ManifestError, CudaError, OSError)


def chip_of(device: torch.device, options: Options) -> str:
    """The chip to compile for. Raises Refused for tensors that no kernel can take."""
    if device.type == "cuda" and options.device == "auto":
        major, minor = torch.cuda.get_device_capability(device)
        if (major, minor) == (9, 0):
            return "sm_90a"
        if major < 8:
            raise Refused(f"the GPU is an sm_{major}{minor}; Mirage's kernels need sm_80")
        return "sm_80"
    if options.device == "auto":
        raise Refused(f"its tensors are on {device}; Mirage makes kernels for GPUs of NVIDIA")
    if options.device == "simulation" and device.type != "cpu":
        raise Refused(f"simulation takes tensors on the CPU, not on {device}")
    return options.chip


class Compiled(torch.nn.Module):
    """A subgraph that Mirage's kernels compute, whose inputs with numbers in `orders` they take
    in that order of dimensions. What it refuses at a call, the original computes from then
    on."""

    def __init__(self, launcher: Launcher, orders: Orders, original: torch.fx.GraphModule,
                 single: bool, entry: report.Subgraph) -> None:
        super().__init__()
        self.launcher: Launcher | None = launcher
        self.orders = orders
        self.original = original
        self.single = single
        self.entry = entry

    def forward(self, *inputs):
        if self.launcher is None:
            return self.original(*inputs)
        try:
            results = self.launcher(*strides.as_stored(inputs, self.orders))
        except RuntimeError as error:
            if isinstance(error, torch.cuda.OutOfMemoryError):
                raise
            self.entry.reason = f"left to PyTorch since a launch failed: {error}"
            log.warning("%s", self.entry.reason)
            self.launcher = None
            return self.original(*inputs)
        return results[0] if self.single else tuple(results)


# Options of mirage-optimize by which nothing is searched for.
_UNSEARCHED = "search=false"


def find_programs(module: torch.fx.GraphModule, options: Options, chip: str,
                  constants: list[int], orders: Orders) -> tuple[list[program.Program], bool]:
    """The programs of a subgraph whose inputs with the numbers `constants` are the same in
    each call, and which take those with numbers in `orders` in that order of dimensions; and
    whether they were recorded. The first one is what the search found. A second one, where
    `options` ask for it and the search replaced something, is what fusion alone gives. What
    Mirage refused once, it refuses from the record. Raises what _KNOWN names."""
    text = graphs.graph_text(module.graph)
    if constants:
        text += f"\nconstant: {constants}"
    if orders:
        text += f"\norders: {orders}"
    has_fused = options.fused and options.replace != "found" and options.device != "simulation"
    name = record.key("graph", text, options.search, options.lower, chip, tools.identity(),
                      str(has_fused))
    log.debug("looking for %s:\n%s", name, text)
    known = record.read_json(name, "graph.json")
    # Another importer may take what the one of the record refused.
    if known is not None and known["importer"] in (None, importers.available()):
        if known["reason"]:
            raise Refused(known["reason"])
        folders = [record.find(program_name) for program_name in known["programs"]]
        if all(folders):
            return [program.load(folder) for folder in folders], True
    single = isinstance(_result(module), torch.fx.Node)
    plain = torch.fx.GraphModule(torch.nn.Module(), graphs.without_devices(module.graph))

    def call(*inputs):
        results = plain(*strides.as_given(inputs, orders))
        return (results,) if single else results

    try:
        traced = importers.trace(call, _stored_inputs(module, orders))
        linalg = importers.mark_constants(importers.to_linalg(traced, "main"), constants)
        with progress.Line() as line:
            show = line.show if progress.is_wanted(options.progress) else None
            found = [program.compile_program(linalg, options.search, options.lower, chip, show)]
            if has_fused and any(part.now is not None for part in found[0].parts):
                found.append(
                    program.compile_program(linalg, _UNSEARCHED, options.lower, chip, show))
    except importers.NoImporter:
        raise
    except (tools.ToolError, importers.ImportFailure) as error:
        importer = importers.available() if isinstance(
            error, importers.ImportFailure) else None
        # What failed for another reason than the program may not fail again.
        if tools.available() and not isinstance(error, tools.ToolFailure):
            _note(name, [], str(error), importer)
        raise
    _note(name, [one.name for one in found], None, None)
    return found, False


def _note(name: str, programs: list[str], reason: str | None,
          importer: str | None) -> None:
    """Records what became of a graph; `importer` is who refused it, if it was one."""
    record.write(name, {"graph.json": json.dumps(
        {"programs": programs, "reason": reason, "importer": importer})})


def _result(module: torch.fx.GraphModule):
    return next(n for n in module.graph.nodes if n.op == "output").args[0]


def _stored_inputs(module: torch.fx.GraphModule, orders: Orders) -> list[torch.Tensor]:
    """Values like the inputs that the programs of a subgraph take."""
    return strides.as_stored(
        [n.meta["val"] for n in module.graph.nodes if n.op == "placeholder"], orders)


def _check_signature(module: torch.fx.GraphModule, orders: Orders,
                     found: program.Program) -> None:
    """Raises Refused if the program's inputs or results are not the subgraph's."""
    values = _stored_inputs(module, orders)
    outputs = _result(module)
    outputs = [outputs] if isinstance(outputs, torch.fx.Node) else list(outputs)
    function = found.function
    expected = [(tuple(v.shape), v.dtype) for v in values]
    results = [(tuple(o.meta["val"].shape), o.meta["val"].dtype) for o in outputs]
    inputs = [(b.shape, TYPES.get(b.type)) for b in found.inputs()]
    made = [(b.shape, TYPES.get(b.type)) for b in map(function.find, function.results)]
    if inputs != expected or made != results:
        raise Refused("the program has other inputs or results than the subgraph")


def _choose(programs: list[program.Program], device: torch.device, options: Options,
            entry: report.Subgraph) -> Launcher:
    """The launcher that takes least on its GPU of those of several programs of a subgraph,
    each with its kernels one after another and beside each other, by times that were recorded
    or are measured now. Where they were recorded, the kernels of other programs are not
    loaded. `entry` is told."""
    def launch(one: program.Program) -> Launcher:
        return Launcher(one, device, _make_driver(options, one))

    if device.type != "cuda":
        return launch(programs[0])
    name = record.key("choice", "streams", *(one.name for one in programs),
                      torch.cuda.get_device_name(device), torch.__version__)
    times = record.read_json(name, "times.json")
    launchers = {}
    if times is None:
        launchers = {i: launch(one) for i, one in enumerate(programs)}
        ways = [(i, way) for i, launcher in launchers.items() for way in launcher.ways()]
        if len(ways) == 1:
            return ways[0][1]
        measured = measurement.measure_launchers([way for _, way in ways])
        times = [[time for (i, _), time in zip(ways, measured) if i == number]
                 for number in range(len(programs))]
        record.write(name, {"times.json": json.dumps(times)})
    least = [min(ways) for ways in times]
    number = least.index(min(least))
    way = times[number].index(least[number])
    entry.program = programs[number]
    entry.measured_programs = least if len(programs) > 1 else None
    entry.measured_streams = times[number] if len(times[number]) > 1 else None
    return (launchers.get(number) or launch(programs[number])).ways()[way]


def _refuse_slower(compiled: Compiled) -> None:
    """Measures a subgraph on its GPU, unless that is recorded; raises Refused where its
    kernels take longer than PyTorch's operators."""
    device = compiled.launcher.device
    if device.type != "cuda":
        return
    name = record.key("times", compiled.launcher.program.name,
                      torch.cuda.get_device_name(device), torch.__version__)
    times = record.read_json(name, "times.json")
    if times is None:
        times = measurement.measure(compiled)
        record.write(name, {"times.json": json.dumps(times)})
    compiled.entry.measured, compiled.entry.measured_torch = times
    if times[0] > times[1]:
        raise Refused("its kernels are slower than PyTorch's")


def _make_driver(options: Options, found: program.Program):
    if options.device != "simulation":
        return cuda()
    from .simulation import stand_in
    driver = stand_in()
    driver.register(found)
    return driver


def _hoist_constants(module: torch.fx.GraphModule) -> None:
    """Computes once what depends on no input and is not random."""
    constant: set[torch.fx.Node] = set()
    for node in module.graph.nodes:
        if node.op == "get_attr":
            constant.add(node)
        elif node.op == "call_function" and all(n in constant for n in node.all_input_nodes):
            if isinstance(node.target, torch._ops.OpOverload) and (
                    node.target._schema.is_mutable
                    or torch.Tag.nondeterministic_seeded in node.target.tags):
                continue
            constant.add(node)
    values: dict[torch.fx.Node, object] = {}
    for node in list(module.graph.nodes):
        if node not in constant:
            continue
        if node.op == "get_attr":
            values[node] = getattr(module, node.target, None)
            continue
        with torch.no_grad(), unset_fake_temporarily():
            values[node] = node.target(*torch.fx.node.map_arg(node.args, values.__getitem__),
                                       **torch.fx.node.map_arg(node.kwargs, values.__getitem__))
        value = values[node]
        if not isinstance(value, torch.Tensor) or isinstance(value, FakeTensor) or \
                value.nbytes > _CONSTANT_BYTES:
            continue
        # Kernels would be given a copy of anything else in each call.
        with unset_fake_temporarily():
            value = value.contiguous()
        if all(user in constant or user.op == "output" for user in node.users):
            continue
        name = f"mirage_constant_{node.name}"
        module.register_buffer(name, value, persistent=False)
        with module.graph.inserting_before(node):
            attribute = module.graph.get_attr(name)
        attribute.meta = dict(node.meta)
        for user in list(node.users):
            if user not in constant and user.op != "output":
                user.replace_input_with(node, attribute)
    module.graph.eliminate_dead_code()
    module.recompile()


def _constants(module: torch.fx.GraphModule) -> set[str]:
    """The names of the placeholders that are parameters and buffers of the model, which
    the graph does not change."""
    context = torch._guards.TracingContext.try_get()
    metadata = getattr(context, "fw_metadata", None)
    placeholders = [n.name for n in module.graph.nodes if n.op == "placeholder"]
    return {placeholders[i] for i in getattr(metadata, "static_input_indices", None) or ()
            if i < len(placeholders) and not metadata.input_info[i].mutates_data}


def _constant_inputs(fused: torch.fx.GraphModule, name: str, constants: set[str]) -> list[int]:
    """The numbers of the inputs of a submodule that are the same in each call."""
    call = next(n for n in fused.graph.nodes if n.op == "call_module" and n.target == name)
    return [i for i, value in enumerate(call.args) if value.op == "get_attr"
            or (value.op == "placeholder" and value.name in constants)]


def _orders(fused: torch.fx.GraphModule, name: str) -> Orders:
    """The orders of the inputs of a submodule that are the graph's own. Those of other values
    differ between devices, by which no record would be found."""
    call = next(n for n in fused.graph.nodes if n.op == "call_module" and n.target == name)
    orders = {i: strides.order_of(value.meta["val"]) for i, value in enumerate(call.args)
              if value.op == "placeholder" and isinstance(value.meta.get("val"), torch.Tensor)}
    return {i: order for i, order in orders.items() if order is not None}


def compile_static(module: torch.fx.GraphModule, options: Options, entry: report.Graph,
                   constants: set[str] = frozenset()) -> torch.fx.GraphModule:
    """The graph with what Mirage takes replaced, whose placeholders named `constants` are
    the same in each call. Fills `entry`; raises Refused where nothing can be."""
    tensors = [n.meta["val"] for n in module.graph.nodes
               if isinstance(n.meta.get("val"), torch.Tensor) and n.op != "output"]
    devices = {t.device for t in tensors if t.dim() > 0}
    if not devices:
        raise Refused("it has no tensors")
    if len(devices) > 1:
        raise Refused(f"its tensors are on {', '.join(sorted(map(str, devices)))}")
    device = devices.pop()
    chip = chip_of(device, options)
    mutations.write_in_place(module.graph)
    _hoist_constants(module)
    reasons = graphs.classify(module.graph)
    for node, reason in reasons.items():
        if reason is not None and not graphs.is_getitem(node):
            entry.leave(graphs.name_of(node.target), reason)
    supported = {node for node, reason in reasons.items() if reason is None}
    fused, names = graphs.partition(module, supported)
    mutations.copy_back_last(fused.graph)
    for name in names:
        part: torch.fx.GraphModule = getattr(fused, name)
        count = sum(n.op == "call_function" and not graphs.is_getitem(n)
                    for n in part.graph.nodes)
        note = report.Subgraph(count)
        entry.subgraphs.append(note)
        try:
            same = _constant_inputs(fused, name, constants) if options.load else []
            orders = _orders(fused, name)
            try:
                programs, note.recorded = find_programs(part, options, chip, same, orders)
            except (tools.ToolError, importers.ImportFailure):
                # Where there are no tools, a record for contiguous inputs, which are copied in
                # each call, may be all that there is.
                if not orders or tools.available():
                    raise
                orders = {}
                programs, note.recorded = find_programs(part, options, chip, same, orders)
            note.program = found = programs[0]
            for one in programs:
                _check_signature(part, orders, one)
            # Kernels of operators as they are may be faster than PyTorch's, too.
            measured = options.replace == "faster" and device.type == "cuda" \
                and options.device != "record"
            if options.replace != "all" and not measured \
                    and not any(p.now is not None for p in found.parts):
                raise Refused("no faster kernels were found" + "".join(
                    f"; {p.sentence}" for p in found.parts))
            if options.device != "record":
                with unset_fake_temporarily():
                    launcher = _choose(programs, device, options, note)
                compiled = Compiled(launcher, orders, part,
                                    isinstance(_result(part), torch.fx.Node), note)
                if options.replace == "faster":
                    with unset_fake_temporarily():
                        _refuse_slower(compiled)
                setattr(fused, name, compiled)
                if report.compiled_hook is not None:
                    report.compiled_hook(compiled)
            note.replaced = True
        except _KNOWN as error:
            note.reason = str(error)
            log.info("%d operators are left to PyTorch: %s", count, error)
        except Exception as error:
            if options.strict:
                raise
            note.reason = f"unexpected {type(error).__name__}: {error}"
            log.warning("%s", note.reason)
    entry.bytes = traffic.graph_bytes(fused)
    fused.recompile()
    return fused


class _ByShape:
    """A graph with dynamic sizes, compiled for each combination of these."""

    def __init__(self, module: torch.fx.GraphModule, options: Options, kind: str) -> None:
        self.module, self.options, self.kind = module, options, kind
        self.made: dict[tuple, object] = {}

    def __call__(self, *inputs):
        key = tuple(tuple(x.shape) if isinstance(x, torch.Tensor) else x for x in inputs)
        if key not in self.made:
            if len(self.made) >= self.options.shapes:
                return self.module(*inputs)
            self.made[key] = self._specialize(inputs)
        return self.made[key](*inputs)

    def _specialize(self, inputs):
        with unset_fake_temporarily(), torch.no_grad(), \
                FakeTensorMode(allow_non_fake_inputs=True) as mode:
            fakes = [mode.from_tensor(x, static_shapes=True) if isinstance(x, torch.Tensor)
                     else x for x in inputs]
            graph = make_fx(lambda *xs: self.module(*xs))(*fakes)
        entry = report.Graph(f"{self.kind} (sizes {key_text(inputs)})")
        return _compile(graph, self.options, entry)


def key_text(inputs) -> str:
    """The dynamic sizes among a graph's inputs, as text."""
    return ", ".join(str(x) for x in inputs if isinstance(x, int)) or "static"


def _compile(module: torch.fx.GraphModule, options: Options, entry: report.Graph,
             constants: set[str] = frozenset()):
    report.graphs.append(entry)
    try:
        return compile_static(module, options, entry, constants)
    except _KNOWN as error:
        entry.reason = str(error)
    except Exception as error:
        if options.strict:
            raise
        entry.reason = f"unexpected {type(error).__name__}: {error}"
        log.warning("%s", entry.reason)
    return module


def _compiler(options: Options, kind: str):
    def compile_fx(module: torch.fx.GraphModule, example_inputs):
        dynamic = any(
            isinstance(node.meta.get("val"), (torch.SymInt, torch.SymFloat)) or any(
                isinstance(size, torch.SymInt)
                for size in getattr(node.meta.get("val"), "shape", ()))
            for node in module.graph.nodes if node.op == "placeholder")
        if dynamic:
            return make_boxed_func(_ByShape(module, options, kind))
        # In training, parameters change from one call to the next.
        constants = _constants(module) if kind == "inference" else frozenset()
        return make_boxed_func(_compile(module, options, report.Graph(kind), constants))
    return compile_fx


def backend(module: torch.fx.GraphModule, example_inputs: list[torch.Tensor], *,
            options: dict | None = None, mode: str | None = None):
    """What torch.compile(..., backend="mirage") calls with a graph and values like its
    inputs. Returns a function of the graph's inputs. ValueError for unknown options."""
    chosen = Options.of(options)
    attention.replace_attention(module)
    images.replace_upsampling(module)
    strides.flatten_linear(module)
    return aot_autograd(fw_compiler=_compiler(chosen, "forward"),
                        bw_compiler=_compiler(chosen, "backward"),
                        inference_compiler=_compiler(chosen, "inference"),
                        keep_inference_input_mutations=True)(module, example_inputs)

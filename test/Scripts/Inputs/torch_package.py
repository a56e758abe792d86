"""Checks the parts of the Python package that need no PyTorch.

  torch_package.py FOLDER_OF_PACKAGE FOLDER     (with kernels/manifest.json)
"""

import json
import os
import random
import sys

sys.path.insert(0, sys.argv[1])
from mirage import manifest, memory, record

work = sys.argv[2]


def check_manifest():
    with open(os.path.join(work, "kernels", "manifest.json")) as file:
        good = json.load(file)
    name = good["functions"][0]["name"]
    target, function = manifest.parse(json.dumps(good), name)
    assert target == good["target"] and function.kernels
    assert all(set(k.reads + k.writes) <= set(k.arguments) for k in function.kernels)
    print("manifest: version 2 is read")
    without_reads, unknown = json.loads(json.dumps(good)), json.loads(json.dumps(good))
    del without_reads["functions"][0]["kernels"][0]["reads"]
    unknown["functions"][0]["kernels"][0]["arguments"][0] = "nowhere"
    for bad in ({**good, "version": 3}, without_reads, unknown):
        try:
            manifest.parse(json.dumps(bad), name)
        except manifest.ManifestError as error:
            print(error)


def random_function(draw):
    """Kernels that each write one buffer and read some that are written."""
    count = draw.randint(1, 12)
    sizes = [draw.choice((16, 256, 300, 4096, 5000)) for _ in range(count)]
    buffers = [manifest.Buffer(f"scratch{i}", "scratch", 0, (size,), "f32", size)
               for i, size in enumerate(sizes)]
    kernels = []
    for i in range(count):
        reads = tuple(f"scratch{j}" for j in range(i) if draw.random() < 0.3)
        writes = (f"scratch{i}",)
        kernels.append(manifest.Kernel(f"k{i}", (1, 1, 1), (1, 1, 1), (1, 1, 1), 0,
                                       reads + writes, reads, writes))
    results = (f"scratch{count - 1}",) if draw.random() < 0.5 else ()
    return manifest.Function("f", tuple(buffers), tuple(kernels), results)


def check_memory():
    """Runs each plan on bytes that know for which buffer they were written."""
    draw, shared = random.Random(1), 0
    for _ in range(300):
        function = random_function(draw)
        offsets, total = memory.plan(function)
        size = {b.name: b.bytes for b in function.buffers}
        assert set(function.results).isdisjoint(offsets)
        assert all(offset % 256 == 0 and offset + size[name] <= total
                   for name, offset in offsets.items())
        owner = [None] * total
        for kernel in function.kernels:
            ranges = {name: range(offsets[name], offsets[name] + size[name])
                      for name in kernel.arguments if name in offsets}
            for name in kernel.reads:
                assert all(owner[i] == name for i in ranges.get(name, ())), name
            for name in kernel.writes:
                for i in ranges.get(name, ()):
                    owner[i] = name
            assert all(owner[i] == name for name in kernel.reads
                       for i in ranges.get(name, ())), "an operand shares bytes"
        shared += total < sum(size[name] for name in offsets)
    print(f"scratch: 300 plans, {shared} of them with shared bytes")


def check_records():
    os.environ["MIRAGE_RECORDS"] = os.path.join(work, "records")
    names = {record.key("a", "b", "c"), record.key("a", "bc"), record.key("a", "b", "d"),
             record.key("b", "b", "c")}
    assert len(names) == 4 and record.key("a", "bc") in names
    name = record.key("a", "bc")
    assert record.find(name) is None and record.read_json(name, "x.json") is None
    for value in (1, 2):
        record.write(name, {"x.json": json.dumps(value), "y": "text"})
        assert record.read_json(name, "x.json") == value
    assert sorted(os.listdir(os.environ["MIRAGE_RECORDS"])) == [name]
    print("records: found by content")


check_manifest()
check_memory()
check_records()

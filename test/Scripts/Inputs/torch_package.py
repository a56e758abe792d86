"""Checks the parts of the Python package that need no PyTorch.

  torch_package.py FOLDER_OF_PACKAGE FOLDER     (with kernels/manifest.json)
"""

import json
import os
import random
import sys

sys.path.insert(0, sys.argv[1])
from mirage import manifest, record

work = sys.argv[2]


def check_manifest():
    with open(os.path.join(work, "kernels", "manifest.json")) as file:
        good = json.load(file)
    name = good["functions"][0]["name"]
    target, function = manifest.parse(json.dumps(good), name)
    assert target == good["target"] and function.kernels
    assert all(set(k.reads + k.writes) <= set(k.arguments) for k in function.kernels)
    print("manifest: version 7 is read")
    without_reads, unknown = json.loads(json.dumps(good)), json.loads(json.dumps(good))
    del without_reads["functions"][0]["kernels"][0]["reads"]
    unknown["functions"][0]["kernels"][0]["arguments"][0] = "nowhere"
    for bad in ({**good, "version": 6}, without_reads, unknown):
        try:
            manifest.parse(json.dumps(bad), name)
        except manifest.ManifestError as error:
            print(error)


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
check_records()

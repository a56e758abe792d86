#!/usr/bin/env python3
"""record-tilings.py MIRAGE_OPT PROGRAM FUNCTION FOLDER

Gives all tilings of a chain times that no model has anything to do with, and lets
mirage-tile choose by them: whatever it asked for, it must have taken the fastest, and
take it again.
"""
import hashlib
import itertools
import json
import re
import subprocess
import sys

mirage_opt, program, function, folder = sys.argv[1:]
SIZES = dict(m=64, k=32, n=128, h=64)


def run(options):
    tile = f"--mirage-tile=function={function} {options}"
    return subprocess.run([mirage_opt, program, tile], capture_output=True, text=True)


def get_expressions(loops):
    for order in itertools.permutations(loops):
        yield "".join(order)
    if {"k", "h"} <= loops:
        for order in itertools.permutations(loops - {"k", "h"}):
            yield "".join(order) + "(k,h)"


def write(path, seed, digest):
    tilings = []
    tiles = [[t for t in range(16, d + 1, 16) if d % t == 0] for d in SIZES.values()]
    for choice in itertools.product(*tiles):
        named = dict(zip(SIZES, choice))
        loops = {loop for loop, tile in named.items() if tile < SIZES[loop]}
        for expression in get_expressions(loops):
            text = f"expr={expression} tiles=" + ",".join(f"{l}:{t}" for l, t in named.items())
            number = int(hashlib.sha256(f"{seed} {text}".encode()).hexdigest()[:8], 16)
            entry = {"tiling": text, "predicted_microseconds": 1.5}
            if number % 5 == 0:
                entry["rejected"] = "it is unlucky"
            else:
                entry["microseconds"] = 1 + number / 7
            tilings.append(entry)
    chain = dict(function=function, program=digest, target="sm_90a", device="no device",
                 tilings=tilings)  # fmt: skip
    with open(path, "w") as file:
        json.dump({"version": 1, "functions": [chain]}, file)
    return {t["tiling"]: t for t in tilings}


empty = f"{folder}/empty.json"
with open(empty, "w") as file:
    json.dump({"version": 1, "functions": []}, file)
digest = re.search(r"program \(([0-9a-f]{16})\)",
                   run(f"measure=recorded measurements={empty}").stderr)[1]  # fmt: skip
chosen = set()
for seed, exhaustive in itertools.product(range(8), (0, 4096)):
    path, stats = f"{folder}/times.json", f"{folder}/stats.json"
    recorded = write(path, seed, digest)
    options = f"measure=recorded measurements={path} seed={seed} exhaustive={exhaustive}"
    process = run(f"{options} stats={stats}")
    assert process.returncode == 0, process.stderr
    assert process.stdout == run(options).stdout
    (entry,) = json.load(open(stats))
    asked = entry["measurements"]
    assert len(asked) >= 8 and entry["measured_by"] == "recorded from no device", entry
    for one in asked:
        known = recorded[one["tiling"]]
        assert one.get("microseconds") == known.get("microseconds"), one
    best = min((one for one in asked if "microseconds" in one), key=lambda o: o["microseconds"])
    assert entry["tiling"] == best["tiling"], (entry, best)
    assert entry["measured_microseconds"] == best["microseconds"]
    # It is the tiling of the launch.
    process = subprocess.run([mirage_opt, "--mirage-print-tiling", "-o", "/dev/null"],
                             input=process.stdout, capture_output=True, text=True)  # fmt: skip
    assert f"@{function}: {best['tiling']}\n" in process.stdout, process.stdout
    chosen.add(best["tiling"])
assert len(chosen) >= 5, chosen
print(f"{len(chosen)} tilings chosen, each the fastest that was asked for")

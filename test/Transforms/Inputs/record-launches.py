#!/usr/bin/env python3
"""record-launches.py MIRAGE_OPT PROGRAM FUNCTION FILE TILING=TIME ...

Records for the first launch of a function what it takes in these tilings, in microseconds.
"""
import json
import re
import subprocess
import sys

mirage_opt, program, function, path, *times = sys.argv[1:]
with open(path, "w") as file:
    json.dump({"version": 1, "functions": []}, file)
asked = subprocess.run(
    [mirage_opt, program, f"--mirage-tune-launches=measure=recorded measurements={path}"],
    capture_output=True, text=True)  # fmt: skip
digest = re.search(r"program \(([0-9a-f]{16})\)", asked.stderr)[1]
tilings = [{"tiling": tiling, "predicted_microseconds": 1.5, "microseconds": float(time)}
           for tiling, time in (entry.split("=") for entry in times)]  # fmt: skip
with open(path, "w") as file:
    json.dump({"version": 1, "functions": [
        {"function": function, "program": digest, "target": "sm_90a", "device": "nothing",
         "tilings": tilings}]}, file)  # fmt: skip

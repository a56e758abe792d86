#!/usr/bin/env python3
"""record-launches.py MIRAGE_OPT PROGRAM FILE

Records for the first launch of a program that it takes 2 us as it is, and 1 us with half as
many columns in a block of the second grid dimension.
"""
import json
import re
import subprocess
import sys

mirage_opt, program, path = sys.argv[1:]
with open(path, "w") as file:
    json.dump({"version": 1, "functions": []}, file)
asked = subprocess.run(
    [mirage_opt, program, f"--mirage-tune-launches=measure=recorded measurements={path}"],
    capture_output=True, text=True)  # fmt: skip
digest = re.search(r"program \(([0-9a-f]{16})\)", asked.stderr)[1]
times = {"grid 4x4 loop 8": 2.0, "grid 4x8 loop 8": 1.0}
tilings = [{"tiling": tiling, "predicted_microseconds": 1.5, "microseconds": time}
           for tiling, time in times.items()]  # fmt: skip
with open(path, "w") as file:
    json.dump({"version": 1, "functions": [
        {"function": "product", "program": digest, "target": "sm_90a", "device": "nothing",
         "tilings": tilings}]}, file)  # fmt: skip

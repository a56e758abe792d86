#!/usr/bin/env python3
"""record-candidates.py MIRAGE_OPT PROGRAM OPTIONS FILE NAME=TIME ...

Records what the candidates of these names take that mirage-optimize with these options compares, in
microseconds, with the tilings that they have for names. Of several with one name the first one gets the time.
"""
import json
import re
import subprocess
import sys

mirage_opt, program, options, path, *times = sys.argv[1:]
wanted = dict(entry.rsplit("=", 1) for entry in times)
functions = [{"function": "other", "program": "0" * 16, "target": "sm_90a", "device": "nothing",
              "tilings": []}]  # fmt: skip
pattern = re.compile(r"Function=(\w+) .* has no time of (.+?) \(([0-9a-f]{16})\), which the model says takes ([0-9.]+) us")
# What is measured says what is compared next.
while True:
    with open(path, "w") as file:
        json.dump({"version": 1, "functions": functions}, file)
    if not wanted:
        break
    asked = subprocess.run(
        [mirage_opt, program, f"--mirage-optimize={options} measure=recorded measurements={path}", "-o", "/dev/null",
         "--remark-policy=all", "--remarks-filter=mirage-superoptimize-details"],
        capture_output=True, text=True)  # fmt: skip
    found = {match[3]: match for match in map(pattern.search, asked.stderr.splitlines()) if match and match[2] in wanted}
    if not found:
        sys.exit(f"{program}: no candidate of these names was compared: {', '.join(wanted)}\n{asked.stderr}")
    for match in found.values():
        time = wanted.pop(match[2], None)
        if time is not None:
            functions.append({"function": match[1], "program": match[3], "target": "sm_90a", "device": "nothing",
                              "tilings": [{"tiling": match[2], "predicted_microseconds": float(match[4]),
                                           "microseconds": float(time)}]})  # fmt: skip

"""Runs a tool on prefixes of a bytecode file of growing length, and reports
those that it crashes on, accepts, or refuses without saying where.

usage: cut.py tool file.mlirbc
"""

import subprocess
import sys

tool, path = sys.argv[1], sys.argv[2]
with open(path, "rb") as f:
    data = f.read()

# Every length in the header, then about sixty more.
lengths = list(range(4, 24)) + list(range(24, len(data), max(1, len(data) // 60)))
refused = 0
for length in lengths:
    cut = path + ".cut"
    with open(cut, "wb") as f:
        f.write(data[:length])
    run = subprocess.run([tool, cut], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    message = run.stderr.decode(errors="replace")
    if run.returncode not in (0, 1):
        print(f"crash at {length} bytes: {run.returncode}\n{message}")
    elif run.returncode == 0:
        print(f"accepted {length} bytes of {len(data)}")
    elif f"{cut}:" not in message or "error:" not in message:
        print(f"without location at {length} bytes: {message}")
    else:
        refused += 1
print(f"refused {refused} of {len(lengths)} files")

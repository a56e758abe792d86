"""Runs a tool on every example of a complete program in the documentation: the
blocks marked mlir that begin with a function or a module.

usage: examples.py tool docs-folder
"""

import pathlib
import re
import subprocess
import sys

tool, docs = sys.argv[1], pathlib.Path(sys.argv[2])
count = failures = 0
for path in sorted(docs.rglob("*.md")):
    text = path.read_text()
    for block in re.finditer(r"^```mlir\n(.*?)^```$", text, re.M | re.S):
        program = block.group(1)
        if not re.match(r"(//.*\n)*(func\.func|module)", program):
            continue
        count += 1
        run = subprocess.run([tool], input=program, capture_output=True, text=True)
        if run.returncode:
            failures += 1
            line = text.count("\n", 0, block.start()) + 2
            print(f"{path}:{line}: refused\n{run.stderr}")
print(f"{count} examples, {failures} refused")

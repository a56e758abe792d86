"""Runs commands that a page of the documentation shows, and compares what they print.

usage: commands.py page section scratch-folder source-root build-folder

A command is a block without a language in the section. What follows it in a block
that begins after "ends with" or "prints" must be in what it prints, line by line and
in this order; an ellipsis stands for anything. Blocks of mlir in the section are
written to schedule.mlir before. The scratch folder looks like a checkout whose build
is build/release.
"""

import os
import pathlib
import re
import subprocess
import sys

page, section, scratch, root, build = sys.argv[1:6]
scratch, root, build = map(pathlib.Path, (scratch, root, build))

(scratch / "build").mkdir(parents=True)
(scratch / "build/release").symlink_to(build)
for name in ("examples", "test", "scripts"):
    (scratch / name).symlink_to(root / name)
environment = dict(os.environ)
environment["PATH"] = f"{build / 'bin'}{os.pathsep}{environment['PATH']}"

text = pathlib.Path(page).read_text()
found = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
if not found:
    sys.exit(f"{page} has no section {section}")
count = failures = 0
printed = None
before = ""
for block in re.finditer(r"(.*?)^```(\w*)\n(.*?)^```$", found[1], re.M | re.S):
    before, language, content = block.groups()
    if language == "mlir":
        (scratch / "schedule.mlir").write_text(content)
    if language:
        continue
    if re.search(r"\b(ends with|prints)\s*$", before.strip()):
        position = 0
        for line in filter(None, content.splitlines()):
            pattern = ".*".join(map(re.escape, line.split("…")))
            match = re.compile(pattern).search(printed, position)
            if not match:
                failures += 1
                print(f"not printed: {line}\nbut:\n{printed}")
                break
            position = match.end()
        continue
    count += 1
    run = subprocess.run(
        ["bash", "-c", content], cwd=scratch, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    printed = run.stdout
    if run.returncode and "--run-reproducer" not in content:
        failures += 1
        print(f"{content}ended with {run.returncode}:\n{printed}")
print(f"{section}: {count} commands, {failures} failed")

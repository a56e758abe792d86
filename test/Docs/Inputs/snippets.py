"""Checks that the code in a page of the documentation is code of an example: the
blocks marked c, cpp, cmake or tablegen stand in one of its files, line for line.

usage: snippets.py page example-folder ...
"""

import pathlib
import re
import sys

page, *folders = map(pathlib.Path, sys.argv[1:])
files = {
    path: path.read_text()
    for folder in folders
    for path in folder.iterdir()
    if path.suffix in (".c", ".cpp", ".td") or path.name == "CMakeLists.txt"
}
text = page.read_text()
count = failures = 0
for block in re.finditer(r"^```(c|cpp|cmake|tablegen)\n(.*?)^```$", text, re.M | re.S):
    count += 1
    # A block may leave out what stands between its parts.
    parts = re.split(r"\n\n(?=\S)", block.group(2).strip("\n"))
    missing = [
        part for part in parts if not any(part in content for content in files.values())
    ]
    for part in missing:
        failures += 1
        line = text.count("\n", 0, block.start()) + 2
        where = ", ".join(map(str, folders))
        print(f"{page}:{line}: in no file of {where}:\n{part}")
print(f"{count} snippets, {failures} missing")

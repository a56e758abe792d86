"""Raises the version of a dialect's encoding in a bytecode file.

A dialect's version is a section of its own (id 7, bytecode format, "Dialect
Versions"); Mirage writes two numbers there, 1 and 0, of one byte each (2 n + 1).

usage: newer.py old.mlirbc new.mlirbc major
"""

import sys

with open(sys.argv[1], "rb") as f:
    data = f.read()
old = bytes([7, 2 * 2 + 1, 2 * 1 + 1, 2 * 0 + 1])
if old not in data:
    sys.exit("the file holds no version 1.0 of a dialect")
new = old[:2] + bytes([2 * int(sys.argv[3]) + 1]) + old[3:]
with open(sys.argv[2], "wb") as f:
    f.write(data.replace(old, new))

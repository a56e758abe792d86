#!/usr/bin/env python3
"""Compares the constraints that the dialects document with those that tests
break: each documented (name_cN) must stand in an expected-error of one of the
test files, and each that a test cites must be documented.

usage: constraints.py mlir-tblgen source-root mlir-include-dir
"""

import pathlib
import re
import subprocess
import sys

DIALECTS = {
    "mirage": "Mirage/IR/MirageDialect.td",
    "mirage_kernel": "Kernel/IR/KernelOps.td",
    "mirage_block": "Block/IR/BlockOps.td",
    "mirage_thread": "Thread/IR/ThreadOps.td",
}
CONSTRAINT = re.compile(r"\b[a-z0-9_]+_c[0-9]+\b")


def documented(tblgen, root, mlir_include):
    """Constraints in list items of the dialects' documentation."""
    names = set()
    for dialect, file in DIALECTS.items():
        text = subprocess.check_output(
            [
                tblgen,
                "-gen-dialect-doc",
                f"-dialect={dialect}",
                f"-I{root / 'include'}",
                f"-I{mlir_include}",
                str(root / "include/Mirage/Dialect" / file),
            ],
            text=True,
        )
        names.update(re.findall(r"^ *\* \(([a-z0-9_]+_c[0-9]+)\)", text, re.M))
    return names


def broken(root):
    """Constraints in expected errors of the tests."""
    names = set()
    for path in (root / "test").rglob("*.mlir"):
        for message in re.findall(r"expected-error[^{]*\{\{(.*)\}\}", path.read_text()):
            names.update(CONSTRAINT.findall(message))
    return names


def main():
    tblgen, root, mlir_include = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    known, tested = documented(tblgen, root, mlir_include), broken(root)
    for name in sorted(known - tested):
        print(f"error: no test breaks {name}")
    for name in sorted(tested - known):
        print(f"error: a test cites {name}, which no dialect documents")
    if not known:
        print("error: found no constraint")
    if known != tested or not known:
        return 1
    print(f"{len(known)} constraints documented, all broken by a test")
    return 0


if __name__ == "__main__":
    sys.exit(main())

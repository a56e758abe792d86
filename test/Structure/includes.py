#!/usr/bin/env python3
"""Checks what files include.

Folders without IR. What docs/Architecture.md marks in the column "IR" of its
table "Where things are" is plain C++: "none", or "only in `IR`" where a
subfolder of that name holds what knows MLIR. From every file that is marked so,
Mirage's own includes are followed; none may lead to a header of MLIR, of a
dialect or of a pass. CMake must say the same: the files that are marked are
those of libraries that are declared WITHOUT_IR.

Private headers. A header in lib/ is included by its own library only, so that
tests and tools see what is public.

usage: includes.py source-root
"""

import pathlib
import re
import sys

# Headers of MLIR that are plain C++: names of LLVM's containers in namespace
# mlir, and exact fractions and linear programs over them.
PLAIN_MLIR = {"mlir/Support/LLVM.h", "mlir/Analysis/Presburger/Fraction.h",
              "mlir/Analysis/Presburger/Simplex.h"}
# Headers that TableGen makes without MLIR: C++ enums and their names.
PLAIN_GENERATED = {
    "Mirage/Semantics/Enums.h.inc",
    "Mirage/Semantics/Enums.cpp.inc",
}
MARKS = {"none": False, "only in `IR`": True}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.M)
LIBRARY = re.compile(r"add_mirage_library\((\w+)([^)]*)\)")
VARIABLE = re.compile(r"\bset\((\w+)([^)]*)\)")
ROW = re.compile(r"^\| `([^`|]+)` \| ([^|]+) \|", re.M)


class Tree:
    """The sources of a checkout, what they include, and their libraries."""

    def __init__(self, root):
        self.root = root
        self.errors = []
        self.texts = {}
        # Library of each source, and the libraries that are without IR.
        self.library = {}
        self.plain = set()
        for path in sorted(root.joinpath("lib").rglob("CMakeLists.txt")):
            self.read_libraries(path)

    def error(self, where, message):
        self.errors.append(f"{where}: {message}")

    def relative(self, path):
        return path.relative_to(self.root).as_posix()

    def read_libraries(self, path):
        text = re.sub(r"#.*", "", path.read_text())
        variables = {}
        for name, value in VARIABLE.findall(text):
            variables.setdefault(name, []).extend(value.split())
        for name, arguments in LIBRARY.findall(text):
            words = arguments.split()
            if "WITHOUT_IR" in words:
                self.plain.add(name)
            for word in words:
                variable = re.fullmatch(r"\$\{(\w+)\}", word)
                sources = variables.get(variable[1]) if variable else [word]
                if sources is None:
                    self.error(self.relative(path), f"does not set {word}")
                for source in sources or []:
                    if source.endswith(".cpp"):
                        self.library[(path.parent / source).resolve()] = name

    def read(self, path):
        if path not in self.texts:
            self.texts[path] = path.read_text()
        return self.texts[path]

    def includes(self, path):
        """(line, name, file or None) of each include of a file."""
        text = self.read(path)
        for match in INCLUDE.finditer(text):
            name = match[1] or match[2]
            line = text.count("\n", 0, match.start(1 if match[1] else 2)) + 1
            yield line, name, self.find(path, name) if match[1] else None

    def find(self, path, name):
        for folder in (path.parent, self.root / "include"):
            if (folder / name).is_file():
                return (folder / name).resolve()
        return None


def read_marks(tree):
    """The folders and files that are marked, by whether they have a subfolder
    IR."""
    page = tree.root / "docs/Architecture.md"
    text = page.read_text()
    marks = {}
    for match in ROW.finditer(text):
        name, mark = match[1], match[2].strip()
        if mark in MARKS:
            marks[name] = MARKS[mark]
            files = list_files(tree.root, name)
            missing = [name] if not files else []
            if MARKS[mark] and not any("IR" in path.parts for path in files):
                missing = [f"{name}/IR"]
            line = text.count("\n", 0, match.start()) + 1
            for what in missing:
                tree.error(f"docs/Architecture.md:{line}", f"there is no {what}")
    if not marks:
        tree.error("docs/Architecture.md", "marks no folder as without IR")
    return marks


def list_files(root, name):
    """The sources and headers of a folder, or of a single part of one."""
    files = []
    for top in ("include/Mirage", "lib"):
        folder = root / top / name
        files += [p for p in folder.rglob("*") if p.suffix in (".h", ".cpp", ".def")]
        files += [p for p in folder.parent.glob(folder.name + ".*") if p.is_file()]
    return files


def find_plain(tree, marks):
    """The files that are marked as plain C++."""
    plain = set()
    for name, has_ir in marks.items():
        for path in list_files(tree.root, name):
            inside = path.relative_to(tree.root).parts
            if not (has_ir and "IR" in inside[:-1]):
                plain.add(path.resolve())
    return plain


def check_libraries(tree, plain):
    """The marked sources must be those of the libraries without IR."""
    for path, library in sorted(tree.library.items()):
        where = tree.relative(path)
        if path in plain and library not in tree.plain:
            tree.error(
                where,
                f"docs/Architecture.md marks it as without IR, but its library "
                f"{library} is not declared WITHOUT_IR",
            )
        if path not in plain and library in tree.plain:
            tree.error(
                where,
                f"its library {library} is declared WITHOUT_IR, but "
                f"docs/Architecture.md does not mark it",
            )
    for path in sorted(plain):
        if path.suffix == ".cpp" and path not in tree.library:
            tree.error(tree.relative(path), "belongs to no library")


def explain(name):
    """Why a file without IR must not include this, if it must not."""
    if name in PLAIN_MLIR or name in PLAIN_GENERATED:
        return None
    if name.startswith(("mlir/", "mlir-c/")):
        return "is a header of MLIR"
    if name.endswith(".inc"):
        return "is generated for a dialect or a pass"
    return None


def check_plain(tree, plain):
    """No include may lead from a marked file to MLIR."""
    # What is wrong with a header is said once, with the shortest way to it.
    reported = set()
    for start in sorted(plain):
        # Files on the way, with the place of the include that led there.
        queue = [(start, "")]
        seen = {start}
        for file, way in queue:
            for line, name, path in tree.includes(file):
                where = f"{tree.relative(file)}:{line}"
                reason = explain(name)
                if reason:
                    if (file, name) not in reported:
                        reported.add((file, name))
                        tree.error(where, f"{name} {reason}{way}")
                elif path and path not in seen:
                    seen.add(path)
                    queue.append((path, f"\n  included from {where}{way}"))
                elif path is None and name.startswith("Mirage/"):
                    if name not in PLAIN_GENERATED:
                        tree.error(where, f"there is no {name}")


def check_private(tree):
    """Headers in lib/ are included by their own library only."""
    lib = tree.root / "lib"
    # A header belongs to the libraries that have sources in its folder.
    libraries = {}
    for path, library in tree.library.items():
        libraries.setdefault(path.parent, set()).add(library)
    for top in ("include", "lib", "unittests", "tools", "test", "plugins", "benchmarks"):
        for path in sorted((tree.root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            own = libraries.get(path.parent.resolve(), set())
            if path.resolve() in tree.library:
                own = {tree.library[path.resolve()]}
            for line, name, header in tree.includes(path):
                if header is None or not header.is_relative_to(lib):
                    continue
                if not own & libraries.get(header.parent, set()):
                    tree.error(
                        f"{tree.relative(path)}:{line}",
                        f"{name} is private to another library",
                    )


def main():
    tree = Tree(pathlib.Path(sys.argv[1]).resolve())
    plain = find_plain(tree, read_marks(tree))
    check_libraries(tree, plain)
    check_plain(tree, plain)
    check_private(tree)
    for error in tree.errors:
        print(error)
    if tree.errors:
        return 1
    print(f"{len(plain)} files without IR, {len(tree.library)} sources in libraries")
    return 0


if __name__ == "__main__":
    sys.exit(main())

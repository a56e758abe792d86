"""Checks that files exist which the documentation mentions: relative links, the
headings that links point to, and code that is a path, such as `lib/Search`,
`include/Mirage/Semantics/OpKinds.def` or `test/Corpus/*.mlir`. A path may also
begin at include/Mirage or at lib, and leave out what a header and its source
end in, as `Semantics/Cost` does.

usage: paths.py source-root
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
pages = [root / name for name in ("README.md", "CONTRIBUTING.md")]
for folder in ("docs", "examples", "test"):
    pages += sorted((root / folder).rglob("*.md"))

# The folders at which a path in the documentation may begin.
BASES = ["", "include", "include/Mirage", "lib"]
TOP = "benchmarks cmake docs examples include lib plugins scripts test tools unittests"
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
# A path has a folder in front, or is the name of a source file.
PATH = re.compile(r"[\w.*{},-]+(/[\w.*{},-]+)+/?|\w+\.(h|cpp|def|td|py|sh)")


def slug(heading):
    """The anchor that renderers give a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", heading).strip().lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text))


def anchors(page):
    text = FENCE.sub("", page.read_text())
    return {slug(match) for match in re.findall(r"^#+ (.*)$", text, re.M)}


def expand(pattern):
    """The paths of a{b,c}."""
    match = re.search(r"\{([^{}]*)\}", pattern)
    if not match:
        return [pattern]
    return [
        path
        for choice in match[1].split(",")
        for path in expand(pattern[: match.start()] + choice + pattern[match.end() :])
    ]


def exists(path, page):
    """Whether the path, which may have stars, is there."""
    if path.startswith("build/"):
        return True
    folders = [root / base for base in BASES] + [page.parent]
    if "/" not in path:
        return any(any((root / top).rglob(path)) for top in TOP.split())
    names = [path.rstrip("/"), path + ".*"]
    return any(any(folder.glob(name)) for folder in folders for name in names)


def is_path(text):
    """Whether code is meant as a path of this repository."""
    if not PATH.fullmatch(text):
        return False
    first = text.split("/")[0]
    starts = TOP.split() + [path.name for path in (root / "lib").iterdir()]
    return "/" not in text or first in starts + ["Mirage"]


def check_link(target, page):
    if re.match(r"\w+:", target):
        return None
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists():
        return f"there is no {path}"
    if anchor and file.suffix == ".md" and anchor not in anchors(file):
        return f"{file.name} has no heading #{anchor}"
    return None


count = failures = 0
for page in pages:
    text = FENCE.sub(lambda match: "\n" * match[0].count("\n"), page.read_text())
    found = [(m.start(), check_link(m[1], page)) for m in LINK.finditer(text)]
    for match in CODE.finditer(text):
        if is_path(match[1]):
            missing = [p for p in expand(match[1]) if not exists(p, page)]
            found.append(
                (match.start(), f"there is no {missing[0]}" if missing else None)
            )
    for position, message in sorted(found, key=lambda item: item[0]):
        count += 1
        if message:
            failures += 1
            line = text.count("\n", 0, position) + 1
            print(f"{page.relative_to(root)}:{line}: {message}")
print(f"{count} paths, {failures} missing")

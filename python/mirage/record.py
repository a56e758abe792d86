"""Results on disk, found by content.

A record is a folder whose name is the hash of everything that decides its content: a
kind, and texts. It does not hold paths or names of machines, so a folder of records may
be copied to a machine that has neither Mirage's tools nor an importer. Records are
written under another name and renamed, so that processes may share a folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile

# Part of every key. It changes when what a record holds or how it is made does.
FORMAT = "2"


def root() -> str:
    """The folder of records: MIRAGE_RECORDS, or `mirage` in the user's cache."""
    if chosen := os.environ.get("MIRAGE_RECORDS"):
        return chosen
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(cache, "mirage")


def key(kind: str, *parts: str) -> str:
    """The name of the record of that kind and content."""
    hasher = hashlib.sha256()
    for part in (FORMAT, kind, *parts):
        data = part.encode()
        hasher.update(len(data).to_bytes(8, "little"))
        hasher.update(data)
    return f"{kind}-{hasher.hexdigest()[:32]}"


def find(name: str) -> str | None:
    """The folder of the record, or None."""
    path = os.path.join(root(), name)
    return path if os.path.isdir(path) else None


def write(name: str, files: dict[str, str]) -> str:
    """Writes a record of text files and returns its folder, in place of one of the same
    name. OSError if the disk refuses it."""
    folder = root()
    os.makedirs(folder, exist_ok=True)
    partial = tempfile.mkdtemp(prefix=".partial-", dir=folder)
    try:
        for file_name, text in files.items():
            with open(os.path.join(partial, file_name), "w") as file:
                file.write(text)
        os.chmod(partial, 0o755)
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            # A folder cannot be replaced in one step; its files can.
            for file_name in files:
                os.replace(os.path.join(partial, file_name), os.path.join(path, file_name))
        else:
            try:
                os.rename(partial, path)
            except OSError:  # another process was quicker
                if not os.path.isdir(path):
                    raise
        return path
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def read_text(folder: str, name: str) -> str:
    """The text of a file of a record."""
    with open(os.path.join(folder, name)) as file:
        return file.read()


def read_json(name: str, file: str):
    """What a JSON file of a record holds, or None where there is no such record."""
    folder = find(name)
    return json.loads(read_text(folder, file)) if folder else None

"""Reads the CUDA executables in a module that iree-compile made.

A .vmfb file is a zip archive. Its members for CUDA are FlatBuffers behind a header
of 64 bytes: tables of exports (name, block, shared memory, bindings) and of modules
(PTX), as runtime/src/iree/schemas/cuda_executable_def.fbs of IREE says.
"""

import dataclasses
import re
import struct
import zipfile

HEADER_BYTES = 64


@dataclasses.dataclass
class Export:
    name: str
    block: tuple
    shared_memory: int
    read_only: list  # of each binding


@dataclasses.dataclass
class Executable:
    exports: list
    entries: list  # names of the entries in the PTX


class _Table:
    def __init__(self, data, position):
        self.data, self.position = data, position
        self.fields = position - self._number("<i", position)
        self.count = (self._number("<H", self.fields) - 4) // 2

    def _number(self, format, at):
        return struct.unpack_from(format, self.data, at)[0]

    def field(self, number):
        """Where a field is, or 0."""
        if number >= self.count:
            return 0
        offset = self._number("<H", self.fields + 4 + 2 * number)
        return self.position + offset if offset else 0

    def integer(self, number):
        at = self.field(number)
        return self._number("<I", at) if at else 0

    def target(self, number):
        at = self.field(number)
        return at + self._number("<I", at) if at else 0

    def string(self, number):
        at = self.target(number)
        if not at:
            return ""
        size = self._number("<I", at)
        return self.data[at + 4:at + 4 + size].decode()

    def tables(self, number):
        at = self.target(number)
        places = [at + 4 + 4 * i for i in range(self._number("<I", at) if at else 0)]
        return [_Table(self.data, p + self._number("<I", p)) for p in places]

    def longs(self, number):
        at = self.target(number)
        return [self._number("<Q", at + 4 + 8 * i)
                for i in range(self._number("<I", at) if at else 0)]


def read_executables(path):
    """The CUDA executables of a module, in order."""
    executables = []
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            if "cuda" not in name:
                continue
            data = data[HEADER_BYTES:]
            root = _Table(data, struct.unpack_from("<I", data)[0])
            exports = [
                Export(e.string(1), struct.unpack_from("<III", data, e.field(2)),
                       e.integer(3), [bool(flag & 1) for flag in e.longs(5)])
                for e in root.tables(0)]
            entries = [entry for module in root.tables(1) for entry in
                       re.findall(r"\.entry (\w+)\(", module.string(0))]
            executables.append(Executable(exports, entries))
    return executables


def exports_of_text(text):
    """(executable, export) of a module that mirage-translate --mirage-to-iree
    printed, in order: name, block, shared memory, which bindings are read only."""
    found = []
    for source in re.findall(r'"hal\.executable\.source".*?"hal\.executable\.source_end"',
                             text, re.S):
        exports = []
        for export in re.findall(r'"hal\.executable\.export"\(\) <\{.*?\}>', source):
            bindings = re.findall(r"#hal\.pipeline\.binding<storage_buffer(.*?)>", export)
            block = re.search(r"workgroup_size = \[(.*?)\]", export).group(1)
            exports.append(Export(
                re.search(r'sym_name = "(\w+)"', export).group(1),
                tuple(int(n) for n in re.findall(r"(\d+) : index", block)),
                int(re.search(r"workgroup_local_memory = (\d+)", export).group(1)),
                ["ReadOnly" in binding for binding in bindings]))
        found.append(exports)
    return found

"""Libraries that let `import torch` work where CUDA's libraries are not installed.

The package index has PyTorch with CUDA only, and what its import links takes some
gigabytes. Without a GPU none of it is called. `make(folder, torch)` writes, for each
shared library that PyTorch's libraries need and that nobody has, one that defines the
symbols they refer to, with their versions; each of them ends the process when it is
called. Needs nm, readelf and a C compiler, and Python's standard library.
"""

import collections
import glob
import os
import re
import shutil
import subprocess

# What CUDA's wheels install. libcudart is real: PyTorch calls it when it is loaded.
PREFIXES = ("libcu", "libnccl", "libnvrtc", "libnvshmem")
REAL = ("libcudart",)


def find(*names):
    """The path of the first of these programs that there is."""
    for name in names:
        if path := shutil.which(name):
            return path
    raise FileNotFoundError(f"none of {', '.join(names)} is installed")


def _run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed_symbols(libraries):
    """The sonames of libraries that are missing, and the undefined symbols of
    `libraries` as {version: names}; the version of symbols without one is ""."""
    nm = find("llvm-nm-22", "nm")
    readelf = find("llvm-readelf-22", "readelf")
    sonames, versions, owners = set(), collections.defaultdict(set), {}
    for library in libraries:
        for soname in re.findall(r"NEEDED.*\[(.*?)\]", _run(readelf, "-d", library)):
            if soname.startswith(PREFIXES) and not soname.startswith(REAL):
                sonames.add(soname)
        file = None
        for line in _run(readelf, "-V", library).splitlines():
            if found := re.search(r"File: (\S+)", line):
                file = found.group(1)
            elif file and (found := re.search(r"Name: (\S+)", line)):
                owners[found.group(1)] = file
        for line in _run(nm, "-D", "--undefined-only", library).splitlines():
            name = line.split()[-1]
            if line.split()[0].upper() in ("U", "W"):
                name, _, version = name.partition("@")
                versions[version.strip("@")].add(name)
    return sonames, versions, owners


def make(folder, torch):
    """Writes the libraries into `folder` for the PyTorch whose package is in the
    folder `torch`, and returns their names."""
    libraries = sorted(glob.glob(os.path.join(torch, "lib", "*.so*")))
    sonames, versions, owners = needed_symbols(libraries)
    os.makedirs(folder, exist_ok=True)
    compiler = find("clang-22", "clang", "cc", "gcc")
    # Whatever library of these has a symbol without a version, a loader finds it.
    unversioned = {name for name in versions[""]
                   if re.match(r"cu[A-Z]|(cu|nv)[a-z]+[A-Z_]|nccl[A-Z]", name)
                   and not name.startswith("cuda")}
    for soname in sorted(sonames):
        own = {version: names for version, names in versions.items()
               if version and owners.get(version) == soname}
        lines, script = [], []
        groups = dict(own)
        if soname == min(sonames):
            groups[""] = unversioned
        for number, (version, names) in enumerate(sorted(groups.items())):
            for name in sorted(names):
                # Large enough for a variable, too.
                lines.append(f".globl {name}\n.type {name}, @function\n{name}: ud2\n"
                             f".zero 254\n.size {name}, 256")
            if version:
                script.append(f"{version} {{ global: {'; '.join(sorted(names))}; }};")
        source = os.path.join(folder, "source.s")
        with open(source, "w") as file:
            file.write(".text\n" + "\n".join(lines) +
                       '\n.section .note.GNU-stack,"",@progbits\n')
        command = [compiler, "-shared", "-nostdlib", source, f"-Wl,-soname,{soname}",
                   "-o", os.path.join(folder, soname)]
        if script:
            path = os.path.join(folder, "versions.map")
            with open(path, "w") as file:
                file.write("\n".join(script) + "\n")
            command.append(f"-Wl,--version-script={path}")
        _run(*command)
    return sorted(sonames)

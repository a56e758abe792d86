"""Builds the wheel mirage-superoptimizer, with the static tools inside.

  cmake --preset static && cmake --build --preset static --target mirage-opt \
    --target mirage-run --target mirage-translate
  pip wheel --no-deps ./python            # or: python3 python/build_wheel.py FOLDER

MIRAGE_TOOLS names another folder of tools than build/static/bin. This is the build
backend that pyproject.toml names (PEP 517); it needs Python's standard library alone.
With `--without-tools` the wheel has the tools' identity alone: it finds what was
recorded with them, and compiles nothing.
"""

import base64
import hashlib
import json
import os
import re
import stat
import sys
import zipfile

HERE = os.path.dirname(os.path.realpath(__file__))
PACKAGE = os.path.join(HERE, "mirage")
TOOLS = ("mirage-opt", "mirage-run", "mirage-translate")
# Static tools need glibc alone, 2.36 or later.
TAG = "py3-none-manylinux_2_36_x86_64"
# One time for all files, so that equal contents make equal wheels.
TIME = (2020, 1, 1, 0, 0, 0)

METADATA = """Metadata-Version: 2.1
Name: mirage-superoptimizer
Version: {version}
Summary: {description}
Requires-Python: {python}
{requires}
"""


def _project():
    """What pyproject.toml says; Python 3.10 has no parser for it."""
    with open(os.path.join(HERE, "pyproject.toml")) as file:
        text = file.read()

    def value(key):
        return re.search(rf'^{key} = "(.*)"$', text, re.M).group(1)

    def names(key):
        return re.findall(r'"([^"]+)"', re.search(rf"^{key} = \[(.*)\]$", text, re.M).group(1))
    with open(os.path.join(PACKAGE, "__init__.py")) as file:
        version = re.search(r'^__version__ = "(.*)"$', file.read(), re.M).group(1)
    requires = [f"Requires-Dist: {name}" for name in names("dependencies")]
    for extra in ("torch-mlir", "iree"):
        requires.append(f"Provides-Extra: {extra}")
        requires += [f'Requires-Dist: {name}; extra == "{extra}"' for name in names(extra)]
    metadata = METADATA.format(version=version, description=value("description"),
                               python=value("requires-python"), requires="\n".join(requires))
    entry = f'[torch_dynamo_backends]\nmirage = {value("mirage")}\n'
    return version, metadata, entry


def _tools_folder():
    folder = os.environ.get("MIRAGE_TOOLS") or os.path.join(
        os.path.dirname(HERE), "build", "static", "bin")
    missing = [tool for tool in TOOLS if not os.path.exists(os.path.join(folder, tool))]
    if missing:
        raise SystemExit(f"{folder} has no {', '.join(missing)}: build the preset static, "
                         "or set MIRAGE_TOOLS")
    return folder


def _identity(folder):
    sys.path.insert(0, HERE)
    from mirage import tools
    return json.dumps({"digest": tools.digest(folder)}) + "\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None,
                with_tools=True):
    """Writes the wheel into `wheel_directory` and returns its file's name."""
    version, metadata, entry = _project()
    folder = _tools_folder()
    files = {}
    for name in sorted(os.listdir(PACKAGE)):
        if name.endswith(".py"):
            with open(os.path.join(PACKAGE, name), "rb") as file:
                files[f"mirage/{name}"] = file.read(), 0o644
    files["mirage/tools.json"] = _identity(folder).encode(), 0o644
    for tool in TOOLS if with_tools else ():
        with open(os.path.join(folder, tool), "rb") as file:
            files[f"mirage/bin/{tool}"] = file.read(), 0o755
    information = f"mirage_superoptimizer-{version}.dist-info"
    tag = TAG if with_tools else "py3-none-any"
    wheel = (f"Wheel-Version: 1.0\nGenerator: mirage\nRoot-Is-Purelib: "
             f"{'false' if with_tools else 'true'}\nTag: {tag}\n")
    for name, text in (("METADATA", metadata), ("WHEEL", wheel), ("entry_points.txt", entry)):
        files[f"{information}/{name}"] = text.encode(), 0o644
    record = "".join(
        f"{name},sha256={_hash(data)},{len(data)}\n" for name, (data, _) in files.items())
    record += f"{information}/RECORD,,\n"
    files[f"{information}/RECORD"] = record.encode(), 0o644
    name = f"mirage_superoptimizer-{version}-{tag}.whl"
    os.makedirs(wheel_directory, exist_ok=True)
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w",
                         zipfile.ZIP_DEFLATED) as archive:
        for path, (data, mode) in files.items():
            item = zipfile.ZipInfo(path, TIME)
            item.external_attr = (stat.S_IFREG | mode) << 16
            item.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(item, data)
    return name


def _hash(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--without-tools"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    print(build_wheel(arguments[0], with_tools="--without-tools" not in sys.argv))

"""The comment at the start of an exported file."""

import os
from importlib.metadata import version


def write(path, text, arguments, packages):
    """Writes `text` under a comment with the command and the versions."""
    name = os.path.splitext(os.path.basename(path))[0]
    command = [os.path.basename(arguments[0]), "."] + arguments[2:]
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    with open(path, "w") as file:
        file.write(f"// {name}\n// python {' '.join(command)}\n// {versions}\n\n")
        file.write(text.strip() + "\n")
    print(path)

"""What the exporting scripts share: running tools and writing files."""

import os
import subprocess
import sys
from importlib.metadata import version


def run_tool(name, arguments, text=""):
    """Output of a tool that was installed beside this Python."""
    path = os.path.join(os.path.dirname(sys.executable), name)
    return subprocess.run([path] + arguments, input=text, text=True, check=True,
                          stdout=subprocess.PIPE).stdout


def write(path, text, arguments, commands, packages):
    """Writes `text` under a comment with the commands and the versions."""
    name = os.path.splitext(os.path.basename(path))[0]
    program = name.partition("-")[2]
    flags = [argument for argument in arguments[2:] if argument.startswith("-")]
    commands = [" ".join(["python", os.path.basename(arguments[0]), "."] + flags +
                         [program])] + commands
    lines = [name] + ["  " + command for command in commands]
    lines.append(", ".join(f"{package} {version(package)}" for package in packages))
    with open(path, "w") as file:
        file.write("".join(f"// {line}\n" for line in lines))
        file.write("\n" + text.strip() + "\n")
    print(path)

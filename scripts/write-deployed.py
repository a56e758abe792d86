#!/usr/bin/env python3
"""Writes programs of the kind people deploy, one file each.

  scripts/write-deployed.py examples/deployed
  scripts/write-deployed.py --check examples/deployed

With --check nothing is written: it is a failure if a file differs from what would be
written, if one is missing, or if one is there that no program has. The programs are
those of scripts/deployed; docs/performance/deployed.md says what is found for them.
"""

import argparse
import os
import sys

scripts = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, scripts)
import deployed
from mirage_cpu import ToolError, execute


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--tools", default=os.path.join(
        scripts, "..", "build", "release", "bin"), help="folder of mirage-opt")
    options = parser.parse_args()
    opt = os.path.join(options.tools, "mirage-opt")
    files = {}
    for program in deployed.write_all():
        # The dialect's own spelling is easier to read than the generic one.
        text = execute([opt], program.text)
        files[f"{program.name}.mlir"] = f"// {program.about}\n\n{text}"
    if not options.check:
        os.makedirs(options.folder, exist_ok=True)
        for name, text in files.items():
            with open(os.path.join(options.folder, name), "w") as file:
                file.write(text)
        print(f"{len(files)} programs written")
        return 0
    problems = [f"{name} belongs to no program" for name in sorted(
        set(os.listdir(options.folder)) - set(files) - {"README.md"})]
    for name, text in files.items():
        path = os.path.join(options.folder, name)
        if not os.path.exists(path):
            problems.append(f"{name} is missing")
            continue
        with open(path) as file:
            if file.read() != text:
                problems.append(f"{name} is not what its program says")
    for problem in problems:
        print(problem)
    print(f"{len(files)} programs, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ToolError as error:
        sys.exit(f"error: {error}")

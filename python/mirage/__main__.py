"""Compiles a module in linalg, such as an exporter of a model writes, to PTX.

    python3 -m mirage program.mlir -o FOLDER

FOLDER gets kernels.ptx, manifest.json, and program.mlir with what was found. The module has
a function @main; arguments with the attribute `mirage.constant` are the same in each call.
What was compiled before by the same tools with the same options is taken from the records
(MIRAGE_RECORDS), as torch.compile does. PyTorch is not needed. A line on stderr says where a
compilation is that takes seconds.
"""

import argparse
import os
import shutil
import sys
import time

from . import program, progress, record, tools
from .manifest import ManifestError


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m mirage", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", help="a file of MLIR")
    parser.add_argument("-o", dest="folder", required=True, help="where the results go")
    parser.add_argument("--search", default="kernels=1", help="options of mirage-optimize")
    parser.add_argument("--lower", default="", help="options of mirage-lower-to-nvvm")
    parser.add_argument("--chip", default="sm_90a", help="what to compile for")
    options = parser.parse_args()
    begun = time.monotonic()
    try:
        with open(options.module) as file:
            text = file.read()
        chosen = (text, options.search, options.lower, options.chip)
        recorded = record.find(program.name_of(*chosen)) is not None
        with progress.Line() as line:
            made = program.compile_program(*chosen, show=line.show)
        os.makedirs(options.folder, exist_ok=True)
        for name in ("kernels.ptx", "manifest.json", "program.mlir"):
            shutil.copyfile(os.path.join(made.folder, name), os.path.join(options.folder, name))
    except (OSError, tools.ToolError, ManifestError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    kernels = len(made.function.kernels)
    print(f"{options.module}: {kernels} kernel{'s' * (kernels != 1)} for {made.target}"
          f"{', from the record' if recorded else ''}, {time.monotonic() - begun:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

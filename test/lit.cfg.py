# Configuration of the tests written in MLIR. Features that a test may require:
#
#   plugin      MiragePlugin was built
#   operators   the plugins with operators that Mirage does not know were built
#   ptxas       NVIDIA's PTX assembler is installed
#   cuda        the CUDA driver library loads (not that there is a GPU)
#   asan        built with the address sanitizer
#   unsanitized built without a sanitizer, so that other programs can link it
#   z3          the solver is installed
#   mirage-c    the programs in C that use libMirage-C were built
#   mirage-run, mirage-translate, mirage-lsp-server, mirage-reduce,
#   mirage-mutate
#               the tool was built

import ctypes
import glob
import os
import shutil

import lit.formats

config.name = "Mirage"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.mirage_obj_root, "test")


def find_ptxas():
    """ptxas on PATH, where CUDA_HOME says, or in the usual folders."""
    found = shutil.which("ptxas")
    if found:
        return found
    folders = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    folders += ["/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"]
    folders += sorted(glob.glob("/usr/local/cuda-*"), reverse=True)
    for folder in filter(None, folders):
        found = shutil.which("ptxas", path=os.path.join(folder, "bin"))
        if found:
            return found
    return None


def can_load(library):
    try:
        ctypes.CDLL(library)
        return True
    except OSError:
        return False


config.environment["PATH"] = os.pathsep.join(
    [config.mirage_tools_dir, config.llvm_tools_dir, config.environment["PATH"]]
)
# Stacks of crashes, and options of the sanitizers, reach the tools.
for name in (
    "LLVM_SYMBOLIZER_PATH",
    "ASAN_OPTIONS",
    "UBSAN_OPTIONS",
    "TSAN_OPTIONS",
    "CUDA_HOME",
    "CUDA_PATH",
    "LD_LIBRARY_PATH",
):
    if name in os.environ:
        config.environment[name] = os.environ[name]

if "thread" in config.sanitizers:
    suppressions = os.path.join(config.mirage_src_root, "scripts", "tsan.supp")
    config.environment.setdefault("TSAN_OPTIONS", f"suppressions={suppressions}")

plugin = os.path.join(config.mirage_lib_dir, "MiragePlugin" + config.plugin_ext)
operators = [
    os.path.join(config.mirage_lib_dir, name + config.plugin_ext)
    for name in ("ExampleOperators", "TestOperators")
]
iree_pass = os.path.join(config.mirage_lib_dir, "IREEPass" + config.plugin_ext)
config.substitutions += [
    ("%iree_pass", iree_pass),
    ("%mirage_plugin", plugin),
    ("%example_operators", operators[0]),
    ("%test_operators", operators[1]),
    ("%mirage_src_root", config.mirage_src_root),
    ("%mirage_obj_root", config.mirage_obj_root),
    ("%mirage_tools_dir", config.mirage_tools_dir),
    ("%mlir_include_dir", config.mlir_include_dir),
    ("%llvm_lib_dir", config.llvm_lib_dir),
    ("%python", config.python),
]
if os.path.exists(plugin):
    config.available_features.add("plugin")
if all(map(os.path.exists, operators)):
    config.available_features.add("operators")

# mirage-opt means the one that was built, never another one on PATH.
for tool in (
    "mirage-opt",
    "mirage-run",
    "mirage-translate",
    "mirage-lsp-server",
    "mirage-reduce",
    "mirage-mutate",
):
    path = os.path.join(config.mirage_tools_dir, tool)
    if os.path.exists(path):
        config.available_features.add(tool)
        config.substitutions.append((r"(?<![-/\w%.])" + tool + r"(?![-/\w.:])", path))
c_programs = [
    os.path.join(config.mirage_tools_dir, "mirage-capi-" + name)
    for name in ("pipelines", "superoptimize", "equivalence")
]
if all(map(os.path.exists, c_programs)):
    config.available_features.add("mirage-c")

for tool in ("mlir-opt", "mlir-translate", "mlir-runner", "mlir-tblgen"):
    path = os.path.join(config.llvm_tools_dir, tool)
    if os.path.exists(path):
        config.available_features.add(tool)
        config.substitutions.append((r"(?<![-/\w%.])" + tool + r"(?![-/\w.:])", path))

ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
if can_load("libcuda.so.1"):
    config.available_features.add("cuda")
if shutil.which("z3"):
    config.available_features.add("z3")
if not config.sanitizers:
    config.available_features.add("unsanitized")
if "address" in config.sanitizers:
    config.available_features.add("asan")

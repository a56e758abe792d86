# Runs every GoogleTest program under unittests/ of the build.

import os

import lit.formats

config.name = "Mirage-Unit"
config.suffixes = []
config.test_exec_root = os.path.join(config.mirage_obj_root, "unittests")
config.test_source_root = config.test_exec_root
config.test_format = lit.formats.GoogleTest(".", "Tests")

for name in (
    "ASAN_OPTIONS",
    "UBSAN_OPTIONS",
    "TSAN_OPTIONS",
    "LD_LIBRARY_PATH",
    "HOME",
    "TMPDIR",
):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if "thread" in config.sanitizers:
    suppressions = os.path.join(config.mirage_src_root, "scripts", "tsan.supp")
    config.environment.setdefault("TSAN_OPTIONS", f"suppressions={suppressions}")

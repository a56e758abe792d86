# The archives that a static tool links, in MIRAGE_STATIC_LIBRARIES.
#
# They are named as files: the distribution's imported targets lead to the
# shared libLLVM, and a program with both aborts at its start. A linker takes
# from an archive only the members that something refers to, so the list may be
# generous: what a tool registers decides its size.

file(GLOB MIRAGE_STATIC_MLIR ${LLVM_LIBRARY_DIR}/libMLIR*.a)
# MLIR's own tests and its C interface.
list(FILTER MIRAGE_STATIC_MLIR EXCLUDE REGEX "/libMLIR(CAPI|Test|.*TestPasses)")

# NVPTX is the one code generator.
execute_process(
  COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-config --link-static --libfiles
    nvptx passes irreader linker bitwriter
  OUTPUT_VARIABLE MIRAGE_STATIC_LLVM OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(MIRAGE_STATIC_LLVM)

# Compressed sections and bytecode need these; both have an archive in the
# package of their headers.
find_library(MIRAGE_STATIC_ZLIB NAMES libz.a z REQUIRED)
find_library(MIRAGE_STATIC_ZSTD NAMES libzstd.a zstd REQUIRED)

set(MIRAGE_STATIC_LIBRARIES
  -Wl,--start-group ${MIRAGE_STATIC_MLIR} ${MIRAGE_STATIC_LLVM} -Wl,--end-group
  ${MIRAGE_STATIC_ZLIB} ${MIRAGE_STATIC_ZSTD} m dl rt pthread)
set(MIRAGE_STATIC_LINK_OPTIONS
  # Without position independence there are no 2 MB of relocations.
  -no-pie -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,-s -Wl,--as-needed)

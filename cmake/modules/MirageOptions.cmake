# Finds LLVM and MLIR 22 and sets what every target of Mirage is compiled with.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Mirage needs MLIR 22; ${MLIR_DIR} has ${LLVM_VERSION}. "
    "Set MLIR_DIR to the folder of MLIR 22's MLIRConfig.cmake.")
endif()
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION}: ${MLIR_DIR}")
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
# What is installed finds MLIR's shared libraries where the build has found them.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

include_directories(
  ${CMAKE_SOURCE_DIR}/include
  ${CMAKE_BINARY_DIR}/include)
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(MIRAGE_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${MIRAGE_LLVM_DEFINITIONS})

add_compile_options(-Wall -Wextra -Wno-unused-parameter -fno-exceptions
  -ffunction-sections -fdata-sections)
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
if(MIRAGE_STATIC)
  add_compile_definitions(MIRAGE_STATIC)
endif()
if(MIRAGE_ENABLE_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False positives of g++ 12 inside LLVM's headers once they are inlined.
  add_compile_options(-Wno-maybe-uninitialized -Wno-array-bounds
    -Wno-stringop-overflow -Wno-dangling-pointer -Wno-comment
    -Wno-restrict -Wno-stringop-overread -Wno-free-nonheap-object)
endif()
if(MIRAGE_SANITIZE)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=${MIRAGE_SANITIZE})
  check_cxx_source_compiles("int main() {}" MIRAGE_HAVE_SANITIZER)
  unset(CMAKE_REQUIRED_FLAGS)
  if(NOT MIRAGE_HAVE_SANITIZER)
    message(FATAL_ERROR "The compiler has no libraries for "
      "-fsanitize=${MIRAGE_SANITIZE}. For the distribution's clang-22 they are "
      "in the package libclang-rt-22-dev.")
  endif()
  # LLVM's libraries have no type information that vptr and function could ask.
  add_compile_options(-fsanitize=${MIRAGE_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize=vptr,function)
  add_link_options(-fsanitize=${MIRAGE_SANITIZE})
endif()
if(LLVM_USE_LINKER)
  add_link_options(-fuse-ld=${LLVM_USE_LINKER})
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Precompiled headers are cached only when their times are not compared.
  set(MIRAGE_CCACHE ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${MIRAGE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${MIRAGE_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()

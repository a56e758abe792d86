# Functions that declare Mirage's libraries, tools and TableGen rules.

set(MIRAGE_LIBRARIES "" CACHE INTERNAL "Every library of Mirage, in link order")

# One library whose sources are MLIR code. It shares the precompiled header of
# MirageIRSupport unless NO_PCH is given.
function(add_mirage_library name)
  cmake_parse_arguments(ARG "NO_PCH" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  if(NOT ARG_NO_PCH)
    target_precompile_headers(${name} REUSE_FROM MiragePrecompiled)
    target_link_libraries(${name} PUBLIC MiragePrecompiled)
  endif()
  set(MIRAGE_LIBRARIES ${MIRAGE_LIBRARIES} ${name} CACHE INTERNAL "")
endfunction()

# TableGen of one file: mirage_tablegen(file.td TARGET Name output flags ...).
function(mirage_tablegen file target)
  set(LLVM_TARGET_DEFINITIONS ${file})
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs output flags)
    separate_arguments(flags)
    mlir_tablegen(${output} ${flags})
  endwhile()
  add_public_tablegen_target(${target})
endfunction()

# The MLIR and LLVM libraries that a tool links: the shared ones, or with
# MIRAGE_STATIC the archives listed in MirageStatic.cmake, and then its size is
# printed.
function(mirage_link_mlir target)
  if(MIRAGE_STATIC)
    include(MirageStatic)
    target_link_libraries(${target} PRIVATE ${MIRAGE_STATIC_LIBRARIES})
    target_link_options(${target} PRIVATE ${MIRAGE_STATIC_LINK_OPTIONS})
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND du -h --apparent-size $<TARGET_FILE:${target}>)
  else()
    target_link_libraries(${target} PRIVATE MLIR LLVM)
  endif()
endfunction()

function(add_mirage_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MirageToolSupport)
  target_precompile_headers(${name} REUSE_FROM MiragePrecompiled)
  mirage_link_mlir(${name})
  # The precompiled header is compiled with -fPIC, which -fPIE doesn't match.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
endfunction()

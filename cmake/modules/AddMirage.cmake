# Functions that declare Mirage's libraries, tools and TableGen rules.

# What a source that includes Mirage's headers is compiled with. In this project
# MirageOptions.cmake says it for all sources; the package adds MLIR's folders.
add_library(MirageHeaders INTERFACE)
target_compile_features(MirageHeaders INTERFACE cxx_std_20)
target_include_directories(MirageHeaders INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:include>)
install(TARGETS MirageHeaders EXPORT MirageTargets)
add_library(Mirage::MirageHeaders ALIAS MirageHeaders)

# All of Mirage's libraries: what tools, the plugin and embedding compilers link.
add_library(Mirage INTERFACE)
target_link_libraries(Mirage INTERFACE MirageHeaders)

# Declares one library of Mirage. WITHOUT_IR says that it is plain C++ and includes
# nothing of MLIR; test/Structure/ir-free.test holds it to that. The other
# libraries share the precompiled header of MiragePrecompiled, which is MLIR.
function(add_mirage_library name)
  cmake_parse_arguments(ARG "WITHOUT_IR" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC MirageHeaders ${ARG_LINK_LIBS})
  if(NOT ARG_WITHOUT_IR)
    target_precompile_headers(${name} REUSE_FROM MiragePrecompiled)
  endif()
  target_link_libraries(Mirage INTERFACE ${name})
  install(TARGETS ${name} EXPORT MirageTargets ARCHIVE DESTINATION lib)
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
  if(MIRAGE_SANITIZE)
    target_sources(${target} PRIVATE
      ${PROJECT_SOURCE_DIR}/lib/Support/SanitizerOptions.cpp)
  endif()
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

# A command line tool. It may use all of Mirage; LINK_LIBS are other libraries.
function(add_mirage_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE Mirage MirageToolSupport ${ARG_LINK_LIBS})
  install(TARGETS ${name} RUNTIME DESTINATION bin)
  target_precompile_headers(${name} REUSE_FROM MiragePrecompiled)
  mirage_link_mlir(${name})
  # The precompiled header is compiled with -fPIC, which -fPIE doesn't match.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  # For plugins; the static tools load none.
  if(NOT MIRAGE_STATIC)
    set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  endif()
  target_compile_options(${name} PRIVATE -fPIC)
endfunction()

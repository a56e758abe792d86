# What `cmake --install` copies: headers with the TableGen files and what was
# generated from them, and the package that find_package(Mirage) finds. Tools,
# libraries and the plugin are installed where they are declared. The build tree
# has a package, too, in the same folder: -DMirage_DIR=<build>/lib/cmake/Mirage.

include(CMakePackageConfigHelpers)

install(TARGETS Mirage EXPORT MirageTargets)
install(DIRECTORY include/Mirage include/Mirage-C
  ${CMAKE_BINARY_DIR}/include/Mirage
  DESTINATION include
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.def" PATTERN "*.inc"
  PATTERN CMakeFiles EXCLUDE)

set(MIRAGE_PACKAGE_DIR lib/cmake/Mirage)
set(MIRAGE_BUILD_PACKAGE_DIR ${PROJECT_BINARY_DIR}/${MIRAGE_PACKAGE_DIR})
install(EXPORT MirageTargets NAMESPACE Mirage:: DESTINATION ${MIRAGE_PACKAGE_DIR})
configure_package_config_file(cmake/modules/MirageConfig.cmake.in
  ${MIRAGE_BUILD_PACKAGE_DIR}/MirageConfig.cmake
  INSTALL_DESTINATION ${MIRAGE_PACKAGE_DIR})
write_basic_package_version_file(
  ${MIRAGE_BUILD_PACKAGE_DIR}/MirageConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${MIRAGE_BUILD_PACKAGE_DIR}/MirageConfig.cmake
  ${MIRAGE_BUILD_PACKAGE_DIR}/MirageConfigVersion.cmake
  DESTINATION ${MIRAGE_PACKAGE_DIR})
export(EXPORT MirageTargets NAMESPACE Mirage::
  FILE ${MIRAGE_BUILD_PACKAGE_DIR}/MirageTargets.cmake)

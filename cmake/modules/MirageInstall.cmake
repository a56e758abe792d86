# What `cmake --install` copies: headers with the TableGen files and what was
# generated from them, and the package that find_package(Mirage) finds. Tools,
# libraries and the plugin are installed where they are declared.

include(CMakePackageConfigHelpers)

target_include_directories(Mirage INTERFACE $<INSTALL_INTERFACE:include>)
install(TARGETS Mirage EXPORT MirageTargets)
install(DIRECTORY include/Mirage ${CMAKE_BINARY_DIR}/include/Mirage
  DESTINATION include
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.def" PATTERN "*.inc"
  PATTERN CMakeFiles EXCLUDE)

set(MIRAGE_PACKAGE_DIR lib/cmake/Mirage)
install(EXPORT MirageTargets NAMESPACE Mirage:: DESTINATION ${MIRAGE_PACKAGE_DIR})
configure_package_config_file(cmake/modules/MirageConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/MirageConfig.cmake
  INSTALL_DESTINATION ${MIRAGE_PACKAGE_DIR})
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/MirageConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/MirageConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/MirageConfigVersion.cmake
  DESTINATION ${MIRAGE_PACKAGE_DIR})

# IREE's build includes this file from each folder of IREE_CMAKE_PLUGIN_PATHS.
add_subdirectory(${CMAKE_CURRENT_LIST_DIR} mirage)

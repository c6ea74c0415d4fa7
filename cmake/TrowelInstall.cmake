# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `cmake --install` gives to users, in two components: `runtime` is what runs PTX and needs no LLVM to be
# built; `compiler` adds kernels in C++. Neither needs LLVM or MLIR where it is used.
#
# Nothing installed holds a path of this machine, so the folder may be moved: libraries are found relative to
# the programs, and the CMake package finds its own folder.

include(CMakePackageConfigHelpers)
set(trowel_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Trowel)
set(trowel_doc_folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/trowel)

# Kernel.h, AnyKernel.h and the umbrella stand in the runtime's folder, since they know devices, and need the compiler.
install(DIRECTORY runtime/include/trowel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT runtime
  FILES_MATCHING PATTERN *.h PATTERN Kernel.h EXCLUDE PATTERN AnyKernel.h EXCLUDE PATTERN trowel.h EXCLUDE)
install(TARGETS trowel_runtime EXPORT TrowelRuntime COMPONENT runtime
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS trowel-run COMPONENT runtime)
install(FILES LICENSE CHANGELOG.md DESTINATION ${trowel_doc_folder} COMPONENT runtime)
install(EXPORT TrowelRuntime NAMESPACE Trowel:: DESTINATION ${trowel_package_folder} COMPONENT runtime)

if(TROWEL_BUILD_COMPILER)
  install(DIRECTORY compiler/frontend/include/trowel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT compiler
    FILES_MATCHING PATTERN *.h)
  install(FILES runtime/include/trowel/AnyKernel.h runtime/include/trowel/Kernel.h runtime/include/trowel/trowel.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/trowel COMPONENT compiler)
  install(TARGETS trowel EXPORT TrowelCompiler COMPONENT compiler INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(TARGETS trowel-dump COMPONENT compiler)
  install(FILES ${PROJECT_BINARY_DIR}/docs/tile.md DESTINATION ${trowel_doc_folder} COMPONENT compiler)
  install(EXPORT TrowelCompiler NAMESPACE Trowel:: DESTINATION ${trowel_package_folder} COMPONENT compiler)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TrowelConfig.cmake.in
  ${PROJECT_BINARY_DIR}/TrowelConfig.cmake INSTALL_DESTINATION ${trowel_package_folder}
  NO_SET_AND_CHECK_MACRO)
# Sources stay compatible within a minor version, and the libraries' names change with it.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TrowelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TrowelConfig.cmake ${PROJECT_BINARY_DIR}/TrowelConfigVersion.cmake
  DESTINATION ${trowel_package_folder} COMPONENT runtime)

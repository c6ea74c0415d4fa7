# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What every target of the project shares: warnings, include root, compiler cache, linker.

option(TROWEL_ASSERTIONS "Keep assertions in optimised builds" OFF)

find_program(TROWEL_CCACHE ccache)
if(TROWEL_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TROWEL_CCACHE})
endif()

# Header-only, for the text of messages; in .cpp files alone.
find_package(fmt REQUIRED)

add_library(trowel_settings INTERFACE)
target_include_directories(trowel_settings INTERFACE
  ${PROJECT_SOURCE_DIR}
  ${PROJECT_BINARY_DIR}
  ${PROJECT_SOURCE_DIR}/runtime/include
  ${PROJECT_SOURCE_DIR}/compiler/frontend/include)
target_compile_options(trowel_settings INTERFACE -Wall -Wextra -Wno-unused-parameter)
target_compile_definitions(trowel_settings INTERFACE FMT_HEADER_ONLY=1)
if(TROWEL_ASSERTIONS)
  target_compile_options(trowel_settings INTERFACE -UNDEBUG)
endif()
# lld links the static LLVM in 1-2 s where GNU ld takes ten times as long.
find_program(TROWEL_LLD NAMES ld.lld-22 ld.lld)
if(TROWEL_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_link_options(trowel_settings INTERFACE -fuse-ld=lld)
endif()
target_link_options(trowel_settings INTERFACE -Wl,--gc-sections -Wl,--as-needed)

# trowel_objects(NAME SOURCES ... [LINK ...]) is one folder's sources as an object library: the
# shared libraries take the objects in, unit tests link them directly.
function(trowel_objects name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC trowel_settings ${ARG_LINK})
endfunction()

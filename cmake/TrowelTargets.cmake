# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What every target of the project shares: warnings, include root, compiler cache, linker.

option(TROWEL_ASSERTIONS "Keep assertions in optimised builds" OFF)
set(TROWEL_SANITIZERS "" CACHE STRING "Sanitizers for everything that is built, such as address,undefined or thread")
if(TROWEL_SANITIZERS AND TROWEL_BUILD_COMPILER)
  message(FATAL_ERROR "TROWEL_SANITIZERS needs TROWEL_BUILD_COMPILER=OFF: LLVM's packaged archives are not "
    "instrumented, and a process that is so in part reports faults that are none")
endif()

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
if(TROWEL_SANITIZERS)
  # What is found ends the program: a finding that is only printed passes for a success.
  set(sanitize -fsanitize=${TROWEL_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer -gline-tables-only)
  target_compile_options(trowel_settings INTERFACE ${sanitize})
  target_link_options(trowel_settings INTERFACE ${sanitize})
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
  if(NOT TROWEL_ASSERTIONS)
    # What users get names no folder of the machine that built it. Assertions of developers do.
    target_compile_options(${name} PRIVATE -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
  endif()
endfunction()

# trowel_exports_only_its_own(LIBRARY) hides what runtime/exports.map does not name, and finds a symbol that is
# neither trowel's nor resolved here rather than when a program starts. A sanitizer's are resolved by the program.
function(trowel_exports_only_its_own library)
  set(map ${PROJECT_SOURCE_DIR}/runtime/exports.map)
  set_target_properties(${library} PROPERTIES LINK_DEPENDS ${map})
  target_link_options(${library} PRIVATE -Wl,--version-script=${map})
  if(NOT TROWEL_SANITIZERS)
    target_link_options(${library} PRIVATE -Wl,-z,defs)
  endif()
endfunction()

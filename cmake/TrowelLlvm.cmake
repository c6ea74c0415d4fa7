# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds LLVM and MLIR 22.1 as Debian packages them and prepares them for static linking.
#
# The packaged MLIR archives name the shared libLLVM in their link interfaces. A process that loads it
# shares LLVM's global options with every other user of libLLVM and starts ten times slower, so the
# item is removed here and the static archives are linked by name.

find_package(MLIR 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
include(TableGen)
include(AddLLVM)
include(AddMLIR)

foreach(target IN LISTS MLIR_EXPORTED_TARGETS LLVM_EXPORTED_TARGETS)
  if(TARGET ${target})
    get_target_property(interface ${target} INTERFACE_LINK_LIBRARIES)
    if(interface)
      list(REMOVE_ITEM interface LLVM)
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${interface}")
    endif()
  endif()
endforeach()

# Headers only: what the object libraries need.
add_library(trowel_llvm_headers INTERFACE)
target_include_directories(trowel_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_options(trowel_llvm_headers INTERFACE -Wno-deprecated-declarations)

# The archives: what the shared library, trowel-opt and the unit tests link.
add_library(trowel_llvm INTERFACE)
target_link_libraries(trowel_llvm INTERFACE
  trowel_llvm_headers
  MLIRIR MLIRParser MLIRPass MLIRTransforms MLIRTransformUtils
  MLIRArithDialect MLIRMathDialect MLIRSCFDialect MLIRSCFTransforms MLIRFuncDialect MLIRLLVMDialect MLIRNVVMDialect
  MLIRArithToLLVM MLIRMathToLLVM MLIRSCFToControlFlow MLIRControlFlowToLLVM MLIRFuncToLLVM
  MLIRReconcileUnrealizedCasts MLIRBuiltinToLLVMIRTranslation MLIRLLVMToLLVMIRTranslation
  MLIRNVVMToLLVMIRTranslation MLIRTargetLLVMIRExport
  LLVMNVPTXCodeGen LLVMNVPTXDesc LLVMNVPTXInfo LLVMPasses LLVMCore LLVMSupport)

# One precompiled header of MLIR's core serves all MLIR-heavy sources: 22 s once instead of 20 s each.
# Programs' sources can share it only if they are compiled as the libraries' are: clang refuses a header made
# with -fPIC under -fPIE.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)
add_library(trowel_mlir_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/Empty.cpp)
target_link_libraries(trowel_mlir_pch PUBLIC trowel_settings trowel_llvm_headers)
target_precompile_headers(trowel_mlir_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/MlirPrecompiled.h)

# trowel_mlir_objects(NAME SOURCES ... [LINK ...] [DEPENDS ...]) is trowel_objects for sources that
# include MLIR: they share the precompiled header.
function(trowel_mlir_objects name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  trowel_objects(${name} SOURCES ${ARG_SOURCES} LINK trowel_llvm_headers ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM trowel_mlir_pch)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

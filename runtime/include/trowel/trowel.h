// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything a program needs: the language, kernels, devices and their memory.
//
//   #include <trowel/trowel.h>
//   using namespace trowel;
#pragma once

#include "trowel/AnyKernel.h"
#include "trowel/Benchmark.h"
#include "trowel/Buffer.h"
#include "trowel/Control.h"
#include "trowel/Device.h"
#include "trowel/Elementwise.h"
#include "trowel/Error.h"
#include "trowel/Hint.h"
#include "trowel/InlinePtx.h"
#include "trowel/Kernel.h"
#include "trowel/KernelSource.h"
#include "trowel/Launch.h"
#include "trowel/Layers.h"
#include "trowel/Library.h"
#include "trowel/Math.h"
#include "trowel/Memory.h"
#include "trowel/Occupancy.h"
#include "trowel/PinnedBuffer.h"
#include "trowel/Print.h"
#include "trowel/Printed.h"
#include "trowel/Program.h"
#include "trowel/PtxKernel.h"
#include "trowel/Random.h"
#include "trowel/Reduce.h"
#include "trowel/Report.h"
#include "trowel/Shape.h"
#include "trowel/Stream.h"
#include "trowel/Types.h"
#include "trowel/Value.h"

// For INFINITY and NAN, which fills and comparisons are written with.
#include <cmath>

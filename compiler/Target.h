// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machines that Trowel compiles for, as a table of named features.
//
//   Result<const Target *> target = findTarget("sm_90a");
//   if ((*target)->bf16Arithmetic) ...        // never: if (sm >= 90)
#pragma once

#include "runtime/base/Result.h"

#include <span>
#include <string_view>

namespace trowel::compiler {

/// One row of the table. A feature is true if PTX of this target and of its lowest `.version` may
/// use it.
struct Target {
  /// What `.target` says: "sm_90a".
  const char *name;
  /// Compute capability that it was made for: 9 and 0.
  int major, minor;
  /// Runs on that compute capability alone, not on later ones (the `a` targets).
  bool onlyThisChip;
  /// Lowest PTX `.version` that knows the target, times ten: 80 for 8.0.
  int ptxVersion;

  // Limits. Bytes of shared memory are per CTA: static and dynamic together with the driver's
  // opt-in, and static alone, which needs none. (For the `a` targets ptxas 13 takes more static
  // bytes; older ones do not.)
  int maxSharedBytes;
  int maxStaticSharedBytes;
  int maxThreads;
  /// 32-bit registers that one thread can name, and that all threads of an SM share.
  int registersPerThread;
  int registersPerSm;
  int warpsPerSm;

  // Asynchrony and shared memory.
  bool cpAsync;             ///< cp.async, 4 to 16 bytes
  bool ldmatrix;            ///< ldmatrix of 8x8 16-bit matrices
  bool stmatrix;            ///< stmatrix of the same
  bool mbarrier;            ///< mbarrier.init, arrive, test_wait
  bool mbarrierTransaction; ///< mbarrier.arrive.expect_tx, try_wait
  bool tma;                 ///< cp.async.bulk.tensor
  bool clusters;            ///< barrier.cluster, mapa
  bool electSync;           ///< elect.sync
  bool dependentLaunch;     ///< griddepcontrol
  bool setMaxRegisters;     ///< setmaxnreg

  // Matrix units.
  bool mmaSync;    ///< mma.sync of f16, bf16, tf32, f64, int8
  bool mmaSyncFp8; ///< mma.sync of e4m3 and e5m2
  bool wgmma;      ///< wgmma.mma_async
  bool tcgen05;    ///< tcgen05.mma and tensor memory

  // Arithmetic.
  bool bf16Fma;            ///< fma.rn.bf16 and its packed form
  bool bf16Arithmetic;     ///< add, sub, mul of bf16 and of packed bf16x2
  bool convertFloatToBf16; ///< cvt.rn.bf16.f32, cvt.rn.bf16x2.f32
  bool convertBf16ToFloat; ///< cvt.f32.bf16 (elsewhere a shift by 16)
  bool convertIntToBf16;   ///< cvt.rn.bf16.s32 and of other integers
  bool convertFp8;         ///< cvt between e4m3x2, e5m2x2 and f16x2
  bool approximateBf16;    ///< ex2.approx.ftz.bf16, tanh.approx.bf16
  bool packedFloat;        ///< add, mul, fma of f32x2
  bool maxNan;             ///< max.NaN.f32, min.NaN.f32
  bool warpReduceInt;      ///< redux.sync of integers
  bool warpReduceFloat;    ///< redux.sync.min/max.f32
  bool atomicAddBf16x2;    ///< red.global.add.noftz.bf16x2
};

/// All rows, oldest first.
std::span<const Target> knownTargets();

/// The row of that name, or a sentence that lists the known names.
Result<const Target *> findTarget(std::string_view name);

/// The row whose PTX serves a chip of compute capability `major.minor` best, or a sentence.
Result<const Target *> targetForChip(int major, int minor);

} // namespace trowel::compiler

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The special registers by name, one row each. What their values are is said where a warp starts
// (Machine.cpp) and, for those that change while it runs, in exec/Special.cpp.

#include "runtime/sim/ptx/SpecialRegisters.h"

namespace trowel::sim::ptx {

namespace {
constexpr SpecialRow rows[] = {
    {"%tid.x", Special::TidX, 32},
    {"%tid.y", Special::TidY, 32},
    {"%tid.z", Special::TidZ, 32},
    {"%ntid.x", Special::NtidX, 32},
    {"%ntid.y", Special::NtidY, 32},
    {"%ntid.z", Special::NtidZ, 32},
    {"%ctaid.x", Special::CtaidX, 32},
    {"%ctaid.y", Special::CtaidY, 32},
    {"%ctaid.z", Special::CtaidZ, 32},
    {"%nctaid.x", Special::NctaidX, 32},
    {"%nctaid.y", Special::NctaidY, 32},
    {"%nctaid.z", Special::NctaidZ, 32},
    {"%laneid", Special::LaneId, 32},
    {"%warpid", Special::WarpId, 32},
    {"%nwarpid", Special::NumWarps, 32},
    {"%smid", Special::SmId, 32},
    {"%nsmid", Special::NumSms, 32},
    {"%gridid", Special::GridId, 64},
    {"%lanemask_eq", Special::LaneMaskEq, 32},
    {"%lanemask_le", Special::LaneMaskLe, 32},
    {"%lanemask_lt", Special::LaneMaskLt, 32},
    {"%lanemask_ge", Special::LaneMaskGe, 32},
    {"%lanemask_gt", Special::LaneMaskGt, 32},
    {"%dynamic_smem_size", Special::DynamicSharedBytes, 32},
    {"%total_smem_size", Special::TotalSharedBytes, 32},
    {"%clock", Special::Clock, 32},
    {"%clock_hi", Special::ClockHigh, 32},
    {"%clock64", Special::Clock64, 64},
    {"%globaltimer", Special::GlobalTimer, 64},
    {"%globaltimer_lo", Special::GlobalTimerLow, 32},
    {"%globaltimer_hi", Special::GlobalTimerHigh, 32},
};
} // namespace

const SpecialRow *findSpecialRegister(std::string_view name) {
  if (name.empty() || name[0] != '%')
    return nullptr;
  for (const SpecialRow &row : rows)
    if (row.name == name)
      return &row;
  return nullptr;
}

} // namespace trowel::sim::ptx

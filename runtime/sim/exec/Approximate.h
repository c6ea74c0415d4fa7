// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The .approx and .full forms of opcodes that also have an exact form.
#pragma once

#include "runtime/sim/ptx/Decoder.h"

namespace trowel::sim::exec {

/// Decodes div.full, div.approx, rcp.approx or sqrt.approx on f32; false if it is none of them.
bool decodeApproximateFloat32(Decoder &decoder);
/// Decodes rcp.approx.ftz.f64; false if it is something else.
bool decodeApproximateFloat64(Decoder &decoder);

} // namespace trowel::sim::exec

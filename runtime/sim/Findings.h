// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults that end a launch, and the sentences they are told in.
#pragma once

#include "runtime/driver/DriverApi.h"
#include "runtime/sim/ptx/Program.h"

#include <string>

namespace trowel::sim {

/// Thrown by an instruction's handler; the CTA's runner catches it. It never leaves runtime/sim.
struct Fault {
  driver::CUresult result = driver::cudaErrorLaunchFailed;
  Finding finding;
};

/// A finding of `kind`. The sentence is `what`, then where it happened, then `more`:
/// "ld.global.b32 <what> in program (3, 0, 0), warp 1, lanes 5-31 (PTX line 27); <more>".
Finding makeFinding(const Warp &warp, const Instruction &instruction, Mask lanes, std::string kind,
                    const std::string &what, const std::string &more = {});
/// Ends the launch with such a finding.
[[noreturn]] void raise(const Warp &warp, const Instruction &instruction, Mask lanes,
                        driver::CUresult result, std::string kind, const std::string &what,
                        const std::string &more = {});

/// "lane 3", "lanes 0-15", "lanes 0-3, 8, 12-31".
std::string lanesText(Mask lanes);
/// "byte 4 of the variable 'tile' of 128 bytes", for an offset in shared or local memory.
std::string placeText(const Program &program, ptx::Space space, std::uint64_t offset);
/// "0xd00000000200".
std::string addressText(std::uint64_t address);

} // namespace trowel::sim

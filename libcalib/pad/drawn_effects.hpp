#pragma once
// A rig of one preset's kind. No two laboratories have the same play, tilt or ghosting, so each
// constant is drawn by seed from a published range: a prior centred on one of them is then no longer
// right by construction. `clean` has nothing to draw.

#include <cstdint>
#include <span>
#include <string_view>

#include "libcalib/pad/effects.hpp"

namespace tactelier::pad {

struct RigConstant {
  std::string_view name;  // in the rig's truth, with its unit
  double per_SI;          // value in that unit over SI
  double low, high;       // of `lab`, that unit; log-uniform, from 0 or below uniform
  double rough;           // what `rough` multiplies it by
  double& (*in)(Effects&);
  std::string_view source;
};

std::span<const RigConstant> rig_constants();

/// The preset with its constants drawn; each has a stream of its own. Fails as preset().
Result<Effects> drawn_preset(std::string_view name, std::uint64_t seed);

}  // namespace tactelier::pad

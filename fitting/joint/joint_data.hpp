#pragma once
// The presses that the joint fit reads: ramps at several speeds, chirps and holds at one place.

#include "fitting/joint/joint_fit.hpp"
#include "fitting/recording/fit_context.hpp"

namespace tactelier {

struct JointPresses {
  std::vector<JointTrace> traces;
  std::string where;  // "pad.tact, tactel 45"
  std::size_t rates = 0;
  std::size_t holds = 0;
};

/// At the place where most presses for damping were made. Fails only for damage and cancellation.
Result<JointPresses> load_joint(const FitContext& context);

}  // namespace tactelier

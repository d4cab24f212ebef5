#pragma once
// A pad that relaxes is stiffer in a press than at rest, and the model's stiffness is the long-time
// one (docs/theory/conventions.md 5): presses are read again with the relaxation known.

#include "fitting/joint/joint_fit.hpp"
#include "fitting/recording/fit_context.hpp"

namespace tactelier {

struct KnownRelaxation {
  RateModel model = RateModel::kKelvinVoigt;
  JointValues values;
  double u_stiffness = 0;  // relative standard uncertainty that it leaves to every stiffness
};

/// Makes k_punch, k_punch_tactel, k_affine, curve, foundation_modulus and k the long-time ones;
/// what was not identified stays so. Writes figures of quality["joint"].
Result<void> to_long_time(FitContext& context, const KnownRelaxation& known);

}  // namespace tactelier

#pragma once
// What a tactel's readings are measured against before any press: its level at rest, its noise and
// its ceiling.

#include <optional>
#include <vector>

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

struct PsfTactelBase {
  bool live = false;
  double offset_counts = 0, u_offset_counts = 0;
  double noise_counts = 0;
  double noise_dof = 0;  // of the tactel's own readings at rest; 0: noise known otherwise
  std::optional<double> ceiling_counts;
  bool offset_known = false;
};
/// By tactel.
std::vector<PsfTactelBase> psf_tactel_bases(const FitContext& context);

}  // namespace tactelier

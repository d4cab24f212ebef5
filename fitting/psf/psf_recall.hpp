#pragma once
// The point spread of a model file as the fit held it, so that data can be looked at beside it
// without fitting again.

#include "fitting/psf/psf_data.hpp"

namespace tactelier {

struct RecalledPsf {
  PsfModel model;
  PsfState state;           // slopes and intercepts by problem.tactels; 0 where not identified
  std::vector<bool> known;  // like problem.tactels: has a gain that was identified
};

/// Of the sensor that `problem` was loaded for. Empty while the spread is not identified.
std::optional<RecalledPsf> recall_psf(const SensorModel& model, const PsfProblem& problem);

}  // namespace tactelier

#pragma once
// From the point-spread fit to parameters of the model file, or to the reason why there are none.

#include "fitting/psf/psf_choice.hpp"
#include "fitting/psf/psf_data.hpp"
#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Writes `reason` (code and words) into every parameter of the stage that has no number.
void refuse_psf(SensorModel& model, const std::string& reason);

/// PS-01, PS-04, PS-05 and PS-03 before anything is fitted; empty when the presses can be used.
std::string psf_objection(const PsfData& data);

/// Every place lies on a tactel's centre and no two of them on neighbours.
bool isolated_centres(const PsfProblem& problem, const SensorDescription& sensor);

struct PsfReportSettings {
  double gain_u_percent = 0;  // standard, of force sensor, temperature and creep
  bool latency_open = false;  // of loads that move: what it does looks like ghosting
};

/// Judges and writes spread, registration, gains and thresholds. Returns false when the spread was
/// refused: then nothing of the stage has a number.
bool report_psf(FitContext& context, const PsfData& data, const PsfChoice& choice,
                const PsfUncertainty& uncertainty, double noise_chi2_per_dof,
                const PsfReportSettings& settings, StageQuality& quality);

/// Gains and thresholds of tactels without one, from the mean and spread of those fitted.
void predict_tactels(FitContext& context, const PsfData& data, const PsfFit& fit,
                     StageQuality& quality);

}  // namespace tactelier

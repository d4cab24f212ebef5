#pragma once
// A model as it might have come out as well: its parameters drawn from the normal distribution of
// the fit. What was estimated together is drawn together, by the model's covariance blocks; every
// other parameter by its own standard error. Statistical uncertainty alone: what repetition can't
// show (u_total) is the same for all draws. Friction of one tactel follows that of the contact, of
// which it is a share. Knots and curves stay, and so does what was assumed.

#include "fitting/statistics/random.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// `what`: "draw 3 of 10, seed 1". Stands behind each drawn parameter's stage and in
/// provenance.options["draw"], beside the model's hash; the serial gets " draw 3" from `number`.
/// No parameter leaves the sign it was fitted with, and mu_s stays at least mu_d where it was: such
/// draws are repeated. Fails with kInvalidInput where a covariance block is no covariance, with
/// kUnidentifiable where no parameter has an error to draw by, or no draw in a thousand will do.
Result<SensorModel> redrawn_model(const SensorModel& model, int number, const std::string& what,
                                  RandomSource& random);

}  // namespace tactelier

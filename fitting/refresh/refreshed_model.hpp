#pragma once
// A model with the gains that have moved since it was made (gain_changes.hpp). What has not moved
// clearly stays as it was, digit for digit.

#include <string>

#include "fitting/refresh/gain_changes.hpp"

namespace tactelier::refresh {

/// Gains of `earlier` times their changes: of the tactels that moved on their own, and of all where
/// all did. Their intervals follow from how well the change is known; what the force sensor's
/// certificate adds (u_total) stays. Thresholds are newtons and stay.
SensorModel refreshed(const SensorModel& earlier, const GainChanges& changes);

/// "gains of 6 of 82 tactels changed by -8.1 to -7.6 %, the others hold".
std::string words_of(const GainChanges& changes);

}  // namespace tactelier::refresh

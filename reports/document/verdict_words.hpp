#pragma once
// The verdict of a report in plain sentences.

#include <string>
#include <vector>

#include "reports/fit_verdict.hpp"

namespace tactelier {

/// "81 of 84 tactels are calibrated; 2 are dead." "Identified for the sensor as a whole: ..."
/// "Not identified: Friction (too few slides; record P9, slides at eight speeds, ...)."
std::vector<std::string> verdict_sentences(const SensorModel& model, const FitVerdict& verdict);

}  // namespace tactelier

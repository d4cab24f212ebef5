#pragma once
// Numbers and answers of planned events.

#include <string>

#include "libcalib/protocol/plan.hpp"

namespace tactelier {

/// Nine significant digits: 0.0014 m * 1000 is written 1.4, not 1.4000000000000001.
double tidy(double value);
double tidy_mm(double length_m);

/// {"slide": 3}: what ends a slide or an image says which.
std::string number_data(const char* key, int number);

/// The event's data with the operator's answer in it; unchanged when it awaits none.
std::string data_with_answer(const PlannedEvent& event, double answer);

}  // namespace tactelier

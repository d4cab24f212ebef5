#pragma once
// How reports say whether rubber was conditioned before it was measured.

#include <string>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// "conditioned, 3 cycles to 0.96 mm", "not conditioned".
std::string conditioning_words(const Conditions& conditions);

}  // namespace tactelier

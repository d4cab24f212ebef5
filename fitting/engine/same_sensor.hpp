#pragma once
// Whether sessions may be of one sensor: a model is of one.

#include <string>

#include "libcalib/session/metadata.hpp"

namespace tactelier {

/// Why two sessions can't be of one sensor: another serial number, another description. Empty when
/// they can; a session that names no serial number can be of any.
std::string sensor_difference(const SessionMetadata& a, const SessionMetadata& b);

}  // namespace tactelier

#pragma once
// What the tactels of an imported table read unloaded, where its map states it as a number:
// "rest": {"reads": 512}. Static tables seldom hold a row without a load.

#include <vector>

#include "libcalib/session/metadata.hpp"

namespace tactelier {

/// In recorded counts, by tactel; empty when no map stated it.
std::vector<double> stated_rest(const SessionMetadata& metadata);

}  // namespace tactelier

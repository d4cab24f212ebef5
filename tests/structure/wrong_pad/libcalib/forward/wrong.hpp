#pragma once
// Breaks the rule on purpose: what predicts images knows nothing of the pad that they are tested on.
#include "libcalib/pad/footprint.hpp"

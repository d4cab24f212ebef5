#pragma once
// Breaks the rule on purpose: what is fitted knows nothing of the truth.
#include "libcalib/pad/pad_truth.hpp"

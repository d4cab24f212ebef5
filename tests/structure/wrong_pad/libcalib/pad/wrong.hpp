#pragma once
// Breaks the rule on purpose: the simulated pad has its own physics.
#include "libcalib/models/pchip.hpp"
#include "libcalib/forward/psf_method.hpp"

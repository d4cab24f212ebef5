#pragma once
// Slots that several formats have alike: what a pad of tactels is made of.

#include "reports/export/slots.hpp"

namespace tactelier {

inline constexpr Slot kStiffnessSlot{"stiffness", "stiffness.k", "N/m, one tactel",
                                     Bound::kPositive, Need::kRequired};
inline constexpr Slot kDampingSlot{"damping", "damping.c_n", "N*s/m, one tactel",
                                   Bound::kNotNegative, Need::kRequired};
inline constexpr Slot kRangeSlot{"range", "stiffness.max_penetration", "m: how far a tactel gives"};
inline constexpr Slot kThicknessSlot{"thickness_m", "sensor.thickness_m", "m: elastic layer"};
inline constexpr Slot kRateSlot{"rate_hz", "timing.rate_hz", "Hz: of the sensor's frames"};
inline constexpr Slot kLatencySlot{"latency_s", "timing.latency_s", "s: of the sensor's frames",
                                   Bound::kNotNegative};
inline constexpr Slot kSpreadSlot{"psf_sigma_m", "psf.sigma", "m: spread of force to neighbours"};
inline constexpr Slot kKernelSlot{"psf_kernel_s", "psf.kernel_sampled.s",
                                  "tactels: the same for a kernel exp(-r^2/2s^2)"};
inline constexpr Slot kModulusSlot{"modulus", "hydroelastic.modulus", "Pa"};
inline constexpr Slot kFoundationSlot{"foundation_m", "hydroelastic.thickness",
                                      "m: of the layer that the modulus is for"};

}  // namespace tactelier

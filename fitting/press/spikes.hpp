#pragma once
// Single samples far from all of their neighbours: interference on a cable, a bit lost on the wire.
// One of them would be the peak of its press, and everything after it "unloading".

#include <cstddef>
#include <span>
#include <vector>

namespace tactelier {

constexpr double kSpikeSigmas = 10;  // of the noise from sample to sample

/// Indices of up to three samples in a row that lie further from the median of the seven about them
/// than 10 times the robust noise and than anything else there does. A step is none: one side of it
/// agrees. Nothing in series without noise or with missing cells in between.
std::vector<std::size_t> find_spikes(std::span<const double> values);

}  // namespace tactelier

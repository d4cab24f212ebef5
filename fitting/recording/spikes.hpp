#pragma once
// Single samples far from all of their neighbours: interference on a cable, a bit lost on the wire.
// One of them would be the peak of its press, and everything after it "unloading".

#include <cstddef>
#include <span>
#include <vector>

namespace tactelier {

constexpr double kSpikeSigmas = 10;  // of the noise from sample to sample

/// Indices of one to three samples in a row that lie further off both sides than 10 times the
/// noise, a twentieth of the series' range, and five times the steps beside them, where both sides
/// agree. A step of the stage is none, nor is the turn of a fast press. Nothing in series without
/// noise.
std::vector<std::size_t> find_spikes(std::span<const double> values);

}  // namespace tactelier

#pragma once
// Synthesises, fits, and counts how often the truth lies inside the intervals that the fit states.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "libcalib/model_file/model_file.hpp"

namespace tactelier::test {

/// Of one parameter, over tactels and sensors.
struct Coverage {
  int compared = 0;
  int held = 0;              // |value - truth| within the 95 % interval
  double mean_error = 0;     // signed, relative to the truth
  double mean_interval = 0;  // half-width, relative

  double share() const { return static_cast<double>(held) / compared; }
};

/// press_gain, press_threshold, saturation, gain, threshold; k_punch, foundation_modulus, sigma.
using Coverages = std::map<std::string, Coverage>;

/// One recording per seed in `folder`, fitted alone and removed again.
Coverages accuracy(const std::filesystem::path& folder, const std::string& protocol,
                   const std::string& preset, const std::vector<std::uint64_t>& seeds);

bool is_of_tactel(const std::string& name);

/// All parameters of which there is one per tactel.
Coverage of_tactels(const Coverages& coverages);

}  // namespace tactelier::test

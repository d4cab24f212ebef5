#pragma once
// A mean that goes along with a series, over as many neighbours before as behind.

#include <span>
#include <vector>

namespace tactelier {

/// Of values i - half to i + half each; of those that there are, towards the ends.
std::vector<double> moving_mean(std::span<const double> values, std::size_t half);

}  // namespace tactelier

#pragma once
// Words of which the description of a step is put together: "all tactels, 1 pass at 0.5 mm/s".

#include <string>
#include <string_view>
#include <vector>

#include "libcalib/protocol/protocol.hpp"

namespace tactelier {

/// "1 pass", "2 passes".
std::string times(int count, std::string_view what);
/// "1, 2, 4 mm"; more than eight in brief. `from_si` takes the values to `unit`.
std::string one_or_list(const std::vector<double>& values, double from_si, std::string_view unit);
/// "all tactels", "3 sites", "centre, (1, 2) mm".
std::string sites_text(const Sites& sites);
/// "0.5 mm" or "2 N".
std::string target_text(const Target& target);

}  // namespace tactelier

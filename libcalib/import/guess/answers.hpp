#pragma once
// What users answer to the questions of a guessed map, read.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tactelier {

/// "14x6" or "3.4": one number above 0, or more of them.
std::optional<std::vector<double>> numbers_in(std::string_view text);

/// "t_s, load,s1" at its commas.
std::vector<std::string> listed(std::string_view text);

/// "8322237=0,8341540=50 g": what a force column in counts read under two loads.
struct LoadCell {
  std::array<double, 2> reads{}, is{};
  std::string unit;  // as parse_unit() knows it, or g, kg
};
std::optional<LoadCell> load_cell_in(std::string_view text);

}  // namespace tactelier

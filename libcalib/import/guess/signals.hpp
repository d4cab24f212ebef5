#pragma once
// What a guess reads off the columns of a table: do two go together, do rows follow each other, how
// often does a load come and go. NaN: a cell without a number.

#include <span>
#include <vector>

namespace tactelier {

/// Median of what is a number, 0 where nothing is.
double middle_of(std::vector<double> values);

/// Differences of neighbours.
std::vector<double> steps_of(const std::vector<double>& values);

/// Of rows that have both; 0 where one of them never changes.
double correlation(std::span<const double> a, std::span<const double> b);

/// Each value is near the one before, as in a time series of a hundred rows or more.
bool rows_follow(const std::vector<double>& values);

/// How far values go below and above `rest`, at least 0 each.
struct Swing {
  double low = 0, high = 0;
};
Swing swing_about(std::span<const double> values, double rest);

struct Touches {
  int count = 0;
  bool open = false;  // the last one lasts to the end
};
/// How often a load rises above `rest` by `threshold`; it ends where half of that is left.
Touches touches_of(const std::vector<double>& load, double rest, double threshold);

}  // namespace tactelier

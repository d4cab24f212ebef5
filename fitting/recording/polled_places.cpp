#include "fitting/recording/polled_places.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kUsual_s = 0.1;  // between answers, where nothing moves

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Rows at which a column is another than in the row before.
std::vector<std::size_t> changes(const Samples& rows) {
  std::vector<std::size_t> found;
  for (std::size_t i = 1; i < rows.rows(); ++i)
    if (std::ranges::any_of(rows.columns,
                            [&](const auto& column) { return !same(column[i], column[i - 1]); }))
      found.push_back(i);
  return found;
}

double usual_s(const Samples& rows, const std::vector<std::size_t>& at) {
  if (at.size() < 2) return kUsual_s;
  std::vector<double> apart;
  for (std::size_t i = 1; i < at.size(); ++i)
    apart.push_back(rows.time_s[at[i]] - rows.time_s[at[i - 1]]);
  const auto middle = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
  std::ranges::nth_element(apart, middle);
  return *middle;
}

void keep(const Samples& rows, std::size_t i, double time_s, Samples& kept) {
  kept.time_s.push_back(time_s);
  for (std::size_t c = 0; c < rows.columns.size(); ++c)
    kept.columns[c].push_back(rows.columns[c][i]);
}

}  // namespace

Samples polled_places(const Samples& rows) {
  Samples kept;
  kept.columns.resize(rows.columns.size());
  if (rows.rows() == 0) return kept;
  auto at = changes(rows);
  const double apart_s = usual_s(rows, at);
  keep(rows, 0, rows.time_s.front(), kept);
  at.push_back(rows.rows());
  for (const std::size_t next : at) {
    const bool end = next == rows.rows();
    const double until_s = end ? rows.time_s.back() : rows.time_s[next];
    const double held_s = until_s - kept.time_s.back();
    for (double back = std::ceil(held_s / apart_s - 1.5); back >= (end ? 0 : 1); --back)
      keep(rows, next - 1, until_s - back * apart_s, kept);
    if (!end) keep(rows, next, until_s, kept);
  }
  return kept;
}

}  // namespace tactelier

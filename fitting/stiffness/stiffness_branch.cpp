#include "fitting/stiffness/stiffness_branch.hpp"

#include <algorithm>

namespace tactelier {
namespace {

constexpr double kRestShare = 0.2;  // of a hold, at its end: the pad has come to rest
constexpr double kSteady = 0.5;     // lowest over highest force of a hold
constexpr double kInContact = 0.1;  // of the force's range: in contact, when nobody knows where

/// Row of the deepest reading; at rest nothing creeps, so it is the end of the loading branch.
std::size_t deepest(const PressData& data) {
  return static_cast<std::size_t>(std::distance(
      data.travel_m.begin(), std::max_element(data.travel_m.begin(), data.travel_m.end())));
}

std::size_t peak_row(const PressData& data) {
  return data.static_readings && data.has_travel() ? deepest(data) : data.peak;
}

void add_row(LoadingBranch& branch, const PressData& data, std::span<const double> depth_m,
             double bias_N, std::size_t begin, std::size_t end) {
  double depth = 0;
  double force = 0;
  for (std::size_t i = begin; i < end; ++i) {
    depth += depth_m[i];
    force += data.force_N[i] - bias_N;
  }
  branch.depth_m.push_back(depth / static_cast<double>(end - begin));
  branch.force_N.push_back(force / static_cast<double>(end - begin));
}

/// A regulator that can't settle between two steps of the stage lets go and presses again: the
/// means of such a hold belong to no point of the curve.
bool steady(const PressData& data, double bias_N, std::size_t begin, std::size_t end) {
  double low_N = data.force_N[begin], high_N = low_N;
  for (std::size_t i = begin; i < end; ++i) {
    low_N = std::min(low_N, data.force_N[i]);
    high_N = std::max(high_N, data.force_N[i]);
  }
  return low_N - bias_N > kSteady * (high_N - bias_N);
}

/// One reading per hold: the mean of its last fifth.
LoadingBranch hold_readings(const PressData& data, const Press& press,
                            std::span<const double> depth_m, double bias_N) {
  LoadingBranch branch;
  branch.independent = true;
  for (const auto& hold : press.holds) {
    const double from_s = hold.end_s - kRestShare * (hold.end_s - hold.begin_s);
    const auto row = [&](double time_s) {
      return static_cast<std::size_t>(std::distance(
          data.time_s.begin(), std::lower_bound(data.time_s.begin(), data.time_s.end(), time_s)));
    };
    const std::size_t begin = row(from_s);
    const std::size_t end = row(hold.end_s);
    if (begin >= end) continue;
    if (!steady(data, bias_N, begin, end)) continue;
    LoadingBranch reading;
    add_row(reading, data, depth_m, bias_N, begin, end);
    // Holds while unloading belong to the other branch.
    if (!branch.depth_m.empty() && reading.depth_m[0] <= branch.depth_m.back() &&
        reading.force_N[0] <= branch.force_N.back())
      break;
    branch.depth_m.push_back(reading.depth_m[0]);
    branch.force_N.push_back(reading.force_N[0]);
  }
  return branch;
}

}  // namespace

LoadingBranch loading_branch(const PressData& data, const Press& press,
                             std::span<const double> depth_m, double force_bias_N,
                             bool from_contact) {
  const bool at_rest = press.kind == PressKind::kStaircase || press.kind == PressKind::kArea;
  if (at_rest && press.holds.size() >= 2) {
    auto branch = hold_readings(data, press, depth_m, force_bias_N);
    branch.from_contact = from_contact;
    return branch;
  }
  LoadingBranch branch{{}, {}, from_contact, data.static_readings};
  const std::size_t rows = data.rows() == 0 ? 0 : peak_row(data) + 1;
  for (std::size_t i = 0; i < rows; ++i) add_row(branch, data, depth_m, force_bias_N, i, i + 1);
  if (from_contact || data.static_readings || rows == 0) return branch;
  // Nobody knows where contact is: rows that carry some force are surely beyond it.
  const auto [low, high] = std::minmax_element(branch.force_N.begin(), branch.force_N.end());
  const double threshold = *low + kInContact * (*high - *low);
  std::size_t first = rows;
  while (first > 0 && branch.force_N[first - 1] >= threshold) --first;
  branch.depth_m.erase(branch.depth_m.begin(),
                       branch.depth_m.begin() + static_cast<std::ptrdiff_t>(first));
  branch.force_N.erase(branch.force_N.begin(),
                       branch.force_N.begin() + static_cast<std::ptrdiff_t>(first));
  return branch;
}

std::size_t unloading_start(const PressData& data, const Press& press) {
  std::size_t start = peak_row(data);
  for (const auto& hold : press.holds) {
    const auto end = std::lower_bound(data.time_s.begin(), data.time_s.end(), hold.end_s);
    const auto row = static_cast<std::size_t>(std::distance(data.time_s.begin(), end));
    // A hold at less than half of the peak is a step of either branch.
    if (row > start + 1 && row <= data.rows() &&
        data.force_N[row - 1] > 0.5 * data.force_N[data.peak])
      start = row - 1;
  }
  return start;
}

LoadingBranch down_to(double depth_m, const LoadingBranch& branch) {
  LoadingBranch kept{{}, {}, branch.from_contact, branch.independent};
  for (std::size_t i = 0; i < branch.depth_m.size() && branch.depth_m[i] <= depth_m; ++i) {
    kept.depth_m.push_back(branch.depth_m[i]);
    kept.force_N.push_back(branch.force_N[i]);
  }
  return kept;
}

}  // namespace tactelier

#include "devices/motion/time_left.hpp"

#include <algorithm>
#include <numeric>

namespace tactelier::rig {
namespace {

constexpr std::size_t kRemembered = 20;
// Of a stage that is asked where it is ten times a second (docs/safety.md).
constexpr double kMove_s = 0.2, kLoad_s = 0.4, kRest_s = 0.02;
constexpr double kShare = 0.2;  // of what was planned: no piece is taken for shorter

double usual_excess_s(Phase phase) {
  switch (phase) {
    case Phase::kTravel:
    case Phase::kUnload:
    case Phase::kSlide:
      return kMove_s;
    case Phase::kLoad:
      return kLoad_s;
    default:
      return kRest_s;
  }
}

}  // namespace

void TimeLeft::took(std::size_t segment, double duration_s) {
  const auto& planned = plan_.segments[segment];
  auto& seen = excess_s_[kind_of(planned)];
  seen.push_back(duration_s - planned.duration_s);
  if (seen.size() > kRemembered) seen.pop_front();
}

double TimeLeft::excess_s(const Segment& segment) const {
  const double usual_s = usual_excess_s(segment.phase);
  const auto seen = excess_s_.find(kind_of(segment));
  if (seen == excess_s_.end()) return usual_s;
  const auto& all = seen->second;
  const double sum_s = std::accumulate(all.begin(), all.end(), usual_s);
  const double longest_s = std::max(usual_s, *std::max_element(all.begin(), all.end()));
  return (sum_s - longest_s) / static_cast<double>(all.size());
}

double TimeLeft::expected_s(std::size_t from) const {
  std::map<Kind, double> excess;
  double sum_s = 0;
  for (auto i = from; i < plan_.segments.size(); ++i) {
    const auto& segment = plan_.segments[i];
    const auto [known, added] = excess.try_emplace(kind_of(segment), 0);
    if (added) known->second = excess_s(segment);
    sum_s += std::max(kShare * segment.duration_s, segment.duration_s + known->second);
  }
  return sum_s;
}

double TimeLeft::left_s(std::size_t segment, double in_s) const {
  if (segment >= plan_.segments.size()) return 0;
  const auto& now = plan_.segments[segment];
  const double of_this_s = std::max(kShare * now.duration_s, now.duration_s + excess_s(now));
  return std::max(0.0, of_this_s - in_s) + expected_s(segment + 1);
}

}  // namespace tactelier::rig

#include "fitting/friction/load_groups.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace tactelier {
namespace {

constexpr double kSameLoad = 0.15;  // loads closer than this are one

}  // namespace

LoadGroups::LoadGroups(const ChosenRuns& chosen) {
  std::vector<double> all;
  for (const auto* run : chosen.slides.empty() ? chosen.swings : chosen.slides)
    all.push_back(run->mean_normal_N);
  std::sort(all.begin(), all.end());
  std::vector<std::vector<double>> groups;
  for (const double load : all) {
    if (groups.empty() || load > groups.back().back() * (1 + kSameLoad)) groups.emplace_back();
    groups.back().push_back(load);
  }
  for (const auto& group : groups) {
    double mean = 0;
    for (const double load : group) mean += load / static_cast<double>(group.size());
    means_N_.push_back(mean);
  }
}

double LoadGroups::reference_N() const {
  return means_N_.empty() ? 0 : means_N_[(means_N_.size() - 1) / 2];
}

std::size_t LoadGroups::of(const SlideRun& run) const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < means_N_.size(); ++i)
    if (std::abs(run.mean_normal_N - means_N_[i]) < std::abs(run.mean_normal_N - means_N_[best]))
      best = i;
  return best;
}

std::size_t LoadGroups::count(const std::vector<const SlideRun*>& runs) const {
  std::set<std::size_t> seen;
  for (const auto* run : runs) seen.insert(of(*run));
  return seen.size();
}

}  // namespace tactelier

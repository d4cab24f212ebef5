#pragma once
// Which runs were made at about the same normal force.

#include <vector>

#include "fitting/friction/friction_runs.hpp"

namespace tactelier {

class LoadGroups {
 public:
  LoadGroups() = default;
  /// By the slides; by the oscillations where there are none.
  explicit LoadGroups(const ChosenRuns& chosen);

  std::size_t size() const { return means_N_.size(); }
  double mean_N(std::size_t group) const { return means_N_[group]; }
  /// Mean of the middle group; 0 without any.
  double reference_N() const;
  /// Index of the nearest group.
  std::size_t of(const SlideRun& run) const;
  /// How many groups these runs belong to.
  std::size_t count(const std::vector<const SlideRun*>& runs) const;

 private:
  std::vector<double> means_N_;  // ascending
};

}  // namespace tactelier

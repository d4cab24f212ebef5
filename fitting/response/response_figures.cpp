#include "fitting/response/response_figures.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/line_fit.hpp"

namespace tactelier {

double Branch::at(double wanted_N) const {
  if (wanted_N <= force_N.front()) return counts.front();
  if (wanted_N >= force_N.back()) return counts.back();
  const auto right = std::upper_bound(force_N.begin(), force_N.end(), wanted_N);
  const auto i = static_cast<std::size_t>(right - force_N.begin());
  const double share = (wanted_N - force_N[i - 1]) / (force_N[i] - force_N[i - 1]);
  return counts[i - 1] + share * (counts[i] - counts[i - 1]);
}

Branch binned_branch(std::span<const double> force_N, std::span<const double> counts, double low_N,
                     double high_N, int bins) {
  const auto size = static_cast<std::size_t>(bins);
  std::vector<double> number(size), force(size), reading(size);
  for (std::size_t i = 0; i < force_N.size(); ++i) {
    const double place = (force_N[i] - low_N) / (high_N - low_N) * bins;
    if (!(place >= 0 && place < bins)) continue;
    const auto bin = static_cast<std::size_t>(place);
    number[bin] += 1;
    force[bin] += force_N[i];
    reading[bin] += counts[i];
  }
  Branch branch;
  for (std::size_t bin = 0; bin < size; ++bin) {
    if (number[bin] == 0) continue;
    branch.force_N.push_back(force[bin] / number[bin]);
    branch.counts.push_back(reading[bin] / number[bin]);
  }
  return branch;
}

BranchGap branch_gap(const Branch& load, const Branch& unload, std::span<const double> grid_N) {
  BranchGap gap;
  for (const double force_N : grid_N) {
    gap.load.push_back(load.at(force_N));
    gap.unload.push_back(unload.at(force_N));
    const double difference = gap.unload.back() - gap.load.back();
    if (gap.load.size() == 1 || difference > gap.largest_counts) gap.largest_counts = difference;
  }
  return gap;
}

double loop_area_counts_N(std::span<const double> force_N, std::span<const double> counts) {
  double area = 0;
  for (std::size_t i = 1; i < force_N.size(); ++i)
    area += 0.5 * (counts[i] + counts[i - 1]) * (force_N[i] - force_N[i - 1]);
  return area;
}

Result<double> nonlinearity_best_line_percent(std::span<const double> force_N,
                                              std::span<const double> counts, double full_scale) {
  return fit_line(force_N, counts).map([&](const LineFit& line) {
    double largest = 0;
    for (std::size_t i = 0; i < force_N.size(); ++i)
      largest = std::max(largest, std::abs(line.residual(force_N[i], counts[i])));
    return 100 * largest / full_scale;
  });
}

}  // namespace tactelier

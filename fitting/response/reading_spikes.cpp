#include "fitting/response/reading_spikes.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kReach = 3;  // neighbours on each side
constexpr double kGross = 8;       // robust deviations: rigs have tails that are no glitches
constexpr double kMost = 0.1;      // of all readings

struct Residuals {
  std::vector<std::vector<double>> of_press;
  double sigma = 0;  // robust, of all; never below the noise
};

Residuals residuals_of(std::span<const ResponsePress> presses, const AffineFit& fit,
                       const AffineSettings& settings) {
  Residuals residuals;
  std::vector<double> all;
  for (const auto& press : presses) {
    residuals.of_press.push_back(
        affine_residuals(press, settings, fit.threshold_N, fit.gain_N_per_count));
    const auto& own = residuals.of_press.back();
    all.insert(all.end(), own.begin(), own.end());
  }
  residuals.sigma = all.empty() ? 1 : std::max(1.0, mad_sigma(all));
  return residuals;
}

/// Each less the median of its neighbours' and its own: free of how well the line fits.
std::vector<double> off_neighbours(std::span<const double> residuals) {
  std::vector<double> off;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    const std::size_t begin = i < kReach ? 0 : i - kReach;
    const std::size_t end = std::min(residuals.size(), i + kReach + 1);
    off.push_back(residuals[i] - median(residuals.subspan(begin, end - begin)));
  }
  return off;
}

std::vector<std::size_t> beyond(std::span<const double> values, double limit) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::abs(values[i]) > limit) rows.push_back(i);
  return rows;
}

void take_out(std::span<const std::size_t> rows, std::vector<double>& values) {
  for (const auto row : rows) values[row] = std::nan("");
  std::erase_if(values, [](double v) { return std::isnan(v); });
}

}  // namespace

int remove_spikes(std::vector<ResponsePress>& presses, const AffineFit& fit,
                  const AffineSettings& settings) {
  const auto residuals = residuals_of(presses, fit, settings);
  std::vector<std::vector<double>> off;
  std::vector<double> all;
  for (const auto& own : residuals.of_press) {
    off.push_back(off_neighbours(own));
    all.insert(all.end(), off.back().begin(), off.back().end());
  }
  const double limit = kGross * std::max(1.0, mad_sigma(all));
  std::vector<std::vector<std::size_t>> spikes;
  std::size_t count = 0;
  for (const auto& own : off) {
    spikes.push_back(beyond(own, limit));
    count += spikes.back().size();
  }
  if (static_cast<double>(count) > kMost * static_cast<double>(all.size())) return 0;
  for (std::size_t p = 0; p < presses.size(); ++p) {
    take_out(spikes[p], presses[p].force_N);
    take_out(spikes[p], presses[p].counts);
  }
  return static_cast<int>(count);
}

int downweighted(std::span<const ResponsePress> presses, const AffineFit& fit,
                 const AffineSettings& settings) {
  const auto residuals = residuals_of(presses, fit, settings);
  int count = 0;
  for (const auto& own : residuals.of_press)
    count += static_cast<int>(std::count_if(own.begin(), own.end(), [&](double r) {
      return std::abs(r) > 2 * kHuberTuning * residuals.sigma;
    }));
  return count;
}

}  // namespace tactelier

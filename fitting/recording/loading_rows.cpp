#include "fitting/recording/loading_rows.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/recording/press_data.hpp"

namespace tactelier {
namespace {

/// Below the highest so far by that, rows still load.
struct Slack {
  double sigmas = 0;
  double of_peak = 0;  // for quiet force sensors
};
constexpr Slack kOfSingle{6, 0.005};  // of many the highest stands 3 sigma above their course
constexpr Slack kOfMean{3, 0.001};    // from one to the next the force rises by more than that
constexpr std::size_t kParts = 32;    // of the loading, over one of which a mean goes at most
constexpr double kMean_s = 0.05;      // and over so long at most

}  // namespace

std::vector<std::size_t> loading_rows(const PressData& data, const PressContact& contact,
                                      std::size_t touch, std::size_t last) {
  std::vector<std::size_t> rows;
  const std::size_t end = std::min(data.rows(), last + 1);
  if (touch >= end) return rows;
  const std::size_t n = end - touch;
  const auto most = static_cast<std::size_t>(data.period_s > 0 ? kMean_s / data.period_s : 0);
  const std::size_t side = std::min(n / kParts, most) / 2;
  const double peak_N = data.force_N[data.peak] - contact.force_bias_N;
  const auto& slack = side > 0 ? kOfMean : kOfSingle;
  const double sigma_N = contact.sigma_force_N / std::sqrt(static_cast<double>(2 * side + 1));
  const double slack_N = std::max(slack.sigmas * sigma_N, slack.of_peak * peak_N);
  std::vector<double> sum_N{0};
  for (std::size_t i = touch; i < end; ++i) sum_N.push_back(sum_N.back() + data.force_N[i]);
  double highest_N = -HUGE_VAL;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t near = std::min(side, std::min(i, n - 1 - i));
    const double mean_N =
        (sum_N[i + near + 1] - sum_N[i - near]) / static_cast<double>(2 * near + 1);
    highest_N = std::max(highest_N, mean_N);
    if (mean_N >= highest_N - slack_N) rows.push_back(touch + i);
  }
  return rows;
}

}  // namespace tactelier

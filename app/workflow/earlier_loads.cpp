#include "app/workflow/earlier_loads.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

// Of a decade: a hundredth of a press of a few seconds; of a load: less than its own error.
constexpr double kForgotten = 0.003;

template <class Add>
void for_each_share(std::span<const double> share_N, std::vector<double>& sums, const Add& add) {
  sums.resize(share_N.size());
  for (std::size_t i = 0; i < sums.size(); ++i) add(share_N[i], sums[i]);
}

}  // namespace

void EarlierLoads::add(const RecordedImage& image, std::span<const double> share_N) {
  const auto& press = image.press;
  loads_.push_back({image.session, press.begin_s, press.end_s, {share_N.begin(), share_N.end()}});
}

LoadHistory EarlierLoads::before(const RecordedImage& image) const {
  const double read_s = image.press.begin_s + image.under_load_s;
  LoadHistory history{image.under_load_s};
  history.crest = image.crest;
  for (const auto& load : loads_) {
    const double gone_s = read_s - load.end_s;
    if (load.session != image.session || !(gone_s > 0)) continue;
    if (const double decades = std::log10(1 + (load.end_s - load.begin_s) / gone_s);
        decades >= kForgotten)
      for_each_share(load.share_N, history.left_N,
                     [&](double share_N, double& left_N) { left_N += decades * share_N; });
    if (const double left = zero_return_time_s_ > 0 ? std::exp(-gone_s / zero_return_time_s_) : 0;
        left >= kForgotten)
      for_each_share(load.share_N, history.largest_N, [&](double share_N, double& largest_N) {
        largest_N = std::max(largest_N, left * share_N);
      });
  }
  return history;
}

}  // namespace tactelier

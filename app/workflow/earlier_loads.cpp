#include "app/workflow/earlier_loads.hpp"

#include <cmath>

namespace tactelier {
namespace {

constexpr double kForgotten = 0.003;  // of a decade: a hundredth of a press of a few seconds

}  // namespace

void EarlierLoads::add(const RecordedImage& image, std::span<const double> share_N) {
  const auto& press = image.press;
  loads_.push_back({image.session, press.begin_s, press.end_s, {share_N.begin(), share_N.end()}});
}

std::vector<double> EarlierLoads::left_N(const RecordedImage& image) const {
  const double read_s = image.press.begin_s + image.under_load_s;
  std::vector<double> left_N;
  for (const auto& load : loads_) {
    if (load.session != image.session || !(read_s > load.end_s)) continue;
    const double decades = std::log10(1 + (load.end_s - load.begin_s) / (read_s - load.end_s));
    if (decades < kForgotten) continue;
    left_N.resize(load.share_N.size());
    for (std::size_t i = 0; i < left_N.size(); ++i) left_N[i] += decades * load.share_N[i];
  }
  return left_N;
}

}  // namespace tactelier

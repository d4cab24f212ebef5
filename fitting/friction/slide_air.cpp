#include "fitting/friction/slide_air.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fitting/recording/press_data.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/white_noise.hpp"

namespace tactelier {
namespace {

constexpr double kLookBack_s = 30;
constexpr double kWindow_s = 0.1;
constexpr std::size_t kMinWindows = 3;
constexpr double kReleased = 0.1;  // of the load: less counts as free
constexpr double kOverNoise = 4;

struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
  double mean_N = 0;
};

std::vector<Window> windows_of(const PressData& data) {
  std::vector<Window> windows;
  const auto rows = static_cast<std::size_t>(std::max(10.0, kWindow_s / data.period_s));
  for (std::size_t begin = 0; begin + rows <= data.rows(); begin += rows) {
    Window window{begin, begin + rows, 0};
    for (std::size_t i = begin; i < window.end; ++i)
      window.mean_N += data.force_N[i] / static_cast<double>(rows);
    windows.push_back(window);
  }
  return windows;
}

/// The windows as low as the lowest, when the load beside the slide stands well above them.
std::optional<SlideTare> free_air(const PressData& data, bool slide_follows) {
  if (data.rows() < 30 || !(data.period_s > 0) || data.side_N[1].empty()) return std::nullopt;
  const auto windows = windows_of(data);
  if (windows.size() < kMinWindows) return std::nullopt;
  std::vector<double> means;
  for (const auto& window : windows) means.push_back(window.mean_N);
  const double least = quantile(means, 0.02);
  const auto& loaded = slide_follows ? windows.back() : windows.front();
  const double load_N = loaded.mean_N - least;
  const Window& lowest =
      *std::min_element(windows.begin(), windows.end(),
                        [](const Window& a, const Window& b) { return a.mean_N < b.mean_N; });
  const double noise_N =
      white_noise(std::span(data.force_N).subspan(lowest.begin, lowest.end - lowest.begin));
  const double rows = static_cast<double>(lowest.end - lowest.begin);
  const double band_N = kOverNoise * noise_N / std::sqrt(rows) + 1e-3 * load_N;
  if (!(load_N > 20 * noise_N / std::sqrt(rows))) return std::nullopt;
  std::array<std::vector<double>, 3> air;
  SlideTare tare;
  std::size_t used = 0;
  const double most_N = least + std::min(2 * band_N, kReleased * load_N);
  const auto free = [&](std::size_t w) { return windows[w].mean_N <= most_N; };
  for (std::size_t w = 0; w < windows.size(); ++w) {
    // Beside a window under load the indenter may have touched already.
    if (!free(w) || (w > 0 && !free(w - 1)) || (w + 1 < windows.size() && !free(w + 1))) continue;
    const auto& window = windows[w];
    ++used;
    tare.until_s = data.time_s[window.end - 1];
    tare.at_s += (data.time_s[window.begin] + data.time_s[window.end - 1]) / 2;
    for (std::size_t i = window.begin; i < window.end; ++i) {
      air[0].push_back(data.force_N[i]);
      air[1].push_back(data.side_N[0][i]);
      air[2].push_back(data.side_N[1][i]);
    }
  }
  if (used < kMinWindows) return std::nullopt;
  tare.at_s /= static_cast<double>(used);
  for (std::size_t a = 0; a < 3; ++a) {
    double sum = 0;
    for (const double f : air[a]) sum += f;
    tare.bias_N[a] = sum / static_cast<double>(air[a].size());
    tare.u_N[a] = mad_sigma(air[a]) / std::sqrt(static_cast<double>(air[a].size()));
  }
  return tare;
}

}  // namespace

Result<SlideTare> SlideAir::before(const SlideEvent& slide) {
  const double from_s = std::max(seen_until_s_, slide.begin_s - kLookBack_s);
  seen_until_s_ = slide.end_s;
  const auto data = load_interval(context_, session_, {from_s, slide.begin_s});
  if (!data) return fail(data.error());
  if (const auto found = free_air(*data, true); found && is_air(*found, slide)) {
    tare_ = *found;
    any_ = true;
    ++contact_;
  }
  if (!any_)
    return fail(ErrorCode::kUnidentifiable,
                "NO-TARE slide {}: no free air before it, so that the bias of the force sensor is "
                "not known; record half a second before the indenter comes down",
                slide.number);
  return tare_;
}

bool SlideAir::is_air(const SlideTare& found, const SlideEvent& slide) const {
  if (!any_ || !slide.load_N) return true;
  return std::abs(found.bias_N[0] - tare_.bias_N[0]) < kReleased * *slide.load_N;
}

Result<std::optional<SlideTare>> SlideAir::after(const SlideEvent& slide) const {
  const auto data = load_interval(context_, session_, {slide.end_s, slide.end_s + kLookBack_s});
  if (!data) return fail(data.error());
  return free_air(*data, false);
}

}  // namespace tactelier

#include "fitting/time/stage_latency.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fitting/recording/contact_point.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMinPlates = 4;
constexpr double kSpeedFactor = 2;
constexpr std::size_t kMinEachWay = 8;
constexpr double kLowShare = 0.1;  // of the peak force: seating, and noise of the touch, left out

}  // namespace

std::optional<PlateGap> plate_gap(std::span<const double> time_s, std::span<const double> travel_m,
                                  std::span<const double> force_N) {
  const auto peak =
      static_cast<std::size_t>(std::max_element(force_N.begin(), force_N.end()) - force_N.begin());
  std::vector<std::size_t> rows;
  std::size_t down = 0;
  for (std::size_t i = 0; i < force_N.size(); ++i) {
    if (force_N[i] < kLowShare * force_N[peak]) continue;
    rows.push_back(i);
    down += i < peak ? 1 : 0;
  }
  if (down < kMinEachWay || rows.size() - down < kMinEachWay) return std::nullopt;
  // travel = cubic(force) +- gap / 2
  Eigen::MatrixXd design(static_cast<Eigen::Index>(rows.size()), 5);
  Eigen::VectorXd travel(design.rows());
  for (Eigen::Index i = 0; i < design.rows(); ++i) {
    const std::size_t row = rows[static_cast<std::size_t>(i)];
    const double f = force_N[row] / force_N[peak];
    design.row(i) << 1, f, f * f, f * f * f, row < peak ? -0.5 : 0.5;
    travel(i) = travel_m[row] - travel_m[peak];
  }
  std::vector<double> speeds;
  const std::size_t stride = std::max<std::size_t>(1, rows.size() / 20);
  for (std::size_t i = stride; i < rows.size(); i += stride)
    speeds.push_back(std::abs((travel_m[rows[i]] - travel_m[rows[i - stride]]) /
                              (time_s[rows[i]] - time_s[rows[i - stride]])));
  return PlateGap{median(speeds), design.colPivHouseholderQr().solve(travel)(4)};
}

StageLatency latency_from_gaps(std::span<const PlateGap> gaps) {
  StageLatency latency;
  std::vector<double> speed, gap;
  for (const auto& plate : gaps) {
    speed.push_back(plate.speed_m_per_s);
    gap.push_back(plate.gap_m);
  }
  const auto [slow, fast] = std::minmax_element(speed.begin(), speed.end());
  if (gaps.size() < kMinPlates || *fast < kSpeedFactor * *slow) {
    latency.refusal = fmt::format(
        "TA-06 {} plate presses that load and unload{}: the stage's latency looks like play, and "
        "on the pad like damping. Press the plate at two speeds a factor {:.0f} apart, twice each "
        "(protocol P1)",
        gaps.size(),
        gaps.empty() ? "" : fmt::format(", {:.3g} to {:.3g} mm/s", 1e3 * *slow, 1e3 * *fast),
        kSpeedFactor);
    return latency;
  }
  const auto line = fit_line(speed, gap);
  if (!line) {
    latency.refusal = "TA-06 " + line.error().message;
    return latency;
  }
  latency.latency_s = {line->slope / 2, line->u_slope / 2, line->dof};
  latency.play_m = -line->intercept;
  return latency;
}

Result<StageLatency> find_stage_latency(const FitContext& context, std::size_t session) {
  const Session& file = *context.sessions[session].session;
  const auto where = file.file().filename().string();
  const auto plates = intervals(file.events(), "plate");
  if (!plates) return fail(plates.error(), where);
  std::vector<PlateGap> gaps;
  for (const auto& plate : *plates) {
    auto data = load_interval(context, session, {plate.begin_s, plate.end_s});
    if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error(), where);
    if (!data || !data->has_force() || !data->has_travel()) continue;
    const auto coarse = detect_contact(data->force_N);
    if (!coarse) continue;
    for (double& f : data->force_N) f -= coarse->mean_N;
    if (const auto gap = plate_gap(data->time_s, data->travel_m, data->force_N))
      gaps.push_back(*gap);
  }
  return latency_from_gaps(gaps);
}

}  // namespace tactelier

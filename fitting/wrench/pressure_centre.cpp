#include "fitting/wrench/pressure_centre.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "fitting/recording/press_data.hpp"
#include "fitting/recording/stream_reader.hpp"
#include "fitting/recording/tare.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/wrench/plain_wrench.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxPresses = 20;
constexpr double kOverNoise = 20;
constexpr double kPeakShare = 0.5;

/// Fx Fy Fz Tx Ty Tz of one press, as read.
Result<Source> load_wrench(const FitContext& context, std::size_t session, const Press& press) {
  const StreamReader reader{*context.sessions[session].session,
                            context.clocks[session],
                            {press.begin_s, press.end_s},
                            true,
                            context.job};
  const std::vector<std::string> columns{"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
  return reader.read(StreamKind::kForce, columns);
}

std::optional<Eigen::Vector2d> centre_of(const Samples& samples, const ForceSensor& sensor) {
  std::vector<double> pressing = samples.columns[2];
  if (sensor.press_axis.sign < 0)
    for (double& f : pressing) f = -f;
  const auto air = find_free_air(pressing, median_interval(samples.time_s));
  if (!air || air->before_end < 20) return std::nullopt;
  Eigen::Matrix<double, 6, 1> bias;
  for (std::size_t c = 0; c < 6; ++c)
    bias(static_cast<Eigen::Index>(c)) =
        median(std::span(samples.columns[c]).first(air->before_end));
  const double noise = mad_sigma(std::span(pressing).first(air->before_end));
  const double rest = median(std::span(pressing).first(air->before_end));
  const double peak = *std::max_element(pressing.begin(), pressing.end()) - rest;
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(sensor.rz_rad, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const Eigen::Vector3d tip(sensor.tip_m[0], sensor.tip_m[1], sensor.tip_m[2]);
  std::vector<double> x, y;
  for (std::size_t i = 0; i < pressing.size(); ++i) {
    if (pressing[i] - rest < std::max(kPeakShare * peak, kOverNoise * noise)) continue;
    PlainWrench wrench;
    for (Eigen::Index a = 0; a < 3; ++a) {
      const auto column = static_cast<std::size_t>(a);
      wrench.force_N(a) = samples.columns[column][i] - bias(a);
      wrench.torque_Nm(a) = samples.columns[column + 3][i] - bias(a + 3);
    }
    const Eigen::Vector2d at = pressure_centre_m(moved(wrench, turn, -(turn * tip)));
    x.push_back(at.x());
    y.push_back(at.y());
  }
  if (x.size() < 10) return std::nullopt;
  return Eigen::Vector2d(median(x), median(y));
}

}  // namespace

Result<std::optional<PressureCentre>> find_pressure_centre(const FitContext& context,
                                                           std::size_t session) {
  const auto& from = context.sessions[session];
  const auto& sensor = from.session->metadata().force_sensor;
  const auto* stream = from.session->stream(StreamKind::kForce);
  if (!sensor || !stream || sensor->press_axis.index != 2 || sensor->tip_m == Vector3{0, 0, 0})
    return std::nullopt;
  for (const auto* name : {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"})
    if (stream->info.find(name) < 0) return std::nullopt;
  std::vector<std::size_t> usable;
  for (std::size_t p = 0; p < from.presses.size(); ++p)
    if (from.presses[p].usable()) usable.push_back(p);
  std::vector<double> x, y;
  const std::size_t count = std::min(kMaxPresses, usable.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& press = from.presses[usable[i * usable.size() / count]];
    const auto wrench = load_wrench(context, session, press);
    if (!wrench) {
      if (wrench.error().code == ErrorCode::kUnidentifiable) return std::nullopt;
      return fail(wrench.error(), from.session->file().filename().string());
    }
    if (const auto at = centre_of(wrench->samples, *sensor)) {
      x.push_back(at->x());
      y.push_back(at->y());
    }
  }
  if (x.empty()) return std::nullopt;
  return PressureCentre{median(x), median(y), std::max(mad_sigma(x), mad_sigma(y)), x.size()};
}

}  // namespace tactelier

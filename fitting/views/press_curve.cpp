#include "fitting/views/press_curve.hpp"

#include <algorithm>

#include "fitting/recording/contact_point.hpp"
#include "fitting/recording/press_data.hpp"

namespace tactelier {
namespace {

Result<PressData> load(const Session& session, const SessionClocks& clocks, const Press& press,
                       const Job& job) {
  FitContext context;
  context.sessions.push_back({&session, {press}, {}});
  context.model.sensor = session.metadata().sensor;
  context.clocks.push_back(clocks);
  context.job = job;
  return load_press(context, 0, 0, {});
}

void find_contact(PressCurve& curve) {
  if (curve.static_readings) {
    curve.no_contact = "readings at rest: no free air to find the first touch in";
    return;
  }
  const auto coarse = detect_contact(curve.force_N);
  if (!coarse) {
    curve.no_contact = coarse.error().message;
    return;
  }
  curve.found_s = curve.time_s[coarse->index];
  for (auto& force_N : curve.force_N) force_N -= coarse->mean_N;
}

}  // namespace

Result<PressCurve> press_curve(const Session& session, const SessionClocks& clocks,
                               const Press& press, const Job& job) {
  auto data = load(session, clocks, press, job);
  if (!data) return fail(data.error());
  PressCurve curve;
  curve.press = press.number;
  curve.time_s = std::move(data->time_s);
  curve.force_N = std::move(data->force_N);
  curve.travel_m = std::move(data->travel_m);
  curve.peak = data->peak;
  curve.static_readings = data->static_readings;
  if (!curve.force_N.empty()) find_contact(curve);
  curve.by_hand = press.contact_s.has_value();
  curve.contact_s = curve.by_hand ? press.contact_s : curve.found_s;
  if (curve.contact_s) curve.contact_m = travel_at(curve, *curve.contact_s);
  return curve;
}

std::optional<double> travel_at(const PressCurve& curve, double time_s) {
  const auto& t = curve.time_s;
  if (curve.travel_m.empty() || t.empty() || time_s < t.front() || time_s > t.back())
    return std::nullopt;
  const auto after = static_cast<std::size_t>(
      std::max<std::ptrdiff_t>(1, std::lower_bound(t.begin(), t.end(), time_s) - t.begin()));
  if (after >= t.size()) return curve.travel_m.back();
  const double span = t[after] - t[after - 1];
  const double share = span > 0 ? (time_s - t[after - 1]) / span : 0.0;
  return curve.travel_m[after - 1] + share * (curve.travel_m[after] - curve.travel_m[after - 1]);
}

std::optional<double> time_at_travel(const PressCurve& curve, double travel_m) {
  const auto& z = curve.travel_m;
  for (std::size_t i = 0; i + 1 < z.size() && i < curve.peak; ++i) {
    if (!(z[i] <= travel_m && travel_m <= z[i + 1]) || z[i + 1] == z[i]) continue;
    const double share = (travel_m - z[i]) / (z[i + 1] - z[i]);
    return curve.time_s[i] + share * (curve.time_s[i + 1] - curve.time_s[i]);
  }
  return std::nullopt;
}

}  // namespace tactelier

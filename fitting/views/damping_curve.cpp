#include "fitting/views/damping_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fitting/damping/rate_data.hpp"
#include "fitting/views/preparation.hpp"

namespace tactelier {
namespace {

constexpr int kLineSteps = 40;

/// Of the model file, at the place of the presses: c_n belongs to the mean over all tactels.
struct ReportedDamping {
  RateModel model = RateModel::kKelvinVoigt;
  std::optional<double> damping;
};

ReportedDamping reported_in(const SensorModel& model) {
  if (model.damping.dissipation.value)
    return {RateModel::kHuntCrossley, model.damping.dissipation.value};
  ReportedDamping reported{RateModel::kKelvinVoigt, model.damping.c_n.value};
  const auto quality = model.quality.find("damping");
  if (!reported.damping || quality == model.quality.end()) return reported;
  const auto& figures = quality->second.figures;
  const auto here = figures.find("k_punch_over_k_here");
  if (here != figures.end()) *reported.damping /= here->second;
  return reported;
}

/// Sums over one way of one press.
struct Way {
  double rows = 0, speed = 0, damped_N = 0, rest_N = 0, modelled_N = 0;

  void add(const RateRow& row, const RateFit& fit, const ReportedDamping& reported) {
    const double elastic_N = fit.k * (row.depth_m + fit.hardening * row.depth_m * row.depth_m);
    const double own_N = fit.own_N.empty() ? 0 : fit.own_N[row.press];
    const double branches_N = fit.k * (row.branches_m + fit.hardening * row.branches_m2);
    const double held_N =
        (elastic_N + own_N) * (1 + std::copysign(fit.hysteresis, row.velocity_m_per_s));
    const double lever = reported.model == RateModel::kHuntCrossley
                             ? elastic_N + own_N
                             : 1 + 2 * fit.hardening * row.depth_m;
    ++rows;
    speed += row.velocity_m_per_s;
    damped_N += row.force_N - held_N - branches_N;
    rest_N += elastic_N;
    modelled_N += reported.damping.value_or(std::nan("")) * lever * row.velocity_m_per_s;
  }
};

DampingPoint point_of(const Way& way, const RatePress& press, int number) {
  return {press.session,
          number,
          press.chirp,
          way.speed / way.rows,
          way.damped_N / way.rest_N,
          way.modelled_N / way.rest_N};
}

void add_line(const ReportedDamping& reported, DampingCurve& curve) {
  double fastest = 0;
  for (const auto& point : curve.points) fastest = std::max(fastest, std::abs(point.speed_m_per_s));
  if (!reported.damping) return;
  const double per_speed = reported.model == RateModel::kHuntCrossley
                               ? *reported.damping
                               : *reported.damping / curve.mean_N;
  for (int i = -kLineSteps; i <= kLineSteps; ++i) {
    curve.speed_m_per_s.push_back(1.05 * fastest * i / kLineSteps);
    curve.excess.push_back(per_speed * curve.speed_m_per_s.back());
  }
}

Result<DampingCurve> curve_of(const FitContext& context, RateData& data) {
  std::vector<RateRow> rows;
  std::size_t used = 0;
  std::erase_if(data.presses, [](const RatePress& press) { return !press.refusal.empty(); });
  for (auto& press : data.presses) {
    for (auto& row : press.rows) {
      row.press = used;
      rows.push_back(row);
    }
    ++used;
  }
  const auto reported = reported_in(context.model);
  const auto fit = fit_rate(rows, reported.model, {true, true, used > 1});
  if (!fit) return fail(fit.error());
  DampingCurve curve;
  curve.model = reported.model;
  for (const auto& press : data.presses) {
    std::array<Way, 2> ways;
    for (const auto& row : press.rows)
      ways[row.velocity_m_per_s > 0 ? 0 : 1].add(row, *fit, reported);
    const int number = context.sessions[press.session].presses[press.press].number;
    for (const auto& way : ways) {
      if (way.rows == 0) continue;
      curve.points.push_back(point_of(way, press, number));
      curve.mean_N += way.rest_N / way.rows;
    }
  }
  curve.mean_N /= static_cast<double>(curve.points.size());
  add_line(reported, curve);
  return curve;
}

}  // namespace

Result<DampingCurve> damping_curve(std::vector<FitSession> sessions,
                                   std::vector<SessionClocks> clocks, const SensorModel& model,
                                   const Job& job) {
  const auto context = looking_context(std::move(sessions), std::move(clocks), model, job);
  if (!context) return fail(context.error());
  return damping_curve_in(*context);
}

Result<DampingCurve> damping_curve_in(const FitContext& context) {
  auto data = load_rates(context);
  if (!data) return fail(data.error());
  std::string why =
      "No presses at several speeds were recorded: press at four speeds over a factor 30 (P5).";
  for (const auto& press : data->presses)
    if (!press.refusal.empty()) why = press.refusal;
  const bool any = std::any_of(data->presses.begin(), data->presses.end(),
                               [](const auto& press) { return press.refusal.empty(); });
  if (!any) return fail(ErrorCode::kUnidentifiable, "{}", why);
  return curve_of(context, *data);
}

}  // namespace tactelier

#include "fitting/array/array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fitting/array/array_presses.hpp"
#include "fitting/array/figure_report.hpp"
#include "fitting/recording/force_certificate.hpp"
#include "fitting/statistics/quantiles.hpp"
#include "libcalib/model_file/turned_counts.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "array";
constexpr std::size_t kPresses = 3;       // that can be left out in turn
constexpr std::size_t kMostGroups = 200;  // that are left out in turn at the most
constexpr double kWorthless = 0.5;        // of the forces' own scatter: what a prediction must beat
constexpr const char* kMethod = "predictions of presses left out";

Parameter known(double value, const char* unit) {
  Parameter parameter;
  parameter.value = value;
  parameter.unit = unit;
  parameter.status = Status::kIdentified;
  parameter.from = kStage;
  return parameter;
}

void refuse(ArrayForce& force, const std::string& reason) {
  force = {};
  force.error = unidentifiable("N", reason, kStage);
  force.error_share = unidentifiable("", reason, kStage);
}

/// Why a fit of these presses is not worth being used; "" where it is.
std::string refusal_of(const ArrayFit& fit) {
  if (fit.left_out_rms_N < kWorthless * fit.force_spread_N) return "";
  return fmt::format(
      "AR-02 The sum of all readings does not tell the force: presses left out are missed by "
      "{:.3g} N (rms), their forces differ by {:.3g} N.",
      fit.left_out_rms_N, fit.force_spread_N);
}

/// Of readings that were turned while they were read: back to the counts that were recorded.
void write_law(const ArrayLaw& law, const SensorDescription& sensor, ArrayForce& force) {
  const double sign = sensor.falling ? -1 : 1;
  const double mirror = sensor.falling ? turned_reading(sensor, 0) : 0;
  force.intercept_N = law.intercept_N + mirror * law.weight_N_per_count.sum();
  force.weight_N_per_count.clear();
  for (const double weight : law.weight_N_per_count)
    force.weight_N_per_count.push_back(sign * weight);
}

void report(const ArrayFit& fit, std::size_t presses, double certificate, SensorModel& model) {
  auto& quality = model.quality[kStage];
  quality.samples_used = static_cast<int>(fit.rows);
  quality.residual_rms = fit.residual_rms_N;
  quality.interval_method = kMethod;
  quality.figures["presses"] = static_cast<double>(presses);
  quality.figures["left_out_rms_N"] = fit.left_out_rms_N;
  quality.figures["ridge"] = fit.law.ridge;
  auto& force = model.array.force;
  if (const auto reason = refusal_of(fit); !reason.empty()) return refuse(force, reason);
  write_law(fit.law, model.sensor, force);
  force.presses = static_cast<int>(presses);
  force.error = known(fit.error_N, "N");
  force.error_share = known(fit.error_share, "");
  force.error_share.u_total = normal_quantile(0.975) * std::hypot(fit.error_share, certificate);
}

}  // namespace

Result<void> run_array(FitContext& context) {
  auto& model = context.model;
  model.quality[kStage] = {};
  if (model.sensor.channels != 1) return {};
  auto loaded = load_array_presses(context);
  if (!loaded) return fail(loaded.error());
  const double certificate = force_certificate(context).gain_share();
  for (const auto& [name, value] : array_figures(loaded->figures, certificate, model))
    model.quality[kStage].figures[name] = value;
  const auto presses = grouped(std::move(loaded->rows), kMostGroups);
  if (presses.size() < kPresses) {
    refuse(
        model.array.force,
        fmt::format("AR-01 {} with force and readings: three are needed, so that each can be "
                    "predicted by the others.",
                    presses.size() == 1 ? "One press" : fmt::format("{} presses", presses.size())));
    return {};
  }
  report(fit_array(presses), presses.size(), certificate, model);
  return {};
}

}  // namespace tactelier

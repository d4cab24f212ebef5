#include "fitting/damping/damping_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr double kMinSpan = 5;              // DP-01: of speeds
constexpr double kOverRepeatability = 2;    // DP-02
constexpr double kSlowestStage_s = 1.1e-3;  // DP-05: an encoder of 1 kHz
constexpr double kDecided = 10;             // difference of scaled chi^2 between the models
constexpr double kMisfit = 2;               // chi^2 per degree of freedom
constexpr double kSure = 3;                 // standard errors of a negative damping
constexpr std::size_t kFewPresses = 3;

using Presses = std::vector<const RatePress*>;

/// Rows of some presses, numbered anew; `without` is left out.
std::vector<RateRow> rows_of(const Presses& presses, const RatePress* without) {
  std::vector<RateRow> rows;
  std::size_t number = 0;
  for (const auto* press : presses) {
    if (press == without) continue;
    for (auto row : press->rows) {
      row.press = number;
      rows.push_back(row);
    }
    ++number;
  }
  return rows;
}

RateTerms terms_of(const Presses& presses) { return {true, true, presses.size() > 1}; }

/// Scatter of the mean stiffness F/depth between presses of one speed, relative.
double repeatability_of(const Presses& presses) {
  std::map<int, std::vector<double>> by_speed;
  for (const auto* press : presses) {
    if (press->chirp) continue;
    double force = 0, depth = 0;
    for (const auto& row : press->rows) {
      force += row.force_N;
      depth += row.depth_m;
    }
    const auto speed = static_cast<int>(std::lround(10 * std::log(press->speed_m_per_s)));
    by_speed[speed].push_back(force / depth);
  }
  double squares = 0, dof = 0;
  for (const auto& [speed, values] : by_speed) {
    if (values.size() < 2) continue;
    double mean = 0;
    for (const double v : values) mean += v / static_cast<double>(values.size());
    for (const double v : values) squares += (v / mean - 1) * (v / mean - 1);
    dof += static_cast<double>(values.size()) - 1;
  }
  return dof > 0 ? std::sqrt(squares / dof) : 0;
}

/// How much the number changes when one press after the other is left out.
std::optional<double> jackknife(const Presses& presses, RateModel model) {
  if (presses.size() < kFewPresses) return std::nullopt;
  std::vector<double> values;
  for (const auto* out : presses)
    if (const auto fit = fit_rate(rows_of(presses, out), model, terms_of(presses)))
      values.push_back(fit->damping);
  if (values.size() < kFewPresses) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double v : values) mean += v / n;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return std::sqrt(squares * (n - 1) / n);
}

/// A chirp passes through all speeds below its largest.
std::string speeds_too_close(const Presses& presses) {
  double least = HUGE_VAL, most = 0;
  for (const auto* press : presses) {
    least = std::min(least, press->speed_m_per_s / (press->chirp ? kMinSpan : 1));
    most = std::max(most, press->speed_m_per_s);
  }
  if (most >= kMinSpan * least * (1 - 1e-6)) return {};
  return fmt::format("DP-01 Speeds {:.3g}–{:.3g} mm/s are too close: damping not reported.",
                     1e3 * least, 1e3 * most);
}

std::string why_none(const RateData& data) {
  for (const auto& press : data.presses)
    if (!press.refusal.empty()) return press.refusal;
  return "DP-01 No presses at several speeds were recorded: press with a flat end at four speeds "
         "over "
         "a factor 30 (protocol step 'speeds').";
}

class Estimator {
 public:
  explicit Estimator(const RateData& data) : data_(data) {}

  DampingEstimate run() {
    for (const auto& press : data_.presses)
      if (press.refusal.empty()) presses_.push_back(&press);
    result_.presses = presses_.size();
    if (presses_.empty()) return refuse(why_none(data_));
    if (auto why = speeds_too_close(presses_); !why.empty()) return refuse(why);
    rows_ = rows_of(presses_, nullptr);
    auto kelvin_voigt = fit_rate(rows_, RateModel::kKelvinVoigt, terms_of(presses_));
    auto hunt_crossley = fit_rate(rows_, RateModel::kHuntCrossley, terms_of(presses_));
    if (!kelvin_voigt) return refuse("ID-01 " + kelvin_voigt.error().message);
    if (!hunt_crossley) return refuse("ID-01 " + hunt_crossley.error().message);
    result_.kelvin_voigt = std::move(*kelvin_voigt);
    result_.hunt_crossley = std::move(*hunt_crossley);
    choose();
    estimate();
    result_.refusal = why_not();
    return result_;
  }

 private:
  DampingEstimate refuse(std::string reason) {
    result_.refusal = std::move(reason);
    return result_;
  }

  const RateFit& chosen() const {
    return result_.chosen == RateModel::kHuntCrossley ? *result_.hunt_crossley
                                                      : *result_.kelvin_voigt;
  }

  /// Equal numbers of parameters: the smaller chi^2, in units of what neither model explains.
  void choose() {
    const auto& kv = *result_.kelvin_voigt;
    const auto& hc = *result_.hunt_crossley;
    result_.chosen = hc.chi2 < kv.chi2 ? RateModel::kHuntCrossley : RateModel::kKelvinVoigt;
    const double unit = std::max(1.0, chosen().chi2 / chosen().dof);
    result_.decided = std::abs(hc.chi2 - kv.chi2) / unit > kDecided;
    double depth_m = 0;
    for (const auto& row : rows_) {
      result_.speed_m_per_s = std::max(result_.speed_m_per_s, std::abs(row.velocity_m_per_s));
      result_.force_N += row.force_N / static_cast<double>(rows_.size());
      depth_m += row.depth_m / static_cast<double>(rows_.size());
    }
    const double rate = result_.chosen == RateModel::kHuntCrossley
                            ? chosen().damping
                            : chosen().damping / (chosen().k * depth_m);
    result_.effect = std::abs(rate) * result_.speed_m_per_s;
    result_.repeatability = repeatability_of(presses_);
  }

  void estimate() {
    const auto& fit = chosen();
    const double inflation = serial_inflation(std::clamp(lag1(fit.residuals), 0.0, 0.99));
    // Noise under way may be more than that in free air.
    const double scale = inflation * std::sqrt(fit.chi2 / fit.dof);
    result_.value = {fit.damping, fit.u_damping * scale, kManyDegrees};
    result_.within = result_.value.std;
    auto later = rows_;
    for (auto& row : later) row.velocity_m_per_s += row.half_sample_m_per_s;
    if (const auto moved = fit_rate(later, result_.chosen, terms_of(presses_)))
      result_.half_sample = std::abs(moved->damping - fit.damping);
    result_.method = "within presses, serial correlation included";
    if (const auto between = jackknife(presses_, result_.chosen)) {
      result_.method =
          fmt::format("within {} presses or between them (jackknife), the wider", presses_.size());
      if (*between > result_.value.std)
        result_.value = {fit.damping, *between, static_cast<double>(presses_.size()) - 1};
    }
    if (fit.chi2 / fit.dof > kMisfit)
      result_.warnings.push_back(
          {"ID-07",
           fmt::format("Model does not describe the data (χ²/ν = {:.3g}); numbers are descriptive "
                       "only. Does the pad relax? Record holds.",
                       fit.chi2 / fit.dof),
           "damping"});
  }

  std::string why_not() const {
    const auto& kv = *result_.kelvin_voigt;
    const double time_ms = 1e3 * kv.damping / kv.k;
    if (data_.stage_period_s > kSlowestStage_s || data_.stage_period_s <= 0)
      return fmt::format(
          "DP-05 Damping and latency cannot be separated: Δ = c/k = {:.2g} ms against u(latency) = "
          "{:.2g} ms; sample the stage or an encoder at ≥ 1 kHz.",
          time_ms, 1e3 * data_.stage_period_s / std::sqrt(12.0));
    if (chosen().damping < -kSure * result_.value.std)
      return fmt::format(
          "DP-04 Negative damping: check latency sign (τ = {:.2g} ms) before the model.", time_ms);
    if (result_.effect < kOverRepeatability * result_.repeatability)
      return fmt::format("DP-02 Rate effect {:.2g} % is below press-to-press scatter {:.2g} %.",
                         100 * result_.effect, 100 * result_.repeatability);
    return {};
  }

  const RateData& data_;
  DampingEstimate result_;
  Presses presses_;
  std::vector<RateRow> rows_;
};

}  // namespace

DampingEstimate estimate_damping(const RateData& data) { return Estimator(data).run(); }

}  // namespace tactelier

#include "fitting/hydroelastic/hydro_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr double kMinSpan = 5;          // of speeds, for the dissipation
constexpr std::size_t kFewPresses = 3;  // to see their scatter
// Depths of a stage that goes in steps and says now and then where it is. What scatters by more is
// no stage's doing, and shows as misfit.
constexpr double kMostScatter_m = 5e-6;
constexpr int kRounds = 2;
constexpr double kMicrostep = 0.2;  // of its period: what the error is where a press first touches

std::vector<HydroRow> rows_of(const HydroPresses& presses) {
  std::vector<HydroRow> rows;
  std::size_t number = 0;
  for (const auto* press : presses) {
    for (auto row : press->rows) {
      row.press = number;
      rows.push_back(row);
    }
    ++number;
  }
  return rows;
}

bool speeds_differ(const HydroPresses& presses) {
  double least = HUGE_VAL, most = 0;
  for (const auto* press : presses) {
    least = std::min(least, press->speed_m_per_s);
    most = std::max(most, press->speed_m_per_s);
  }
  return most >= kMinSpan * least * (1 - 1e-6);
}

class OfPlace {
 public:
  OfPlace(HydroPresses presses, const HydroShared& shared)
      : presses_(std::move(presses)), shared_(shared), rate_(speeds_differ(presses_)) {
    both_ways_ = std::all_of(presses_.begin(), presses_.end(),
                             [](const auto* press) { return press->plays; });
  }

  Result<HydroPlace> run() {
    const auto best = fit(presses_);
    if (!best) return fail(best.error());
    HydroPlace found;
    found.model = rate_ ? shared_.model : RateModel::kElastic;
    found.chi2 = best->chi2;
    found.dof = best->dof;
    found.deviance = best->deviance;
    found.rows = best->residuals.size();
    const double inflation = serial_inflation(std::clamp(lag1(best->residuals), 0.0, 0.99));
    const double scale = inflation * std::sqrt(best->chi2 / best->dof);
    const bool looking = best->u_series_m_per_N > 0;  // a first pass
    const auto scatter = looking ? Scatter{} : jackknife();
    const auto within = [&](Eigen::Index i) { return scale * std::sqrt(best->covariance(i, i)); };
    found.modulus_Pa_per_m = wider(best->modulus_Pa_per_m, within(0), scatter.modulus);
    if (rate_) found.rate = wider(best->rate, within(1), scatter.rate);
    found.series_m_per_N = {best->series_m_per_N, scale * best->u_series_m_per_N, kManyDegrees};
    return found;
  }

  /// A dashpot makes first touch look early by its time times the speed: there the contact point
  /// holds the depth only that well; so does a stage's microstep error, of which the contact stage
  /// knows nothing. Depths scatter as a first fit shows.
  Result<HydroFit> fit(const HydroPresses& presses) const {
    HydroTerms terms;
    terms.rate = rate_;
    terms.hysteresis = both_ways_;
    terms.series_m_per_N = shared_.series_m_per_N;
    terms.u_series_m_per_N = shared_.u_series_m_per_N;
    terms.microstep_m = shared_.microstep_m;
    terms.u_contact_m.assign(presses.size(), std::numeric_limits<double>::infinity());
    const auto rows = rows_of(presses);
    const auto& indenter = presses.front()->indenter;
    auto found = fit_hydro(rows, indenter, shared_.model, terms);
    if (!found) return found;
    for (int round = 0; round < kRounds; ++round) {
      const bool dashpot = shared_.model == RateModel::kKelvinVoigt && rate_;
      const double dashpot_s = dashpot ? std::abs(found->rate) : 0;
      for (std::size_t p = 0; p < presses.size(); ++p)
        terms.u_contact_m[p] = std::max(
            1e-9, std::hypot(presses[p]->u_contact_m, dashpot_s * presses[p]->speed_m_per_s,
                             kMicrostep * shared_.microstep_m));
      terms.u_depth_m = depth_scatter_m(rows, *found, indenter, kMostScatter_m);
      found = fit_hydro(rows, indenter, shared_.model, terms);
      if (!found) return found;
    }
    return found;
  }

 private:
  struct Scatter {
    double modulus = 0, rate = 0;
  };

  Estimate wider(double value, double within, double between) const {
    return between > within ? Estimate{value, between, static_cast<double>(presses_.size()) - 1}
                            : Estimate{value, within, kManyDegrees};
  }

  Scatter jackknife() const {
    if (presses_.size() < kFewPresses) return {};
    std::vector<double> moduli, rates;
    for (const auto* out : presses_) {
      HydroPresses rest;
      for (const auto* press : presses_)
        if (press != out) rest.push_back(press);
      if (const auto left = fit(rest)) {
        moduli.push_back(left->modulus_Pa_per_m);
        rates.push_back(left->rate);
      }
    }
    return {spread(moduli), spread(rates)};
  }

  static double spread(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    double mean = 0, squares = 0;
    for (const double v : values) mean += v / n;
    for (const double v : values) squares += (v - mean) * (v - mean);
    return n > 1 ? std::sqrt(squares * (n - 1) / n) : 0;
  }

  HydroPresses presses_;
  HydroShared shared_;
  bool rate_;
  bool both_ways_ = false;
};

}  // namespace

HydroGroups group_presses(const HydroData& data) {
  HydroGroups groups;
  for (const auto& press : data.presses)
    if (press.refusal.empty())
      groups.by_indenter[press.indenter.describe()][press.site].push_back(&press);
  for (auto& [indenter, places] : groups.by_indenter)
    for (auto& [site, presses] : places) {
      HydroPresses again;
      for (const auto* press : presses)
        if (!press->first) again.push_back(press);
      if (again.empty())
        groups.first_cycles = true;
      else
        presses = again;
    }
  return groups;
}

Result<HydroFit> fit_at_place(const HydroPresses& presses, const HydroShared& shared) {
  return OfPlace(presses, shared).fit(presses);
}

Result<HydroPlace> fit_place(const HydroPresses& presses, const HydroShared& shared) {
  return OfPlace(presses, shared).run();
}

}  // namespace tactelier

#include "fitting/hydroelastic/hydro_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fitting/hydroelastic/hydro_place.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr double kSlowestStage_s = 1.1e-3;  // DP-05
constexpr double kMaxDifference = 0.15;     // HY-02: of moduli
constexpr double kSure = 2;                 // standard errors
constexpr double kMisfit = 2;               // chi^2 per degree of freedom
constexpr std::size_t kFewPlaces = 3;       // to see their scatter
// Of the compliance beside pad and frame, either way: 1 mm of foam tape of 1 MPa under 48 x 20 mm
// gives 1 um/N, and a plate elsewhere tells a frame hardly better; half a pad's thickness of
// hardening under a ball is of that order, too.
constexpr double kSeries_m_per_N = 2e-6;
constexpr double kMicrostepShows = 20;                      // of deviance, for two numbers
constexpr double kShortestPeriod_m = 20e-6;                 // readings are means over 5 um
constexpr double kMinPeriods = 4;                           // in a press
constexpr std::array kPeriods{4, 8, 16, 32, 64, 128, 256};  // steps

/// Weighted mean; where the values differ by more than they should, their scatter counts.
Estimate together(const std::vector<Estimate>& values) {
  double weights = 0, mean = 0, chi2 = 0, dof = HUGE_VAL;
  for (const auto& one : values) {
    const double weight = 1 / (one.std * one.std);
    weights += weight;
    mean += weight * one.value;
    dof = std::min(dof, one.dof);
  }
  mean /= weights;
  for (const auto& one : values)
    chi2 += (one.value - mean) * (one.value - mean) / (one.std * one.std);
  const auto n = static_cast<double>(values.size());
  const double birge = n > 1 ? std::sqrt(std::max(1.0, chi2 / (n - 1))) : 1;
  return {mean, birge / std::sqrt(weights), birge > 1 ? n - 1 : dof};
}

class Estimator {
 public:
  Estimator(const HydroData& data, const HydroBeside& beside) : data_(data), beside_(beside) {}

  HydroEstimate run() {
    for (const auto& press : data_.presses)
      if (!press.refusal.empty())
        result_.warnings.push_back(warning_of(press.refusal, press.where));
    const auto groups = group_presses(data_);
    result_.first_cycles = groups.first_cycles;
    for (const auto& [indenter, places] : groups.by_indenter) of_one(indenter, places);
    join_moduli();
    join_dissipations();
    return std::move(result_);
  }

 private:
  /// All places by the model that describes them better together.
  void of_one(const std::string& indenter, const HydroPlaces& places) {
    HydroShared shared;
    if (grows(places)) shared.u_series_m_per_N = kSeries_m_per_N;
    shared.microstep_m = microstep_m(places, shared);
    auto best = at_places(shared, places);
    if (best.size() < places.size()) {  // too much to ask of some place
      shared.u_series_m_per_N = 0;
      best = at_places(shared, places);
    }
    auto kelvin_voigt = shared;
    kelvin_voigt.model = RateModel::kKelvinVoigt;
    const auto other = at_places(kelvin_voigt, places);
    if (other.size() == best.size() && deviance(other) < deviance(best)) {
      shared = kelvin_voigt;
      best = other;
    }
    if (best.empty()) {
      result_.warnings.push_back({"ID-01", "the presses do not determine a modulus", indenter});
      return;
    }
    HydroOfIndenter found;
    found.indenter = indenter;
    const auto series = hold_series(places, best, shared);
    found.shared = shared;
    fill(places, best, found);
    if (series) {
      found.series_m_per_N = *series;
      auto& modulus = found.modulus_Pa_per_m;
      modulus.std = std::hypot(modulus.std, by_series(places, found));
    }
    if (found.chi2_per_dof > kMisfit)
      result_.warnings.push_back(
          {"ID-07",
           fmt::format("Model does not describe the data (χ²/ν = {:.3g} with {}); numbers are "
                       "descriptive only.",
                       found.chi2_per_dof, found.indenter),
           "hydroelastic"});
    result_.indenters.push_back(found);
  }

  void fill(const HydroPlaces& places, const std::vector<HydroPlace>& best,
            HydroOfIndenter& found) const {
    found.sites = best.size();
    found.chi2_per_dof = chi2_per_dof(best);
    std::vector<double> moduli;
    std::vector<Estimate> rates;
    double within = 0;
    for (const auto& place : best) {
      found.rows += place.rows;
      moduli.push_back(place.modulus_Pa_per_m.value);
      within = std::max(within, place.modulus_Pa_per_m.std);
      if (place.model != RateModel::kElastic) rates.push_back(place.rate);
      if (place.model != RateModel::kElastic) found.model = place.model;
    }
    for (const auto& [site, presses] : places) found.presses += presses.size();
    found.modulus_Pa_per_m = over_places(moduli, within);
    if (found.model == RateModel::kHuntCrossley) found.dissipation = together(rates);
  }

  /// Under a flat face force is proportional to depth: compliance beside the pad looks like a
  /// softer pad.
  static bool grows(const HydroPlaces& places) {
    const auto& press = *places.begin()->second.front();
    const auto shallow = slab_overlap(press.indenter, press.top_m / 2);
    const auto deep = slab_overlap(press.indenter, press.top_m);
    return shallow && deep && deep->area_m2 > shallow->area_m2 * (1 + 1e-9);
  }

  /// Period of the stage's microstep error, as the place of most readings shows it; 0: none.
  static double microstep_m(const HydroPlaces& places, HydroShared shared) {
    const auto rows_at = [](const HydroPresses& presses) {
      std::size_t rows = 0;
      for (const auto* press : presses) rows += press->rows.size();
      return rows;
    };
    const auto& most = std::max_element(places.begin(), places.end(), [&](auto& a, auto& b) {
                         return rows_at(a.second) < rows_at(b.second);
                       })->second;
    const auto without = fit_at_place(most, shared);
    if (!without) return 0;
    double best_m = 0, least = without->deviance - kMicrostepShows;
    for (const int steps : kPeriods) {
      shared.microstep_m = steps * most.front()->step_m;
      if (shared.microstep_m < kShortestPeriod_m ||
          kMinPeriods * shared.microstep_m > most.front()->top_m)
        continue;
      const auto found = fit_at_place(most, shared);
      if (!found || found->deviance >= least) continue;
      least = found->deviance;
      best_m = shared.microstep_m;
    }
    return best_m;
  }

  /// The compliance beside pad and frame is the same at all places. Empty where it is not fitted.
  std::optional<Estimate> hold_series(const HydroPlaces& places, std::vector<HydroPlace>& best,
                                      HydroShared& shared) const {
    if (!(shared.u_series_m_per_N > 0)) return std::nullopt;
    std::vector<Estimate> all;
    for (const auto& place : best) all.push_back(place.series_m_per_N);
    const auto series = together(all);
    shared.series_m_per_N = series.value;
    shared.u_series_m_per_N = 0;
    auto held = at_places(shared, places);
    if (held.size() == best.size()) best = std::move(held);
    return series;
  }

  /// What the series compliance's uncertainty is worth in the modulus.
  double by_series(const HydroPlaces& places, const HydroOfIndenter& found) const {
    auto shared = found.shared;
    shared.series_m_per_N += found.series_m_per_N.std;
    double sum = 0, count = 0;
    for (const auto& [site, presses] : places)
      if (const auto fit = fit_at_place(presses, shared)) {
        sum += fit->modulus_Pa_per_m;
        ++count;
      }
    return count > 0 ? std::abs(sum / count - found.modulus_Pa_per_m.value) : 0;
  }

  static std::vector<HydroPlace> at_places(const HydroShared& shared, const HydroPlaces& places) {
    std::vector<HydroPlace> all;
    for (const auto& [site, presses] : places)
      if (const auto found = fit_place(presses, shared)) all.push_back(*found);
    return all;
  }

  static double deviance(const std::vector<HydroPlace>& places) {
    double sum = 0;
    for (const auto& place : places) sum += place.deviance;
    return sum;
  }

  static double chi2_per_dof(const std::vector<HydroPlace>& places) {
    double chi2 = 0, dof = 0;
    for (const auto& place : places) {
      chi2 += place.chi2;
      dof += place.dof;
    }
    return chi2 / std::max(1.0, dof);
  }

  /// Few places say nothing of how places differ: then the tactels' scatter does, where known.
  Estimate over_places(const std::vector<double>& moduli, double within) const {
    if (moduli.size() >= kFewPlaces) return press_spread(moduli);
    double mean = 0;
    for (const double k : moduli) mean += k / static_cast<double>(moduli.size());
    const double u = std::hypot(within, beside_.place_scatter * mean) /
                     std::sqrt(static_cast<double>(moduli.size()));
    return {mean, u, kManyDegrees};
  }

  void join_moduli() {
    struct Named {
      std::string name;
      Estimate value;
    };
    std::vector<Named> all;
    for (const auto& one : result_.indenters) all.push_back({one.indenter, one.modulus_Pa_per_m});
    if (beside_.plate_Pa_per_m) all.push_back({"plate", *beside_.plate_Pa_per_m});
    if (all.empty()) {
      result_.no_modulus =
          "NO-FIELD-PRESS No press with a ball, a wedge, a wide flat end or a plate: record plate "
          "presses "
          "(P4) or a ball at several speeds.";
      for (const auto& press : data_.presses)
        if (!press.refusal.empty()) result_.no_modulus = press.refusal;
      return;
    }
    std::vector<Estimate> values;
    for (const auto& a : all) {
      values.push_back(a.value);
      for (const auto& b : all) {
        const double difference = a.value.value - b.value.value;
        if (!(difference > kMaxDifference * b.value.value) ||
            difference < kSure * std::hypot(a.value.std, b.value.std))
          continue;
        result_.no_modulus = fmt::format(
            "HY-02 E_h differs by {:.0f} % between {} and {}: the layer's shear counts; the values "
            "of each stand among the stage's figures.",
            100 * difference / b.value.value, a.name, b.name);
      }
    }
    if (!result_.no_modulus.empty()) return;
    // The plate covers all places.
    result_.modulus_Pa_per_m = beside_.plate_Pa_per_m ? *beside_.plate_Pa_per_m : together(values);
  }

  void join_dissipations() {
    std::vector<Estimate> values;
    bool kelvin_voigt = false;
    for (const auto& one : result_.indenters) {
      if (one.dissipation) values.push_back(*one.dissipation);
      kelvin_voigt = kelvin_voigt || one.model == RateModel::kKelvinVoigt;
    }
    if (kelvin_voigt)
      result_.no_dissipation =
          "OTHER-MODEL The presses follow Kelvin–Voigt: their rate effect is no dissipation.";
    else if (values.empty())
      result_.no_dissipation = "HY-04 Dissipation needs at least two speeds, a factor 5 apart.";
    else if (!(data_.stage_period_s > 0) || data_.stage_period_s > kSlowestStage_s)
      result_.no_dissipation =
          "DP-05 Damping and latency cannot be separated: sample the stage or an encoder at ≥ 1 "
          "kHz.";
    else
      result_.dissipation = together(values);
  }

  const HydroData& data_;
  const HydroBeside& beside_;
  HydroEstimate result_;
};

}  // namespace

HydroEstimate estimate_hydro(const HydroData& data, const HydroBeside& beside) {
  return Estimator(data, beside).run();
}

}  // namespace tactelier

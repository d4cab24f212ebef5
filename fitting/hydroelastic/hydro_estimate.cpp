#include "fitting/hydroelastic/hydro_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr double kLeastSpan = 5;            // of speeds, for the dissipation
constexpr double kSlowestStage_s = 1.1e-3;  // DP-05
constexpr double kMostDifference = 0.15;    // HY-02: of moduli
constexpr double kSure = 2;                 // standard errors
constexpr double kMisfit = 2;               // chi^2 per degree of freedom
constexpr std::size_t kFewGroups = 3;       // of presses, to see their scatter

using Presses = std::vector<const HydroPress*>;

std::vector<HydroRow> rows_of(const Presses& presses) {
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

bool speeds_differ(const Presses& presses) {
  double least = HUGE_VAL, most = 0;
  for (const auto* press : presses) {
    least = std::min(least, press->speed_m_per_s);
    most = std::max(most, press->speed_m_per_s);
  }
  return most >= kLeastSpan * least * (1 - 1e-6);
}

/// Presses at one place: places differ in stiffness.
class OfPlace {
 public:
  explicit OfPlace(Presses presses) : presses_(std::move(presses)), rate_(speeds_differ(presses_)) {
    both_ways_ = std::all_of(presses_.begin(), presses_.end(),
                             [](const auto* press) { return press->plays; });
  }

  struct Found {
    Estimate modulus_Pa_per_m, rate;
    RateModel model = RateModel::kElastic;
    double chi2 = 0, dof = 0;
    std::size_t rows = 0;
  };

  Result<Found> run(RateModel model) {
    const auto best = fit(model, presses_);
    if (!best) return fail(best.error());
    Found found;
    found.model = rate_ ? model : RateModel::kElastic;
    found.chi2 = best->chi2;
    found.dof = best->dof;
    found.rows = best->residuals.size();
    const double inflation = serial_inflation(std::clamp(lag1(best->residuals), 0.0, 0.99));
    const double scale = inflation * std::sqrt(best->chi2 / best->dof);
    const auto scatter = jackknife(model);
    const auto within = [&](Eigen::Index i) { return scale * std::sqrt(best->covariance(i, i)); };
    found.modulus_Pa_per_m = wider(best->modulus_Pa_per_m, within(0), scatter.modulus);
    if (rate_) found.rate = wider(best->rate, within(1), scatter.rate);
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

  /// A dashpot makes first touch look early by its time times the speed: there the contact point
  /// holds the depth only that well.
  Result<HydroFit> fit(RateModel model, const Presses& presses) const {
    HydroTerms terms;
    terms.rate = rate_;
    terms.hysteresis = both_ways_;
    terms.u_contact_m.assign(presses.size(), std::numeric_limits<double>::infinity());
    const auto rows = rows_of(presses);
    const auto& indenter = presses.front()->indenter;
    auto free = fit_hydro(rows, indenter, model, terms);
    if (!free) return free;
    const double dashpot_s = model == RateModel::kKelvinVoigt && rate_ ? std::abs(free->rate) : 0;
    for (std::size_t p = 0; p < presses.size(); ++p)
      terms.u_contact_m[p] = std::max(
          1e-9, std::hypot(presses[p]->u_contact_m, dashpot_s * presses[p]->speed_m_per_s));
    return fit_hydro(rows, indenter, model, terms);
  }

  Scatter jackknife(RateModel model) const {
    if (presses_.size() < kFewGroups) return {};
    std::vector<double> moduli, rates;
    for (const auto* out : presses_) {
      Presses rest;
      for (const auto* press : presses_)
        if (press != out) rest.push_back(press);
      if (const auto left = fit(model, rest)) {
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

  Presses presses_;
  bool rate_;
  bool both_ways_ = false;
};

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
      if (!press.refusal.empty()) {
        const auto space = press.refusal.find(' ');
        result_.warnings.push_back(
            {press.refusal.substr(0, space), press.refusal.substr(space + 1), press.where});
      }
    for (const auto& [indenter, places] : groups()) of_one(indenter, places);
    join_moduli();
    join_dissipations();
    return std::move(result_);
  }

 private:
  using Places = std::map<std::string, Presses>;  // by site

  /// By indenter and place; presses into virgin rubber only where there is nothing else.
  std::map<std::string, Places> groups() {
    std::map<std::string, Places> all;
    for (const auto& press : data_.presses)
      if (press.refusal.empty()) all[press.indenter.describe()][press.site].push_back(&press);
    for (auto& [indenter, places] : all)
      for (auto& [site, presses] : places) {
        Presses again;
        for (const auto* press : presses)
          if (!press->first) again.push_back(press);
        if (again.empty())
          result_.first_cycles = true;
        else
          presses = again;
      }
    return all;
  }

  /// All places by the model that describes them better together.
  void of_one(const std::string& indenter, const Places& places) {
    auto best = at_places(RateModel::kHuntCrossley, places);
    const auto other = at_places(RateModel::kKelvinVoigt, places);
    if (best.empty()) {
      result_.warnings.push_back({"ID-01", "the presses do not determine a modulus", indenter});
      return;
    }
    if (other.size() == best.size() && chi2_per_dof(other) < chi2_per_dof(best)) best = other;
    HydroOfIndenter found;
    found.indenter = indenter;
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
    if (found.chi2_per_dof > kMisfit)
      result_.warnings.push_back(
          {"ID-07",
           fmt::format("Model does not describe the data (χ²/ν = {:.3g} with {}); numbers are "
                       "descriptive only.",
                       found.chi2_per_dof, found.indenter),
           "hydroelastic"});
    result_.indenters.push_back(found);
  }

  static std::vector<OfPlace::Found> at_places(RateModel model, const Places& places) {
    std::vector<OfPlace::Found> all;
    for (const auto& [site, presses] : places)
      if (const auto found = OfPlace(presses).run(model)) all.push_back(*found);
    return all;
  }

  static double chi2_per_dof(const std::vector<OfPlace::Found>& places) {
    double chi2 = 0, dof = 0;
    for (const auto& place : places) {
      chi2 += place.chi2;
      dof += place.dof;
    }
    return chi2 / std::max(1.0, dof);
  }

  /// Few places say nothing of how places differ: then the tactels' scatter does, where known.
  Estimate over_places(const std::vector<double>& moduli, double within) const {
    if (moduli.size() >= kFewGroups) return press_spread(moduli);
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
        if (!(difference > kMostDifference * b.value.value) ||
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

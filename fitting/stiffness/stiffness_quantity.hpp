#pragma once
// One number of the stiffness stage over all presses that have it: collect, average over places,
// judge, report.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fitting/stiffness/stiffness_loop.hpp"
#include "fitting/stiffness/stiffness_press.hpp"
#include "fitting/stiffness/stiffness_sites.hpp"
#include "libcalib/parameter.hpp"

namespace tactelier {

/// One press with what was found in it. Empty parts carry their reason, code first.
struct StiffnessPress {
  std::string where;  // "scan.tact press 7"
  std::string site;   // "tactel 14"
  std::optional<int> tactel;
  std::string mount;
  std::optional<LoadingFit> loading;
  std::string no_loading;
  std::string no_contact;  // why the loading fit is not through the contact point
  std::optional<UnloadingFit> unloading;
  std::string no_unloading;
  Linearity linearity;
  std::optional<HalfWidth> loop;             // between loading and unloading
  std::vector<std::array<double, 2>> curve;  // depth_m, force_N of the loading branch, from contact
  double u_z0_m = 0;
  bool first = true;    // no earlier press at this place went as deep (first_cycle.hpp)
  bool run_in = false;  // an earlier one went all the way
  double shared = 0;    // relative standard error that corrected first presses have in common
  std::size_t rows_left_out = 0;
};

/// What repetition can't show, for the budget of u_total.
struct RigUncertainty {
  std::optional<double> force_gain;  // relative standard uncertainty, from the certificate
  double c1_m_per_N = 0;             // frame compliance that was taken out
  double u_c1_m_per_N = 0;
  double hysteresis_half_width = 0;  // relative, median over the presses corrected for their speed
  double first_press = 0;  // relative bound, where no press was repeated (first_cycle.hpp)

  /// Gain, k^2 u(C) (docs/theory/contact-and-stiffness.md 2), the loop between loading and
  /// unloading, since not all of it need be viscous, and the first press.
  std::vector<Component> of_stiffness(double k_N_per_m) const;
  /// Gain alone.
  std::vector<Component> of_force(double force_N) const;
};

struct StiffnessQuantity {
  std::string name;  // "k_punch"
  std::string unit;
  std::function<std::optional<Estimate>(const StiffnessPress&)> value;
  std::function<std::string(const StiffnessPress&)> why_not;  // of a press without a value
  std::function<std::vector<Component>(double)> systematic;
  bool location = false;  // may be 0
};

struct QuantityResult {
  Parameter parameter;
  SiteMeans means;  // nothing in it when no press has a value
};

/// Mean over the places; unidentifiable with the reason that most presses give when none has it, or
/// with `no_presses` when there are none.
QuantityResult summarize(const std::vector<StiffnessPress>& presses,
                         const StiffnessQuantity& quantity, const std::string& no_presses);

/// One estimate judged by ID-02.
Parameter judged(const StiffnessQuantity& quantity, const Estimate& estimate);

StiffnessQuantity k_punch_quantity(const RigUncertainty& rig);
StiffnessQuantity k_affine_quantity(const RigUncertainty& rig);
StiffnessQuantity intercept_quantity(const RigUncertainty& rig);
StiffnessQuantity unloading_quantity(const RigUncertainty& rig);

}  // namespace tactelier

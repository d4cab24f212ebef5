#pragma once
// Everything the contact stage says of one press, from its samples alone.

#include <optional>
#include <string>

#include "fitting/recording/contact_point.hpp"
#include "fitting/recording/fit_context.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/rig_compliance.hpp"

namespace tactelier {

struct ContactSettings {
  RigCompliance compliance;
  std::optional<double> thickness_m;
  std::optional<Indenter> indenter;
  bool depth_from_contact = false;  // the table's depths are 0 at first touch
  std::optional<double> contact_s;  // first touch set by hand
  std::string where;                // "demo.tact press 7", for warnings
};

struct ContactFinding {
  PressContact contact;  // session and press are the caller's
  Parameter point;       // stage travel at first touch, m
  std::optional<double> peak_force_N, peak_depth_m, speed_m_per_s;
  std::string estimator;  // fixed exponent, free exponent, threshold; "" when nothing was fitted
  double k_N_per_m = 0;   // mean slope of the part that was fitted, for RC-02
  std::size_t rows_used = 0;            // samples (averaged in groups) of the fit
  double sum_squares_N2 = 0;            // of their residuals
  std::optional<ContactFit> fit;        // empty when z0 is set by hand or given by the table
  double fit_from_m = 0, fit_to_m = 0;  // travel that was fitted, the rig's bending taken out
  std::string verdict;                  // good, doubtful, unusable
  std::string why;                      // when not good
  Warnings warnings;

  bool usable() const { return verdict != "unusable"; }
};

/// Exponent of F = k depth^n for this shape: 1 for flat ends and plates, 2 for a sphere on a layer
/// thinner than its radius and for wedges, 1.5 for spheres else (Hertz) and lying cylinders; empty
/// for shapes without a law, which are fitted.
std::optional<double> contact_exponent(const std::optional<Indenter>& indenter,
                                       std::optional<double> thickness_m);

/// `data` on the force's times (PressBase::kForce), rows in time order.
ContactFinding analyse_contact(const PressData& data, const ContactSettings& settings);

}  // namespace tactelier

#include "libcalib/forward/foundation_column.hpp"

#include <algorithm>
#include <numbers>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

double on_line(const std::array<double, 2>& a, const std::array<double, 2>& b, double x) {
  return a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]);
}

double force_at_N(const std::vector<std::array<double, 2>>& curve, double depth_m) {
  for (std::size_t i = 1; i < curve.size(); ++i)
    if (depth_m <= curve[i][0]) return on_line(curve[i - 1], curve[i], depth_m);
  return 0;
}

std::optional<double> stiffness_of(const SensorModel& model, double area_m2) {
  if (model.stiffness.k.value) return model.stiffness.k.value;
  const auto modulus = foundation_modulus_Pa_per_m(model);
  return modulus ? std::optional(*modulus * area_m2) : std::nullopt;
}

std::optional<double> modulus_over_thickness(const Hydroelastic& field) {
  if (!field.modulus.value || field.thickness.value.value_or(0) <= 0) return {};
  return *field.modulus.value / *field.thickness.value;
}

// A material's c/k is the same for the contact and for one tactel of it.
double column_damping_of(const SensorModel& model, double stiffness_N_per_m) {
  const double c_n = model.damping.c_n.value.value_or(0);
  if (model.damping.at.scope != "contact") return c_n;
  const double k_punch = model.stiffness.k_punch.value.value_or(0);
  return k_punch > 0 ? c_n / k_punch * stiffness_N_per_m : 0;
}

std::vector<FoundationColumn::Branch> branches_of(const Relaxation& relaxation,
                                                  double stiffness_N_per_m) {
  std::vector<FoundationColumn::Branch> branches;
  const double g_inf = relaxation.g_inf.value.value_or(0);
  if (g_inf <= 0) return branches;
  for (std::size_t i = 0; i < std::min(relaxation.g.size(), relaxation.tau.size()); ++i)
    if (relaxation.g[i].value && relaxation.tau[i].value.value_or(0) > 0)
      branches.push_back(
          {stiffness_N_per_m * *relaxation.g[i].value / g_inf, *relaxation.tau[i].value});
  return branches;
}

std::optional<LugreValues> friction_of(const LugreParameters& p) {
  LugreValues values{};
  for (const auto& [index, parameter] : {std::pair{kLugreSigma0, &p.sigma0},
                                         {kLugreSigma1, &p.sigma1},
                                         {kLugreViscous, &p.c_t},
                                         {kLugreStatic, &p.mu_s},
                                         {kLugreDynamic, &p.mu_d},
                                         {kLugreStribeck, &p.v_s}}) {
    if (!parameter->value) return {};
    values[index] = *parameter->value;
  }
  return values;
}

}  // namespace

std::optional<double> foundation_modulus_Pa_per_m(const SensorModel& model) {
  if (const auto& modulus = model.stiffness.foundation_modulus.value) return modulus;
  return modulus_over_thickness(model.hydroelastic);
}

std::optional<double> field_modulus_Pa_per_m(const SensorModel& model) {
  if (const auto modulus = modulus_over_thickness(model.hydroelastic)) return modulus;
  return model.stiffness.foundation_modulus.value;
}

std::optional<double> rim_modulus_Pa(const SensorModel& model) {
  const auto& punch_N_per_m = model.stiffness.k_punch.value;
  const auto modulus_Pa_per_m = foundation_modulus_Pa_per_m(model);
  const auto radius_m = described_punch_radius_m(model.stiffness.indenter);
  if (!punch_N_per_m || !modulus_Pa_per_m || !radius_m) return {};
  const double under_N_per_m = *modulus_Pa_per_m * std::numbers::pi * *radius_m * *radius_m;
  return std::max(0.0, *punch_N_per_m - under_N_per_m) / (2 * std::numbers::pi * *radius_m);
}

std::optional<double> layer_thickness_m(const SensorModel& model) {
  return model.sensor.thickness_m ? model.sensor.thickness_m : model.hydroelastic.thickness.value;
}

Hardening::Hardening(const std::vector<std::array<double, 2>>& curve, double linear_to_m) {
  const double force_N = force_at_N(curve, linear_to_m);
  if (!(force_N > 0)) return;
  points_ = {{0, 0}, {linear_to_m, linear_to_m}};
  for (const auto& [depth_m, curve_N] : curve)
    if (depth_m > points_.back()[0])
      points_.push_back({depth_m, std::max(points_.back()[1], linear_to_m * curve_N / force_N)});
  if (points_.size() == 2) points_.clear();
}

std::size_t Hardening::segment(double depth_m) const {
  std::size_t end = 1;
  while (end + 1 < points_.size() && points_[end][0] < depth_m) ++end;
  return end;
}

double Hardening::effective_m(double depth_m) const {
  if (points_.empty()) return depth_m;
  const auto end = segment(depth_m);
  return on_line(points_[end - 1], points_[end], depth_m);
}

double Hardening::slope(double depth_m) const {
  if (points_.empty()) return 1;
  const auto end = segment(depth_m);
  const auto &a = points_[end - 1], &b = points_[end];
  return (b[1] - a[1]) / (b[0] - a[0]);
}

std::optional<FoundationColumn> column_of(const SensorModel& model, double area_m2) {
  const auto stiffness_N_per_m = stiffness_of(model, area_m2);
  if (!stiffness_N_per_m || !(*stiffness_N_per_m > 0)) return {};
  FoundationColumn column;
  column.stiffness_N_per_m = *stiffness_N_per_m;
  column.damping_N_s_per_m = column_damping_of(model, *stiffness_N_per_m);
  column.branches = branches_of(model.relaxation, *stiffness_N_per_m);
  column.friction = friction_of(model.friction);
  if (const auto& linear_to_m = model.stiffness.linear_to.value; linear_to_m && *linear_to_m > 0)
    column.hardening = Hardening(model.stiffness.curve, *linear_to_m);
  return column;
}

}  // namespace tactelier

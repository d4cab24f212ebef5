// Range guards of docs/theory/conventions.md 3: they warn, the file stays what it is.

#include <cmath>

#include "libcalib/model_file/model_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

void check_stiffness(const Parameter& stiffness, std::string_view name, Warnings& warnings) {
  if (!stiffness.usable() || (*stiffness.value >= 10 && *stiffness.value <= 1e5)) return;
  warnings.push_back(
      {"CV-02",
       fmt::format("{} = {:.6g} N/m is outside 10..1e5; a factor 1000 suggests N/mm.", name,
                   *stiffness.value),
       fmt::format("stiffness.{}", name)});
}

void check_damping(const SensorModel& model, Warnings& warnings) {
  const auto& c_n = model.damping.c_n;
  const bool whole_contact = model.damping.at.scope == "contact";
  const auto& k = whole_contact ? model.stiffness.k_punch : model.stiffness.k;
  if (!c_n.usable() || !k.usable() || *k.value == 0) return;
  const double time_s = *c_n.value / *k.value;
  if (time_s >= 1e-4 && time_s <= 0.1) return;
  warnings.push_back(
      {"CV-03",
       fmt::format("c_n/k = {:.6g} s; it is a relaxation time and should be 0.1..100 ms.", time_s),
       "damping.c_n"});
}

void check_bristles(const LugreParameters& friction, double normal_force_N, double thickness_m,
                    std::string_view where, Warnings& warnings) {
  if (!friction.mu_s.usable() || !friction.sigma0.usable() || *friction.sigma0.value <= 0) return;
  const double deflection_m = *friction.mu_s.value * normal_force_N / *friction.sigma0.value;
  if (deflection_m < thickness_m / 2) return;
  warnings.push_back(
      {"CV-04",
       fmt::format("Bristles would deflect {:.6g} mm before sliding on a {:.6g} mm layer.",
                   m_to_mm(deflection_m), m_to_mm(thickness_m)),
       std::string(where)});
}

}  // namespace

Warnings check_model(const SensorModel& model) {
  auto warnings = check_sensor(model.sensor);
  check_stiffness(model.stiffness.k, "k", warnings);
  check_stiffness(model.stiffness.k_punch, "k_punch", warnings);
  check_damping(model, warnings);
  const auto& contact = model.friction.contact;
  if (!model.sensor.thickness_m || !contact.normal_force.usable()) return warnings;
  const double force_N = *contact.normal_force.value;
  const auto& count = contact.tactels_in_contact;
  if (count.usable() && *count.value > 0)
    check_bristles(model.friction, force_N / *count.value, *model.sensor.thickness_m,
                   "friction.sigma0", warnings);
  check_bristles(contact, force_N, *model.sensor.thickness_m, "friction.contact.sigma0", warnings);
  return warnings;
}

}  // namespace tactelier

#include "fitting/plan/expected_sensor.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

void take(const Parameter& parameter, double& value) {
  if (parameter.usable()) value = *parameter.value;
}

void take(const Parameter& parameter, Expected& expected) {
  if (!parameter.usable() || !(*parameter.value > 0)) return;
  expected.value = *parameter.value;
  expected.low = std::min(expected.low, expected.value);
  expected.high = std::max(expected.high, expected.value);
}

void take_branches(const Relaxation& relaxation, ExpectedSensor& expected) {
  expected.branches.clear();
  if (!relaxation.g_inf.usable()) return;
  for (std::size_t b = 0; b < std::min(relaxation.g.size(), relaxation.tau.size()); ++b)
    if (relaxation.g[b].usable() && relaxation.tau[b].usable())
      expected.branches.push_back(
          {*relaxation.g[b].value / *relaxation.g_inf.value, *relaxation.tau[b].value});
}

void take_damping(const SensorModel& model, ExpectedSensor& expected) {
  const auto& damping = model.damping;
  expected.hunt_crossley = damping.dissipation.usable() && !damping.c_n.usable();
  take(damping.dissipation, expected.dissipation_s_per_m);
  if (damping.c_n.usable())
    expected.kelvin_voigt_s = *damping.c_n.value / expected.pad.punch_stiffness_N_per_m.value;
}

void take_friction(const LugreParameters& contact, LugreValues& values) {
  take(contact.sigma0, values[kLugreSigma0]);
  take(contact.sigma1, values[kLugreSigma1]);
  take(contact.c_t, values[kLugreViscous]);
  take(contact.mu_s, values[kLugreStatic]);
  take(contact.mu_d, values[kLugreDynamic]);
  take(contact.v_s, values[kLugreStribeck]);
}

double mean_of(const std::vector<TactelResponse>& tactels, Parameter TactelResponse::*member,
               double otherwise) {
  double sum = 0, count = 0;
  for (const auto& tactel : tactels) {
    if (!(tactel.*member).usable()) continue;
    sum += *(tactel.*member).value;
    ++count;
  }
  return count > 0 ? sum / count : otherwise;
}

}  // namespace

ExpectedSensor expected_from(const SensorModel& model) {
  ExpectedSensor expected;
  take(model.stiffness.k_punch, expected.pad.punch_stiffness_N_per_m);
  take(model.stiffness.foundation_modulus, expected.pad.foundation_modulus_Pa_per_m);
  const auto& tactels = model.response.tactels;
  expected.press_gain_N_per_count =
      mean_of(tactels, &TactelResponse::press_gain, expected.press_gain_N_per_count);
  expected.press_threshold_N =
      mean_of(tactels, &TactelResponse::press_threshold, expected.press_threshold_N);
  if (model.psf.sigma.usable() && !model.sensor.arrays.empty()) {
    const auto& array = model.sensor.arrays.front();
    expected.sigma_pitches = *model.psf.sigma.value / std::sqrt(array.pitch_x_m * array.pitch_y_m);
  }
  take_branches(model.relaxation, expected);
  take_damping(model, expected);
  take_friction(model.friction.contact, expected.friction);
  if (model.friction.contact.load_exponent.usable())
    expected.load_exponent = std::abs(*model.friction.contact.load_exponent.value);
  take(model.friction.contact.running_in, expected.running_in);
  take(model.friction.contact.running_in_length, expected.running_in_m);
  return expected;
}

}  // namespace tactelier

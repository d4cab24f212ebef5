#include "tests/app/support/accuracy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/synth_session.hpp"

namespace tactelier::test {
namespace {

void compare(const Parameter& fitted, const Parameter& truth, bool certificate,
             Coverage& coverage) {
  if (!fitted.identified() || !truth.value) return;
  double half = 0;
  if (fitted.ci95) half = ((*fitted.ci95)[1] - (*fitted.ci95)[0]) / 2;
  if ((certificate || !fitted.ci95) && fitted.u_total) half = *fitted.u_total;
  const double error = *fitted.value - *truth.value;
  ++coverage.compared;
  coverage.held += std::abs(error) <= half ? 1 : 0;
  coverage.mean_error += error / *truth.value;
  coverage.mean_interval += half / *truth.value;
}

void compare(const SensorModel& fitted, const SensorModel& truth, bool certificate,
             Coverages& coverages) {
  for (std::size_t i = 0; i < fitted.response.tactels.size(); ++i) {
    const auto& tactel = fitted.response.tactels[i];
    const auto& known = truth.response.tactels[i];
    compare(tactel.press_gain, known.press_gain, certificate, coverages["press_gain"]);
    compare(tactel.press_threshold, known.press_threshold, certificate,
            coverages["press_threshold"]);
    compare(tactel.saturation, known.saturation, certificate, coverages["saturation"]);
    compare(tactel.gain, known.gain, certificate, coverages["gain"]);
    compare(tactel.threshold, known.threshold, certificate, coverages["threshold"]);
  }
  compare(fitted.stiffness.k_punch, truth.stiffness.k_punch, certificate, coverages["k_punch"]);
  compare(fitted.stiffness.foundation_modulus, truth.stiffness.foundation_modulus, certificate,
          coverages["foundation_modulus"]);
  compare(fitted.psf.sigma, truth.psf.sigma, certificate, coverages["sigma"]);
}

}  // namespace

Coverages accuracy(const std::filesystem::path& folder, const std::string& protocol,
                   const std::string& preset, const std::vector<std::uint64_t>& seeds) {
  Coverages coverages;
  for (const auto seed : seeds) {
    SynthRequest synth;
    synth.protocol = protocol;
    synth.preset = preset;
    synth.seed = seed;
    synth.target = folder / "pad.tact";
    const auto made = synth_session(synth, {});
    EXPECT_TRUE(made) << made.error().message;
    if (!made) return {};
    FitRequest fit;
    fit.sessions = {made->recording};
    const auto fitted = fit_sessions(fit, {});
    const auto truth = read_model(made->truth);
    EXPECT_TRUE(fitted) << fitted.error().message;
    EXPECT_TRUE(truth) << truth.error().message;
    if (!fitted || !truth) return {};
    compare(fitted->model, *truth, preset == "lab", coverages);
    for (const auto& file : {made->recording, made->truth, made->rig_truth})
      std::filesystem::remove(file);
  }
  for (auto& [name, coverage] : coverages) {
    coverage.mean_error /= coverage.compared;
    coverage.mean_interval /= coverage.compared;
  }
  return coverages;
}

bool is_of_tactel(const std::string& name) {
  return name != "k_punch" && name != "foundation_modulus" && name != "sigma";
}

Coverage of_tactels(const Coverages& coverages) {
  Coverage all;
  for (const auto& [name, coverage] : coverages) {
    if (!is_of_tactel(name)) continue;
    all.compared += coverage.compared;
    all.held += coverage.held;
  }
  return all;
}

}  // namespace tactelier::test

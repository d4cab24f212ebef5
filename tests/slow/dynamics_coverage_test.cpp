// Friction, damping, relaxation and the pressure field of many simulated sensors: do the intervals
// hold the truth as often as they say?

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <functional>
#include <iostream>
#include <map>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/synth_session.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

// Listed before any of them was run.
constexpr std::uint64_t kFirstSeed = 5001;
constexpr std::uint64_t kSensors = 40;

constexpr const char* kHead =
    R"({"format": "tactelier/protocol", "version": 1, "name": "part", "description": "x",
        "max_minutes": 90, "indenter": )";
constexpr const char* kBall = R"({"id": "ball10", "shape": "sphere", "diameter_mm": 10.0},)";
constexpr const char* kPin = R"({"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},)";

const std::string kSlides = std::string(kHead) + kBall + R"("steps": [{"do": "zero", "time_s": 5},
      {"do": "slide", "load_N": [0.5, 1, 2], "speeds_mm_s": [0.5, 1, 2, 4, 6, 9, 12, 16],
       "length_mm": 8, "directions_deg": [90, 270]},
      {"do": "preslide", "load_N": [0.5, 1, 2], "amplitude_mm": 0.02, "frequencies_hz": [1, 5],
       "time_s": 10},
      {"do": "zero", "time_s": 2}]})";

const std::string kRates = std::string(kHead) + kPin + R"("steps": [{"do": "zero", "time_s": 5},
      {"do": "scan", "tactels": "all", "speed_mm_s": 0.3, "repeats": 2, "order": "random", "seed": 2,
       "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},
      {"do": "speeds", "sites": ["centre"], "depth_mm": 1.0, "speeds_mm_s": [0.1, 0.3, 1, 3],
       "repeats": 3},
      {"do": "chirp", "sites": ["centre"], "preload_mm": 0.6, "amplitude_mm": 0.02,
       "from_hz": 0.1, "to_hz": 10, "time_s": 60},
      {"do": "zero", "time_s": 2}]})";

const std::string kHolds = std::string(kHead) + kPin + R"("steps": [{"do": "zero", "time_s": 5},
      {"do": "repeat", "times": 3, "steps": [
        {"do": "hold", "sites": ["centre"], "depth_mm": 0.5, "ramp_s": 0.2, "time_s": 40},
        {"do": "hold", "sites": ["centre"], "depth_mm": 1.0, "ramp_s": 0.2, "time_s": 40}]},
      {"do": "zero", "time_s": 2}]})";

const std::string kJoint = std::string(kHead) + kPin + R"("steps": [{"do": "zero", "time_s": 5},
      {"do": "scan", "sites": ["centre"], "speed_mm_s": 0.3, "repeats": 3,
       "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},
      {"do": "speeds", "sites": ["centre"], "depth_mm": 1.0, "speeds_mm_s": [0.1, 0.3, 1, 3],
       "repeats": 2},
      {"do": "repeat", "times": 2, "steps": [
        {"do": "hold", "sites": ["centre"], "depth_mm": 0.5, "ramp_s": 0.2, "time_s": 40},
        {"do": "hold", "sites": ["centre"], "depth_mm": 1.0, "ramp_s": 0.2, "time_s": 40}]},
      {"do": "zero", "time_s": 2}]})";

const std::string kBallPresses =
    std::string(kHead) + kBall + R"("steps": [{"do": "zero", "time_s": 5},
      {"do": "speeds", "sites": 6, "depth_mm": 0.8, "speeds_mm_s": [0.2, 1, 4], "repeats": 2},
      {"do": "zero", "time_s": 2}]})";

struct Kept {
  int held = 0;
  int compared = 0;
  double share() const { return static_cast<double>(held) / compared; }
};
using KeptByParameter = std::map<std::string, Kept>;
using Compare =
    std::function<void(const SensorModel& fitted, const SensorModel& truth, KeptByParameter&)>;

void count(const std::string& name, const Parameter& fitted, double truth,
           KeptByParameter& coverage) {
  if (!fitted.identified() || !fitted.ci95) return;
  auto& kept = coverage[name];
  ++kept.compared;
  kept.held += (*fitted.ci95)[0] <= truth && truth <= (*fitted.ci95)[1] ? 1 : 0;
}

void count(const std::string& name, const Parameter& fitted, const Parameter& truth,
           KeptByParameter& coverage) {
  if (truth.value) count(name, fitted, *truth.value, coverage);
}

KeptByParameter coverage_of(const std::string& protocol, const std::string& stage,
                            const std::vector<std::string>& draw, const Compare& compare) {
  const TestFolder folder;
  folder.write("part.json", protocol);
  KeptByParameter coverage;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSensors; ++seed) {
    SynthRequest synth;
    synth.protocol = (folder / "part.json").string();
    synth.seed = seed;
    synth.draw = draw;
    synth.target = folder / fmt::format("pad{}.tact", seed);
    const auto made = synth_session(synth, {});
    EXPECT_TRUE(made) << made.error().message;
    if (!made) return coverage;
    FitRequest fit;
    fit.sessions = {made->recording};
    fit.stages = {stage};
    const auto fitted = fit_sessions(fit, {});
    const auto truth = read_model(made->truth);
    EXPECT_TRUE(fitted && truth);
    if (!fitted || !truth) return coverage;
    compare(fitted->model, *truth, coverage);
    std::filesystem::remove(made->recording);
  }
  for (const auto& [name, kept] : coverage)
    std::cout << fmt::format("{}: {} of {} intervals hold the truth\n", name, kept.held,
                             kept.compared);
  return coverage;
}

/// Of n honest 95 % intervals fewer than this hold in one of a thousand runs.
double least_share(int n) { return 0.95 - 3.1 * std::sqrt(0.95 * 0.05 / n); }

void expect_honest(const KeptByParameter& coverage, const std::map<std::string, int>& compared) {
  for (const auto& [name, least] : compared) {
    ASSERT_TRUE(coverage.contains(name)) << name;
    const auto& kept = coverage.at(name);
    EXPECT_GE(kept.compared, least) << name;
    EXPECT_GE(kept.share(), least_share(kept.compared)) << name;
  }
}

TEST(DynamicsCoverage, FrictionIntervalsHoldAsOftenAsTheySay) {
  const auto coverage =
      coverage_of(kSlides, "friction", {},
                  [](const SensorModel& fitted, const SensorModel& truth, KeptByParameter& c) {
                    const auto& found = fitted.friction.contact;
                    const auto& known = truth.friction.contact;
                    count("mu_s", found.mu_s, known.mu_s, c);
                    count("mu_d", found.mu_d, known.mu_d, c);
                    count("v_s", found.v_s, known.v_s, c);
                    count("sigma0", found.sigma0, known.sigma0, c);
                    count("sigma1", found.sigma1, known.sigma1, c);
                    count("c_t", found.c_t, known.c_t, c);
                  });
  expect_honest(
      coverage,
      {{"mu_s", 38}, {"mu_d", 35}, {"v_s", 35}, {"sigma0", 38}, {"sigma1", 38}, {"c_t", 35}});
  int held = 0, compared = 0;
  for (const auto& [name, kept] : coverage) {
    held += kept.held;
    compared += kept.compared;
  }
  EXPECT_LE(static_cast<double>(held) / compared, 0.99);
}

TEST(DynamicsCoverage, DampingIntervalsHoldAsOftenAsTheySay) {
  const auto coverage =
      coverage_of(kRates, "damping", {},
                  [](const SensorModel& fitted, const SensorModel& truth, KeptByParameter& c) {
                    count("c_n", fitted.damping.c_n, truth.damping.c_n, c);
                    count("dissipation", fitted.damping.dissipation, truth.damping.dissipation, c);
                  });
  expect_honest(coverage, {{"c_n", 10}, {"dissipation", 10}});
}

TEST(DynamicsCoverage, RelaxationIntervalsHoldAsOftenAsTheySay) {
  const auto coverage =
      coverage_of(kHolds, "relaxation", {"relaxation"},
                  [](const SensorModel& fitted, const SensorModel& truth, KeptByParameter& c) {
                    const auto& found = fitted.relaxation;
                    const auto& known = truth.relaxation;
                    if (found.tau.size() != known.tau.size()) return;
                    count("g_inf", found.g_inf, known.g_inf, c);
                    for (std::size_t b = 0; b < known.tau.size(); ++b) {
                      count("g", found.g[b], known.g[b], c);
                      count("tau", found.tau[b], known.tau[b], c);
                    }
                  });
  expect_honest(coverage, {{"g_inf", 35}, {"g", 70}, {"tau", 70}});
}

// Damping and relaxation of one pad look alike: only their joint fit knows how far.
TEST(DynamicsCoverage, JointIntervalsHoldAsOftenAsTheySay) {
  const auto coverage =
      coverage_of(kJoint, "joint", {"relaxation"},
                  [](const SensorModel& fitted, const SensorModel& truth, KeptByParameter& c) {
                    count("dissipation", fitted.damping.dissipation, truth.damping.dissipation, c);
                    const auto& found = fitted.relaxation;
                    const auto& known = truth.relaxation;
                    if (found.tau.size() != known.tau.size()) return;
                    count("g_inf", found.g_inf, known.g_inf, c);
                    for (std::size_t b = 0; b < known.tau.size(); ++b) {
                      count("g", found.g[b], known.g[b], c);
                      count("tau", found.tau[b], known.tau[b], c);
                    }
                    const auto& tactels = fitted.stiffness.k_punch_tactel;
                    for (std::size_t i = 0; i < tactels.size(); ++i) {
                      count("k_punch_tactel", tactels[i], truth.stiffness.k_punch_tactel[i], c);
                      // c_n belongs to k_punch, which here is one tactel's.
                      const auto& c_n = truth.damping.c_n;
                      if (tactels[i].value && c_n.value)
                        count("c_n", fitted.damping.c_n,
                              *c_n.value * *truth.stiffness.k_punch_tactel[i].value /
                                  *truth.stiffness.k_punch.value,
                              c);
                    }
                  });
  expect_honest(coverage, {{"c_n", 10},
                           {"dissipation", 10},
                           {"g_inf", 35},
                           {"g", 70},
                           {"tau", 70},
                           {"k_punch_tactel", 38}});
}

TEST(DynamicsCoverage, PressureFieldIntervalsHoldAsOftenAsTheySay) {
  const auto coverage = coverage_of(
      kBallPresses, "hydroelastic", {},
      [](const SensorModel& fitted, const SensorModel& truth, KeptByParameter& c) {
        // The recordings don't state the layer's thickness: K_f is what shows.
        const auto& found = fitted.quality.at("hydroelastic").figures;
        const double k = *truth.stiffness.foundation_modulus.value;
        const double u = found.at("K_f_u95_Pa_per_m with sphere 10 mm");
        auto& kept = c["modulus"];
        ++kept.compared;
        kept.held += std::abs(found.at("K_f_Pa_per_m with sphere 10 mm") - k) <= u ? 1 : 0;
        count("dissipation", fitted.hydroelastic.dissipation, truth.damping.dissipation, c);
      });
  expect_honest(coverage, {{"modulus", 40}, {"dissipation", 10}});
}

}  // namespace
}  // namespace tactelier::test

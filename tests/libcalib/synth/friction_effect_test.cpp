// Friction beyond LuGre (docs/virtual-bench.md 2, row "friction") and what people do to a recording
// (row "operator"), each effect alone.

#include <numbers>

#include "libcalib/units.hpp"
#include "tests/libcalib/synth/effect_recording.hpp"

namespace tactelier::synth {
namespace {

constexpr const char* kBall = R"({"shape": "sphere", "diameter_mm": 10})";

/// Coulomb friction of 0.5 with stiff bristles.
pad::PadTruth rough_pad() {
  auto truth = elastic_pad(9, 9);
  truth.friction = {0.5, 0.5, 1, 1e5, 0, 0, 1, false};
  return truth;
}

struct Slid {
  double normal_N;
  double mu;
};

/// Over the middle of a slide.
Slid slid(const EffectRecording& recording, TimeRange slide) {
  const double third_s = (slide.end_s - slide.begin_s) / 3;
  const TimeRange middle{slide.begin_s + third_s, slide.end_s - third_s};
  const double normal_N = recording.force(middle).mean();
  return {normal_N, std::abs(recording.trace(StreamKind::kForce, "Fx", middle).mean()) / normal_N};
}

TEST(FrictionEffect, MuFallsWithTheCubeRootOfTheLoad) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.friction.load_exponent = lab.friction.load_exponent;
                                  }),
                                  R"({"do": "slide", "load_N": [0.5, 4], "speeds_mm_s": [5],
                                     "length_mm": 8, "directions_deg": [0]})",
                                  rough_pad(), 1, kBall);
  const auto slides = recording.stretches("slide");
  ASSERT_EQ(slides.size(), 2U);
  const auto light = slid(recording, slides[0]);
  const auto heavy = slid(recording, slides[1]);
  EXPECT_GT(heavy.normal_N, 6 * light.normal_N);
  const double exponent = std::log(heavy.mu / light.mu) / std::log(heavy.normal_N / light.normal_N);
  EXPECT_NEAR(exponent, -1.0 / 3, 1e-3);
  EXPECT_NEAR(light.mu * std::cbrt(light.normal_N), 0.5, 1e-3);  // at 1 N
}

TEST(FrictionEffect, RunsInOverTheFirstSlides) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.friction.running_in = lab.friction.running_in;
                                    e.friction.running_in_m = lab.friction.running_in_m;
                                  }),
                                  R"({"do": "slide", "load_N": [1], "speeds_mm_s": [8],
                                     "length_mm": 10, "directions_deg": [0, 180], "repeats": 8})",
                                  rough_pad(), 1, kBall);
  // mu against the way slid under load, added up from the stage's positions.
  const auto x = recording.trace(StreamKind::kStage, "x");
  const auto fx = recording.trace(StreamKind::kForce, "Fx");
  const auto fz = recording.force();
  Trace mu;  // over the way
  double way_m = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double dx_m = std::abs(x.v[i] - x.v[i - 1]);
    if (fz.v[i] < 0.05) continue;
    way_m += dx_m;
    if (std::abs(dx_m / 1e-3 - 8e-3) > 1e-4) continue;  // at full speed
    const double ratio = std::abs(fx.v[i]) / fz.v[i];
    if (!mu.t_s.empty() && way_m - mu.t_s.back() < 1e-4) continue;
    mu.t_s.push_back(way_m);
    mu.v.push_back(ratio);
  }
  ASSERT_GT(way_m, 0.12);
  // Three points at equal distances of an exponential give its length and size.
  const double first_m = 0.006;
  const double a = mu.at(first_m);
  const double b = mu.at(first_m + 0.05);
  const double c = mu.at(first_m + 0.1);
  const double length_m = 0.05 / std::log((a - b) / (b - c));
  const double last = a - (a - b) / (1 - std::exp(-0.05 / length_m));
  const double size = (a - last) * std::exp(first_m / length_m) / last;
  EXPECT_NEAR(length_m, 0.05, 0.002);
  EXPECT_NEAR(last, 0.5, 0.002);
  EXPECT_NEAR(size, 0.15, 0.005);
}

TEST(OperatorEffect, ABumpShakesTheForceOnce) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.operator_.collision_N = lab.operator_.collision_N; }),
      zero_for(20));
  const auto force = recording.force();
  const auto first = static_cast<std::size_t>(
      std::find_if(force.v.begin(), force.v.end(), [](double f) { return std::abs(f) > 1e-3; }) -
      force.v.begin());
  ASSERT_LT(first, force.size());
  const double at_s = force.t_s[first];
  EXPECT_GT(at_s, 0.2 * 20);
  EXPECT_LT(at_s, 0.8 * 21.5);
  // A sine of 30 Hz that fades with 50 ms: within the first half period it reaches
  // sin(1.465) e^(-7.77/50) = 0.851 of its size, samples every 1 ms cut off up to 0.5 %.
  const auto half = recording.force({at_s - 1e-3, at_s + 15e-3});
  EXPECT_NEAR(std::max(half.max(), -half.min()) / 0.851, 1, 0.01);
  const auto next = recording.force({at_s + 17e-3, at_s + 32e-3});
  EXPECT_NEAR(std::max(next.max(), -next.min()) / std::max(half.max(), -half.min()),
              std::exp(-1.0 / 3), 0.01);
  const auto later = recording.force({at_s + 0.6, 20});
  EXPECT_LT(std::max(later.max(), -later.min()), 1e-4);
}

TEST(OperatorEffect, RemountingShiftsAndTurnsTheImage) {
  // 9 x 9 tactels, presses two pitches left and right of the middle; sigma of half a pitch, so the
  // centroid of the readings is the place that was pressed, to some um.
  auto truth = elastic_pad(9, 9);
  truth.spread.sigma_x_m = truth.spread.sigma_y_m = 1.7e-3;
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.operator_.remount_shift_m = lab.operator_.remount_shift_m;
                                    e.operator_.remount_turn_rad = lab.operator_.remount_turn_rad;
                                  }),
                                  dwell_on("38, 42"), truth);
  const auto centroid = [&](const Press& press) {
    const double t_s = press.holds[0].begin_s + 0.5;
    double sum = 0;
    pad::Point at;
    for (int i = 0; i < 81; ++i) {
      const double share_N = recording.share_N(i, t_s);
      sum += share_N;
      at.x_m += share_N * (i % 9 - 4) * 3.4e-3;
      at.y_m += share_N * (i / 9 - 4) * 3.4e-3;
    }
    return pad::Point{at.x_m / sum, at.y_m / sum};
  };
  const auto presses = recording.presses();
  const auto left = centroid(presses[0]);
  const auto right = centroid(presses[1]);
  const double shift_m = std::hypot((left.x_m + right.x_m) / 2, (left.y_m + right.y_m) / 2);
  const double turn_rad = std::atan2(right.y_m - left.y_m, right.x_m - left.x_m);
  EXPECT_NEAR(shift_m, 0.2e-3, 8e-6);
  EXPECT_NEAR(std::abs(turn_rad), deg_to_rad(1), deg_to_rad(0.05));
  EXPECT_EQ(recording.session().metadata().stage_to_sensor.value_or(StageToSensor{}).x_m, 0);
}

}  // namespace
}  // namespace tactelier::synth

// What happens to the readings (docs/virtual-bench.md 2, row "readings"), each effect alone.

#include <numbers>
#include <set>

#include "tests/libcalib/synth/effect_recording.hpp"

namespace tactelier::synth {
namespace {

constexpr int kTactels = 12;  // of elastic_pad()

TEST(ReadingEffect, Noise) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.reading.noise_counts = lab.reading.noise_counts; }),
      zero_for(20));
  double squares = 0;
  for (int i = 0; i < kTactels; ++i) {
    const double deviation = recording.tactel(i, recording.zero()).deviation();
    squares += deviation * deviation / kTactels;
  }
  EXPECT_NEAR(std::sqrt(squares), 8, 0.1);  // 60000 samples: 0.3 % of the deviation; four of these
}

TEST(ReadingEffect, MainsHum) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.reading.hum_counts = lab.reading.hum_counts; }),
      zero_for(2));
  for (const int tactel : {0, 7}) {
    const auto hum = recording.tactel(tactel, {1, 3});  // 100 whole periods
    double in_phase = 0;
    double quadrature = 0;
    for (std::size_t i = 0; i < hum.size(); ++i) {
      const double angle = 2 * std::numbers::pi * 50 * hum.t_s[i];
      in_phase += (hum.v[i] - kOffset_counts) * std::sin(angle);
      quadrature += (hum.v[i] - kOffset_counts) * std::cos(angle);
    }
    EXPECT_NEAR(2 * std::hypot(in_phase, quadrature) / static_cast<double>(hum.size()), 8, 0.02);
    EXPECT_NEAR(hum.deviation() * std::numbers::sqrt2, 8, 0.02);  // and nothing but 50 Hz
  }
}

TEST(ReadingEffect, GhostsAlongRowAndColumn) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.reading.ghosting = lab.reading.ghosting; }),
      dwell_on("24"), elastic_pad(7, 7));
  const double t_s = recording.presses()[0].holds[0].begin_s + 0.5;
  double row_N = 0;
  double column_N = 0;
  for (int i = 0; i < 7; ++i) {
    row_N += recording.share_N(21 + i, t_s);
    column_N += recording.share_N(3 + 7 * i, t_s);
  }
  // Three pitches away, 6 sigma, there is no share but the ghost of the row's others. The recorded
  // row holds ghosts itself, 6 % more of its sum (5 within the row, 1.4 from the columns).
  const double truly_N = row_N / (1 + 0.01 * (5 + 1.4));
  EXPECT_NEAR(recording.share_N(21, t_s) / truly_N, 0.01, 2e-4);
  EXPECT_NEAR(recording.share_N(27, t_s) / truly_N, 0.01, 2e-4);
  EXPECT_NEAR(recording.share_N(3, t_s) / (column_N / 1.064), 0.01, 2e-4);
  EXPECT_NEAR(recording.share_N(0, t_s), 0, 1e-5);  // neither in its row nor in its column
}

TEST(ReadingEffect, PressesScatter) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.reading.press_scatter = lab.reading.press_scatter; }),
      dwell_on("5", 0.5, 0.1, 60));
  std::vector<double> per_newton;
  for (const auto& press : recording.presses()) {
    const double t_s = press.holds[0].begin_s + 0.05;
    per_newton.push_back(recording.share_N(5, t_s) /
                         recording.force({t_s - 0.01, t_s + 0.01}).mean());
  }
  ASSERT_EQ(per_newton.size(), 60U);
  const Trace all{{}, per_newton};
  // 60 presses: 9 % of the deviation; two and a half of these.
  EXPECT_NEAR(all.deviation() / all.mean(), 0.04, 0.01);
}

TEST(ReadingEffect, TheFirstCycleIsHarder) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.reading.first_cycle_softening =
                                        lab.reading.first_cycle_softening;
                                  }),
                                  dwell_on("5", 0.5, 0.5, 3) + "," + dwell_on("10", 0.5, 0.5, 2));
  std::vector<double> forces_N;
  for (const auto& press : recording.presses())
    forces_N.push_back(
        recording.force({press.holds[0].begin_s + 0.1, press.holds[0].end_s}).mean());
  EXPECT_NEAR(forces_N[0] / forces_N[1], 1.1, 1e-4);
  EXPECT_NEAR(forces_N[2] / forces_N[1], 1, 1e-4);
  EXPECT_NEAR(forces_N[3] / forces_N[4], 1.1, 1e-4);  // virgin again at another place
}

TEST(ReadingEffect, CreepsByTwoPercentPerDecade) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.reading.creep_per_decade = lab.reading.creep_per_decade;
                                  }),
                                  R"({"do": "hold", "sites": [5], "depth_mm": 0.5, "ramp_s": 0.2,
                                     "time_s": 200})");
  const auto hold = recording.presses()[0].holds[0];
  const auto reading = recording.tactel(5, {hold.begin_s, hold.end_s});
  const auto per_newton = [&](double after_s) {
    const double t_s = hold.begin_s + after_s;
    return (reading.at(t_s) - kOffset_counts) / recording.force({t_s - 0.01, t_s + 0.01}).mean();
  };
  // c log10(1 + t / 1 s), and the ramp's 0.2 s before: from 9 to 99 s log10(100 / 10.1) or so.
  // Made of two relaxations per decade the logarithm ripples by 1 %; the base has crept by 2 %.
  const double base = per_newton(0);
  EXPECT_NEAR((per_newton(99) - per_newton(9)) / base, 0.02, 0.0008);
  EXPECT_NEAR((per_newton(190) - per_newton(18)) / base, 0.02, 0.0008);
}

TEST(ReadingEffect, ZeroReturnsSlowly) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.reading.zero_return = lab.reading.zero_return; }),
      dwell_on("5", 0.5, 1) + "," + zero_for(60));
  const auto press = recording.presses()[0];
  const auto force = recording.force({press.begin_s, press.end_s});
  auto last = force.size() - 1;
  while (force.v[last] <= 0) --last;
  const double release_s = force.t_s[last];
  const auto reading = recording.tactel(5);
  const double peak = reading.max() - kOffset_counts;
  const auto rest = [&](double after_s) {
    return (reading.at(release_s + after_s) - kOffset_counts) / peak;
  };
  const double tau_s = 20 / std::log(rest(10) / rest(30));
  EXPECT_NEAR(tau_s, 20, 0.05);
  // Extrapolated to the release; the second on the way up counts for at most 0.5 s of decay (2 %).
  EXPECT_NEAR(rest(10) * std::exp(10 / tau_s), 0.01, 0.0003);
}

TEST(ReadingEffect, HysteresisIsTenPercentOfFullScale) {
  const EffectRecording recording(
      alone([](auto& e, const auto& lab) { e.reading.hysteresis = lab.reading.hysteresis; }),
      ramp_on(5, 0.7, 0.2));
  const auto press = recording.presses()[0];
  const auto force = recording.force({press.begin_s, press.end_s});
  const auto reading = recording.tactel(5, {press.begin_s, press.end_s});
  const auto peak =
      static_cast<std::size_t>(std::max_element(force.v.begin(), force.v.end()) - force.v.begin());
  const auto at_force = [&](std::size_t from, std::size_t to, double force_N) {
    for (std::size_t i = from + 1; i < to; ++i)
      if ((force.v[i - 1] < force_N) != (force.v[i] < force_N)) {
        const double part = (force_N - force.v[i - 1]) / (force.v[i] - force.v[i - 1]);
        return reading.at(force.t_s[i - 1] + part * (force.t_s[i] - force.t_s[i - 1]));
      }
    return std::numeric_limits<double>::quiet_NaN();
  };
  const double full_scale = kSaturation_counts - kOffset_counts;
  for (const double force_N : {0.5, 0.7, 0.9}) {
    const double loading = at_force(0, peak, force_N);
    const double unloading = at_force(peak, force.size(), force_N);
    // Frames come every 4 ms, within which force and reading change linearly: exact to some counts.
    EXPECT_NEAR((unloading - loading) / full_scale, 0.1, 0.001) << force_N;
  }
  EXPECT_NEAR(reading.v.back(), kOffset_counts, 1e-3);  // and it closes
}

TEST(ReadingEffect, WarmthTakesSensitivity) {
  const EffectRecording recording(alone([](auto& e, const auto& lab) {
                                    e.reading.temperature_per_K = lab.reading.temperature_per_K;
                                    e.reading.temperature_swing_K = lab.reading.temperature_swing_K;
                                  }),
                                  dwell_on("5") + "," + zero_for(240) + "," + dwell_on("5"));
  const auto temperature = recording.trace(StreamKind::kAux, "temperature");
  std::vector<double> warmth_K, per_newton;
  for (const auto& press : recording.presses()) {
    const double t_s = press.holds[0].begin_s + 0.5;
    warmth_K.push_back(temperature.at(t_s));
    per_newton.push_back(recording.share_N(5, t_s) /
                         recording.force({t_s - 0.01, t_s + 0.01}).mean());
  }
  const double warmer_K = warmth_K[1] - warmth_K[0];
  EXPECT_NEAR(warmer_K, 1.5 * std::sin(2 * std::numbers::pi * 247 / 3600), 0.02);
  // Thousandths of some 2500 counts and of a kelvin: 0.2 % of an effect of 0.2 %.
  EXPECT_NEAR((per_newton[1] / per_newton[0] - 1) / warmer_K, -0.003, 3e-5);
}

/// A plate on the whole pad: every sound tactel answers.
class PlateOn {
 public:
  explicit PlateOn(const pad::Effects& effects)
      : recording_(effects, zero_for(2) + R"(,{"do": "area", "force_N": [3], "dwell_s": 2})",
                   soft_pad()) {
    const auto hold = recording_.presses()[0].holds[0];
    for (int i = 0; i < kTactels; ++i) {
      rest_.push_back(recording_.tactel(i, recording_.zero()));
      load_.push_back(recording_.tactel(i, {hold.begin_s + 0.3, hold.end_s}));
    }
  }
  bool answers(std::size_t i) const { return load_[i].mean() > rest_[i].mean() + 200; }
  const Trace& rest(std::size_t i) const { return rest_[i]; }
  const Trace& load(std::size_t i) const { return load_[i]; }
  const SynthReport& report() const { return recording_.report(); }

 private:
  static pad::PadTruth soft_pad() {
    auto truth = elastic_pad();
    truth.layer.foundation_modulus_Pa_per_m = 1e8;
    return truth;
  }
  EffectRecording recording_;
  std::vector<Trace> rest_;
  std::vector<Trace> load_;
};

TEST(ReadingEffect, OneTactelIsDead) {
  const PlateOn plate(alone([](auto& e, const auto& lab) { e.reading.dead = lab.reading.dead; }));
  std::set<std::size_t> dead;
  for (std::size_t i = 0; i < kTactels; ++i)
    if (!plate.answers(i)) dead.insert(i);
  ASSERT_EQ(dead.size(), 1U);
  EXPECT_EQ(plate.load(*dead.begin()).max(), kOffset_counts);
  EXPECT_TRUE(plate.report().draws.tactels[*dead.begin()].dead);
}

TEST(ReadingEffect, OneTactelIsStuck) {
  const PlateOn plate(alone([](auto& e, const auto& lab) { e.reading.stuck = lab.reading.stuck; }));
  std::set<std::size_t> stuck;
  for (std::size_t i = 0; i < kTactels; ++i)
    if (!plate.answers(i)) stuck.insert(i);
  ASSERT_EQ(stuck.size(), 1U);
  const auto i = *stuck.begin();
  EXPECT_EQ(plate.rest(i).min(), plate.load(i).max());
  EXPECT_NE(plate.rest(i).min(), kOffset_counts);
  EXPECT_EQ(plate.report().draws.tactels[i].stuck_at_counts, plate.rest(i).min());
}

TEST(ReadingEffect, OneTactelIsNoisy) {
  const PlateOn plate(alone([](auto& e, const auto& lab) {
    e.reading.noisy = lab.reading.noisy;
    e.reading.noisy_counts = lab.reading.noisy_counts;
  }));
  int noisy = 0;
  for (std::size_t i = 0; i < kTactels; ++i) {
    EXPECT_TRUE(plate.answers(i)) << i;
    if (plate.rest(i).deviation() < 1e-9) continue;
    ++noisy;                                         // at rest the converter's zero cuts it off
    EXPECT_NEAR(plate.load(i).deviation(), 80, 11);  // 425 samples: 3.4 %; four of these
  }
  EXPECT_EQ(noisy, 1);
}

}  // namespace
}  // namespace tactelier::synth

#pragma once
// Recordings with one effect switched on alone, read back as anybody would: from the file, through
// Session. What the tests compute from them shares no code with the simulated pad.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "libcalib/session/session.hpp"
#include "libcalib/synth/synth.hpp"
#include "tests/libcalib/pad/pad_fixtures.hpp"

namespace tactelier::synth {

constexpr double kPunch_N_per_m = 2000;  // of elastic_pad() under the pin of 1 mm
constexpr double kGain_N_per_count = 2e-4;
constexpr double kOffset_counts = 60;
constexpr double kSaturation_counts = 3840;
constexpr double kPin_mm = 1;

/// Purely elastic, every tactel alike and without threshold: what a recording shows beyond
/// F = 2000 N/m * depth and counts = 60 + share / 2e-4 is the effect.
inline pad::PadTruth elastic_pad(int rows = 3, int columns = 4) {
  auto truth = pad::plain_truth();
  truth.sensor = pad::grid_sensor(rows, columns, 3.4e-3);
  truth.tactels.resize(static_cast<std::size_t>(rows * columns), truth.tactels[0]);
  for (auto& tactel : truth.tactels) tactel.threshold_N = 0;
  return truth;
}

/// No effect but those that `switch_on` takes over from preset `lab`.
inline pad::Effects alone(
    const std::function<void(pad::Effects&, const pad::Effects&)>& switch_on) {
  auto effects = pad::no_effects();
  switch_on(effects, pad::lab());
  return effects;
}

/// One column over time.
struct Trace {
  std::vector<double> t_s;
  std::vector<double> v;

  std::size_t size() const { return v.size(); }
  double mean() const {
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  }
  double deviation() const {
    const double m = mean();
    double sum = 0;
    for (const double x : v) sum += (x - m) * (x - m);
    return std::sqrt(sum / static_cast<double>(v.size() - 1));
  }
  double max() const { return *std::max_element(v.begin(), v.end()); }
  double min() const { return *std::min_element(v.begin(), v.end()); }
  /// Between samples, linearly.
  double at(double time_s) const {
    const auto after = std::upper_bound(t_s.begin(), t_s.end(), time_s);
    if (after == t_s.begin()) return v.front();
    if (after == t_s.end()) return v.back();
    const auto i = static_cast<std::size_t>(after - t_s.begin());
    return v[i - 1] + (v[i] - v[i - 1]) * (time_s - t_s[i - 1]) / (t_s[i] - t_s[i - 1]);
  }
};

/// Slope and intercept of the straight line through v(x).
struct Line {
  double slope = 0;
  double intercept = 0;
};

inline Line line_through(const std::vector<double>& x, const std::vector<double>& v) {
  const auto n = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_v = std::accumulate(v.begin(), v.end(), 0.0) / n;
  double xx = 0;
  double xv = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xv += (x[i] - mean_x) * (v[i] - mean_v);
  }
  return {xv / xx, mean_v - xv / xx * mean_x};
}

class EffectRecording {
 public:
  /// `steps`: the protocol's, as JSON; pin of 1 mm unless `indenter` says otherwise.
  EffectRecording(const pad::Effects& effects, const std::string& steps,
                  const pad::PadTruth& truth = elastic_pad(), std::uint64_t seed = 1,
                  const std::string& indenter = R"({"shape": "cylinder", "diameter_mm": 1})")
      : file_(std::filesystem::path(testing::TempDir()) /
              (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
               ".tact")) {
    std::filesystem::remove(file_);
    SynthSetup setup;
    setup.truth = truth;
    setup.effects = effects;
    setup.preset = "one effect";
    setup.seed = seed;
    setup.protocol =
        parse_protocol(R"({"format": "tactelier/protocol", "version": 1, "name": "effect",
                           "indenter": )" +
                           indenter + R"(, "steps": [)" + steps + "]}",
                       "effect.json")
            .value();
    const auto bench = SimulatedBench::create(setup);
    if (!bench) throw std::runtime_error(bench.error().message);
    const auto made = bench->record(file_, {});
    if (!made) throw std::runtime_error(made.error().message);
    report_ = *made;
    session_.emplace(Session::open(file_).value());
  }
  EffectRecording(const EffectRecording&) = delete;
  ~EffectRecording() {
    session_.reset();
    std::filesystem::remove(file_);
  }

  const Session& session() const { return *session_; }
  const SynthReport& report() const { return report_; }

  Trace trace(StreamKind kind, const std::string& column, TimeRange range = {}) const {
    auto samples = session_->read(kind, std::vector<std::string>{column}, range).value();
    return {std::move(samples.time_s), std::move(samples.columns[0])};
  }
  /// Compression [N], positive when pressing.
  Trace force(TimeRange range = {}) const {
    auto fz = trace(StreamKind::kForce, "Fz", range);
    for (double& x : fz.v) x = -x;
    return fz;
  }
  Trace height(TimeRange range = {}) const { return trace(StreamKind::kStage, "z", range); }
  Trace tactel(int index, TimeRange range = {}) const {
    return trace(StreamKind::kTactile, std::to_string(index), range);
  }
  /// Share of the force [N] that a tactel's reading says it bears.
  double share_N(int index, double t_s) const {
    return (tactel(index, {t_s - 0.05, t_s + 0.05}).at(t_s) - kOffset_counts) * kGain_N_per_count;
  }

  std::vector<Press> presses() const {
    return tactelier::presses(session_->events(), session_->edits(), session_->metadata()).value();
  }
  TimeRange zero(std::size_t index = 0) const {
    const auto found = intervals(session_->events(), "zero").value();
    return {found.at(index).begin_s, found.at(index).end_s};
  }
  /// From NAME_begin to NAME_end.
  std::vector<TimeRange> stretches(const std::string& name) const {
    std::vector<TimeRange> found;
    for (const auto& event : session_->events()) {
      if (event.name == name + "_begin") found.push_back({event.t_s.value(), 0});
      if (event.name == name + "_end") found.back().end_s = event.t_s.value();
    }
    return found;
  }

 private:
  std::filesystem::path file_;
  SynthReport report_;
  std::optional<Session> session_;
};

/// Where the surface is, found from a dwell: height of the stage plus force over stiffness.
inline double surface_found_m(const EffectRecording& recording, const Hold& hold) {
  const double middle_s = (hold.begin_s + hold.end_s) / 2;
  const TimeRange around{middle_s - 0.1, middle_s + 0.1};
  return recording.height(around).mean() + recording.force(around).mean() / kPunch_N_per_m;
}

/// Staircase of one depth: a press with a dwell.
inline std::string dwell_on(const std::string& sites, double depth_mm = 0.5, double dwell_s = 1,
                            int repeats = 1) {
  return fmt::format(R"({{"do": "staircase", "sites": [{}], "depths_mm": [{}], "dwell_s": {},
                         "repeats": {}}})",
                     sites, depth_mm, dwell_s, repeats);
}

/// A ramp down and up on one tactel.
inline std::string ramp_on(int tactel, double depth_mm, double speed_mm_per_s, int repeats = 1) {
  return fmt::format(R"({{"do": "scan", "tactels": [{}], "speed_mm_s": {}, "repeats": {},
                         "until": {{"depth_mm": {}}}}})",
                     tactel, speed_mm_per_s, repeats, depth_mm);
}

inline std::string zero_for(double time_s) {
  return fmt::format(R"({{"do": "zero", "time_s": {}}})", time_s);
}

}  // namespace tactelier::synth

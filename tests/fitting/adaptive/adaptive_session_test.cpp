// When a session that chooses its presses ends, whom it gives up, and how often it does a block
// again: by models made here, as if a fit had found them.

#include "fitting/adaptive/adaptive_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

namespace tactelier::adaptive {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr double kBatch_s = 60;

SensorDescription small_sensor() {
  return parse_sensor(R"({"format": "tactelier/sensor", "version": 1, "vendor": "none",
                          "model": "small", "rows": 3, "columns": 4, "pitch_x_mm": 3.4,
                          "pitch_y_mm": 3.4, "channels": 1,
                          "adc": {"bits": 12, "min": 0, "max": 4095}, "rate_hz": 400,
                          "thickness_mm": null, "max_force_N": null, "max_pressure_MPa": null,
                          "falling": false, "source": "none"})",
                      "small", false)
      .value();
}

void know(Parameter& parameter, double value, double half_width) {
  parameter.value = value;
  parameter.ci95 = std::array{value * (1 - half_width), value * (1 + half_width)};
  parameter.std = value * half_width / 2;
  parameter.status = Status::kIdentified;
}

void refuse(Parameter& parameter, const char* reason) {
  parameter = {};
  parameter.status = Status::kUnidentifiable;
  parameter.reason = reason;
}

/// A pad that is pressed as asked, and a fit that finds what the test says.
class Pad {
 public:
  explicit Pad(const char* targets, double minutes = 60)
      : sensor_(small_sensor()),
        model_(empty_model(sensor_)),
        session_(make(sensor_, targets, minutes)) {
    for (auto& tactel : model_.response.tactels) know(tactel.gain, 2e-4, 0.01);
    know(model_.psf.sigma, 1.6e-3, 0.005);
    know(model_.stiffness.k_punch, 2000, 0.01);
  }

  /// The next batch, recorded; false when there is none.
  bool go_on() {
    session_.set_ordered(ordered_);
    auto next = session_.next(model_.presses.empty() ? nullptr : &model_, seconds_);
    if (!next) return false;
    seconds_ += kBatch_s;
    last_ = json::parse(next->steps_json);
    why_ = next->why;
    for (const auto& [press, why] : next->presses) {
      ordered_.push_back(press);
      PressRow row;
      row.tactel = press.tactel;
      row.x_m = press.x_m;
      row.y_m = press.y_m;
      row.kind = "ramp";
      row.peak_force_N = press.force_N;
      row.verdict = "good";
      model_.presses.push_back(row);
    }
    return !next->last;
  }
  /// Batches until it ends, 60 at most.
  int run(const std::function<void(int, SensorModel&)>& each = {}) {
    int batches = 0;
    while (batches < 60 && go_on()) {
      ++batches;
      if (each) each(batches, model_);
    }
    return batches;
  }
  /// Steps of the last batch that do this.
  int count(const char* what) const {
    int found = 0;
    for (const auto& step : last_) found += step["do"] == what ? 1 : 0;
    return found;
  }

  SensorModel& model() { return model_; }
  const AdaptiveState& state() const { return session_.state(); }
  const AdaptiveSession& session() const { return session_; }
  const std::string& why() const { return why_; }

 private:
  static AdaptiveSession make(const SensorDescription& sensor, const char* targets,
                              double minutes) {
    AdaptiveSettings settings;
    settings.targets = parse_targets(targets).value();
    settings.most_s = 60 * minutes;
    const auto tip =
        mounted_indenter(R"({"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0})", "pin");
    return AdaptiveSession::create(sensor, tip.value(), rig_quality(virtual_bench_rig(), sensor),
                                   settings)
        .value();
  }

  SensorDescription sensor_;
  SensorModel model_;
  AdaptiveSession session_;
  std::vector<PressThought> ordered_;
  double seconds_ = 60;
  json last_;
  std::string why_;
};

std::vector<std::string> kinds(const Protocol& protocol) {
  std::vector<std::string> all;
  for (const auto& step : protocol.steps) all.emplace_back(step.name());
  return all;
}

TEST(AdaptiveSession, EndsWhenAllIsMetTwiceInARowWithTenRepeats) {
  Pad pad("gain 2 %, sigma 1 %, k 2 %");
  pad.run();
  EXPECT_EQ(pad.state().outcome, "all targets are met");
  EXPECT_GE(pad.state().repeats, 10);
  EXPECT_TRUE(pad.state().why_given_up.empty());
}

TEST(AdaptiveSession, ATargetMetOnceByChanceIsNotMet) {
  Pad pad("gain 2 %");
  const int batches = pad.run([](int batch, SensorModel& model) {
    know(model.response.tactels[3].gain, 2e-4, batch % 2 == 0 || batch > 5 ? 0.01 : 0.03);
  });
  EXPECT_GT(batches, 6);
  EXPECT_EQ(pad.state().outcome, "all targets are met");
}

TEST(AdaptiveSession, WhatSixBatchesDontNarrowIsLeftAndNamed) {
  Pad pad("gain 2 %, sigma 1 %");
  const int batches =
      pad.run([](int, SensorModel& model) { know(model.psf.sigma, 1.6e-3, 0.021); });
  EXPECT_LT(batches, 12);
  EXPECT_EQ(pad.state().outcome, "what presses can give is reached, not all targets");
  EXPECT_THAT(pad.state().why_given_up,
              Contains(HasSubstr("sigma: stays at 2.1 % where 1 % was wanted: the last 60 presses "
                                 "did not narrow it")));
}

TEST(AdaptiveSession, WhatStillNarrowsIsNotLeft) {
  Pad pad("sigma 1 %");
  pad.run([](int batch, SensorModel& model) {
    know(model.psf.sigma, 1.6e-3, 0.03 * std::pow(0.95, batch));
  });
  EXPECT_EQ(pad.state().outcome, "all targets are met");
}

TEST(AdaptiveSession, WhatWasLeftAndIsMetSinceIsNotCalledUnreached) {
  Pad pad("gain 2 %, k 2 %");
  pad.run([](int batch, SensorModel& model) {
    know(model.stiffness.k_punch, 2000, batch < 12 ? 0.034 : 0.015);
    for (auto& tactel : model.response.tactels)
      know(tactel.gain, 2e-4, std::max(0.01, 0.06 * std::pow(0.93, batch)));
  });
  EXPECT_EQ(pad.state().outcome, "all targets are met");
  EXPECT_TRUE(pad.state().why_given_up.empty());
}

TEST(AdaptiveSession, ADeadTactelIsNotWaitedFor) {
  Pad pad("gain 2 %");
  pad.run([](int, SensorModel& model) {
    auto& dead = model.response.tactels[5];
    dead.status = TactelStatus::kDead;
    refuse(dead.gain, "RS-01 the tactel never answers");
  });
  EXPECT_EQ(pad.state().outcome, "all targets are met");
  EXPECT_THAT(pad.state().given_up, Contains(5));
  EXPECT_THAT(pad.state().why_given_up,
              Contains("gain of tactel 5: RS-01 the tactel never answers"));
  ASSERT_FALSE(pad.state().targets.empty());
  EXPECT_EQ(pad.state().targets[0].of, 11);
}

TEST(AdaptiveSession, ATactelWithoutAGainIsPressedBeforeItIsLeft) {
  Pad pad("gain 2 %");
  const auto at_m = small_sensor().position_m(2);
  int near = 0;
  pad.run([&](int, SensorModel& model) {
    refuse(model.response.tactels[2].gain, "PS-04 too few rows");
    near = 0;
    for (const auto& row : model.presses)
      near += std::hypot(*row.x_m - at_m[0], *row.y_m - at_m[1]) < 2.6e-3 ? 1 : 0;
  });
  EXPECT_GE(near, 2);
  EXPECT_THAT(pad.state().why_given_up, Contains(HasSubstr("tactel 2: PS-04 too few rows")));
}

TEST(AdaptiveSession, EndsWithItsTime) {
  Pad pad("sigma 1 %", 5);
  const int batches = pad.run([](int batch, SensorModel& model) {
    know(model.psf.sigma, 1.6e-3, 0.5 * std::pow(0.9, batch));
  });
  EXPECT_LE(batches, 5);
  EXPECT_EQ(pad.state().outcome, "its 5 minutes are over");
}

TEST(AdaptiveSession, BeginsWithABlockForEachTargetOfItsOwn) {
  const Pad both("gain 2 %, damping 10 %, relaxation 10 %");
  EXPECT_THAT(kinds(both.session().opening()),
              testing::ElementsAre("zero", "plate", "cycles", "speeds", "hold", "hold", "scan"));
  const Pad gains("gain 2 %");
  EXPECT_THAT(kinds(gains.session().opening()), testing::ElementsAre("zero", "scan"));
}

TEST(AdaptiveSession, ABlockIsDoneAgainUntilItsTargetIsMet) {
  Pad pad("gain 2 %, damping 10 %");
  int speeds = 0;
  pad.run([&](int, SensorModel& model) {
    speeds += pad.count("speeds");
    know(model.damping.dissipation, 12, 0.15 / std::sqrt(1.0 + speeds));
  });
  EXPECT_EQ(pad.state().outcome, "all targets are met");
  // 0.15 / sqrt(1 + n) < 0.1 from n = 2 on; the fit sees a round one batch later.
  EXPECT_GE(speeds, 2);
  EXPECT_LE(speeds, 3);
}

TEST(AdaptiveSession, DampingThatMoreRoundsDontNarrowIsLeft) {
  Pad pad("damping 10 %");
  int speeds = 0;
  pad.run([&](int, SensorModel& model) {
    speeds += pad.count("speeds");
    refuse(model.damping.c_n, "DP-02 u(c/k) is too large for this rig");
  });
  EXPECT_LE(speeds, 5);
  EXPECT_EQ(pad.state().outcome, "what presses can give is reached, not all targets");
  EXPECT_THAT(pad.state().why_given_up,
              Contains("damping: DP-02 u(c/k) is too large for this rig"));
}

TEST(AdaptiveSession, NoPressIsSpentOnWhatOnlyBlocksTell) {
  Pad pad("damping 10 %");
  ASSERT_TRUE(pad.go_on());
  know(pad.model().damping.c_n, 3, 0.2);
  ASSERT_TRUE(pad.go_on());
  EXPECT_EQ(pad.count("speeds"), 1);
  EXPECT_EQ(pad.count("scan"), 0);
  EXPECT_THAT(pad.why(), HasSubstr("damping, round 2"));
}

TEST(AdaptiveSession, ForeseesLessTimeForLooserTargets) {
  Pad loose("gain 20 %"), tight("gain 8 %");
  ASSERT_TRUE(loose.go_on());
  ASSERT_TRUE(tight.go_on());
  ASSERT_TRUE(loose.state().left_s && tight.state().left_s);
  EXPECT_LT((*loose.state().left_s)[1], (*tight.state().left_s)[1]);
  ASSERT_EQ(tight.state().foreseen.size(), 1U);
  EXPECT_LE(tight.state().foreseen[0].relative, 0.08);
}

}  // namespace
}  // namespace tactelier::adaptive

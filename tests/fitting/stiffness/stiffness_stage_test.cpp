// The stage from a recording to the model. Contact points are given, as the contact stage would.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fitting/contact/contact.hpp"
#include "fitting/statistics/random.hpp"
#include "fitting/stiffness/stiffness.hpp"
#include "libcalib/session/session_writer.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr double kRate_hz = 100;
constexpr double kZ0_m = 0.5e-3;  // travel at first touch

/// Records presses one after another: 0.5 s of air, down at 0.5 mm/s, back up.
class Recording {
 public:
  void press(const std::string& begin, double k_N_per_m, double depth_m = 1e-3,
             double unload_factor = 1) {
    const double begin_s = time_s_;
    const std::string kind = begin.find("kind") == begin.npos ? R"("kind":"ramp",)" : "";
    event(begin_s, "press_begin", fmt::format(R"({{"press":{},{}{}}})", number_, kind, begin));
    const double top_m = kZ0_m + depth_m;
    for (double z = 0; z < top_m; z += 0.5e-3 / kRate_hz)
      row(z, k_N_per_m * std::max(0.0, z - kZ0_m));
    const double peak_N = k_N_per_m * depth_m;
    for (double z = top_m; z > 0; z -= 0.5e-3 / kRate_hz)
      row(z, std::max(0.0, peak_N - unload_factor * k_N_per_m * (top_m - z)));
    event(time_s_, "press_end", fmt::format(R"({{"outcome":"ok","press":{}}})", number_));
    PressContact contact;
    contact.press = static_cast<std::size_t>(number_++);
    contact.ok = true;
    contact.tared = true;
    contact.z0_m = kZ0_m;
    contact.u_z0_m = 1e-6;
    contacts.push_back(contact);
    time_s_ += 0.5;
  }

  void event(double time_s, const char* name, const std::string& data) {
    const auto made = make_event(decimal_from(std::round(time_s * 1e4) / 1e4), name, data, "test");
    ASSERT_TRUE(made) << made.error().message;
    events_.push_back(*made);
  }
  void event(const char* name, const std::string& data) { event(time_s_, name, data); }

  FitContext fit(const std::string& more = {}) {
    const auto metadata = parse_session_metadata(
        R"({"format":"tactelier/session","version":1,"sensor":{"rows":14,"columns":6,)"
        R"("pitch_x_mm":3.4,"pitch_y_mm":3.4,"area_mm2":1250,"thickness_mm":6},)"
        R"("indenter":{"id":"pin","shape":"cylinder","diameter_mm":1})" +
            more + "}",
        "session.json");
    EXPECT_TRUE(metadata) << metadata.error().message;
    write(*metadata);
    session_ = std::make_unique<Session>(Session::open(folder_ / "scan.tact").value());
    FitContext context;
    context.model = empty_model(metadata->sensor);
    context.sessions.push_back(
        {session_.get(), presses(session_->events(), {}, session_->metadata()).value(), {}});
    context.contacts = contacts;
    context.compliance.push_back(rig);
    const auto done = run_stiffness(context);
    EXPECT_TRUE(done) << done.error().message;
    return context;
  }

  std::vector<PressContact> contacts;
  RigCompliance rig;

 private:
  void row(double travel_m, double force_N) {
    times_.push_back(decimal_from(std::round(time_s_ * 1e4) / 1e4));
    z_.push_back(decimal_from(-std::round(travel_m * 1e9) / 1e6));  // mm, falls going down
    noise_ = 0.5 * noise_ + 0.001 * random_.normal();
    force_.push_back(decimal_from(std::round((force_N + noise_) * 1e6) / 1e6));
    time_s_ += 1 / kRate_hz;
  }

  void write(const SessionMetadata& metadata) {
    auto writer = SessionWriter::create(folder_ / "scan.tact", metadata).value();
    if (!times_.empty()) {
      const StreamInfo force{StreamKind::kForce, {{"t", "s", 1.0}, {"Fz", "N", 1.0}}};
      const StreamInfo stage{StreamKind::kStage, {{"t", "s", 1.0}, {"z", "mm", 1.0}}};
      ASSERT_TRUE(writer.add_stream(force));
      ASSERT_TRUE(writer.add_stream(stage));
      ASSERT_TRUE(
          writer.append(StreamKind::kForce, {{column_chunk(times_), column_chunk(force_)}}));
      ASSERT_TRUE(writer.append(StreamKind::kStage, {{column_chunk(times_), column_chunk(z_)}}));
    }
    for (const auto& e : events_) ASSERT_TRUE(writer.add_event(e));
    ASSERT_TRUE(writer.finish());
  }

  test::TemporaryFolder folder_;
  RandomSource random_{21};
  std::unique_ptr<Session> session_;
  std::vector<Event> events_;
  std::vector<Decimal> times_, z_, force_;
  double time_s_ = 0;
  double noise_ = 0;
  int number_ = 0;
};

auto has_code(const char* code) { return Contains(Field(&Warning::code, code)); }

TEST(StiffnessStage, PressesOnTactelsGiveEachTactelAndTheMean) {
  Recording recording;
  for (int repeat = 0; repeat < 3; ++repeat) {
    recording.press(R"("tactel":14)", 2000 + 10 * repeat, 1e-3, 1.5);
    recording.press(R"("tactel":15)", 2200 + 10 * repeat, 1e-3, 1.5);
  }
  recording.press(R"("x_mm":0,"y_mm":0)", 3000);
  const auto context = recording.fit();
  const auto& s = context.model.stiffness;
  // Repeats scatter by 10 N/m each: pooled dof 4, std = 10 sqrt(1/3 + 1/3)/2 = 4.08
  EXPECT_NEAR(*s.k_punch.value, 2110, 3);
  EXPECT_NEAR(*s.k_punch.std, 4.08, 1);
  EXPECT_NEAR(*s.k_punch_tactel[14].value, 2010, 3);
  EXPECT_NEAR(*s.k_punch_tactel[15].value, 2210, 3);
  EXPECT_THAT(s.k_punch_tactel[0].reason, StartsWith("NOT-PRESSED"));
  // The press between tactels counts here: (2010 + 2210 + 3000) / 3
  EXPECT_NEAR(*s.k_affine.value, 2406.7, 4);
  EXPECT_NEAR(*s.unloading.value, (1.5 * 2010 + 1.5 * 2210 + 3000) / 3, 10);
  EXPECT_NEAR(*s.max_penetration.value, 1e-3, 10e-6);
  EXPECT_EQ(s.indenter, "cylinder 1 mm");
  EXPECT_THAT(s.k.reason, StartsWith("ST-05 k was measured with a cylinder 1 mm on 3.4 mm"));
  ASSERT_EQ(s.curve.size(), 11U);
  EXPECT_NEAR(s.curve.back()[1] / s.curve.back()[0], 2110, 20);
  const auto& quality = context.model.quality.at("stiffness");
  EXPECT_THAT(quality.interval_method, HasSubstr("repeated presses (4 degrees"));
  EXPECT_EQ(quality.figures.at("presses_used"), 7);
  EXPECT_THAT(quality.warnings, has_code("NO-CERTIFICATE"));
}

TEST(StiffnessStage, CertificateAndFrameWidenTheTotalOnly) {
  Recording recording;
  for (int repeat = 0; repeat < 5; ++repeat) recording.press(R"("tactel":3)", 2000 + repeat);
  recording.rig.c1_m_per_N = 1e-12;  // rigid, but not known to be
  recording.rig.u_c1_m_per_N = 5e-6;
  const auto context = recording.fit(
      R"(,"force_sensor":{"model":"cell","press_axis":"z","certificate":{"gain_u_percent":1.0}})");
  const auto& k = context.model.stiffness.k_punch;
  ASSERT_TRUE(k.std && k.u_total);
  EXPECT_LT(*k.std, 3);
  // 1 % of 2000 = 20; k^2 u(C) = 4e6 * 5e-6 = 20; together 28.3, times 1.96
  EXPECT_NEAR(*k.u_total, 1.96 * std::sqrt(800), 1);
  EXPECT_THAT(context.model.quality.at("stiffness").warnings,
              ::testing::Not(has_code("NO-CERTIFICATE")));
}

TEST(StiffnessStage, WithoutAContactPointTheSlopeStays) {
  Recording recording;
  for (int repeat = 0; repeat < 3; ++repeat) recording.press(R"("tactel":3)", 2000 + repeat);
  for (auto& contact : recording.contacts) {
    contact.ok = false;
    contact.reason = "RC-01 The record starts in contact: fewer than 20 free samples.";
  }
  const auto& s = recording.fit().model.stiffness;
  EXPECT_THAT(s.k_punch.reason, StartsWith("RC-01"));
  EXPECT_THAT(s.intercept.reason, StartsWith("RC-01"));
  EXPECT_THAT(s.max_penetration.reason, StartsWith("RC-01"));
  EXPECT_THAT(s.k_punch_tactel[3].reason, StartsWith("RC-01"));
  EXPECT_NEAR(*s.k_affine.value, 2001, 5);
  EXPECT_NEAR(*s.unloading.value, 2001, 10);
}

TEST(StiffnessStage, SoftFrameDeepPressAndLateContactAreNamed) {
  Recording recording;
  recording.press(R"("tactel":3)", 500, 7e-3);
  recording.rig.c1_m_per_N = 1.0 / 900;  // softer than twice 500 N/m
  recording.contacts[0].z0_m += 100e-6;
  const auto context = recording.fit();
  const auto& warnings = context.model.quality.at("stiffness").warnings;
  EXPECT_THAT(warnings, has_code("RC-02"));
  EXPECT_THAT(warnings, has_code("ST-02"));
  EXPECT_EQ(context.model.quality.at("stiffness").interval_method,
            "within one press; its repeatability is not known");
}

TEST(StiffnessStage, AnIndentationBeyondTheLayerIsNamed) {
  Recording recording;
  recording.press(R"("tactel":3)", 500, 7e-3);
  const auto context = recording.fit();
  EXPECT_THAT(
      context.model.quality.at("stiffness").warnings,
      Contains(Field(&Warning::text, StartsWith("Indentation 7 mm exceeds layer thickness 6 mm"))));
}

TEST(StiffnessStage, ShallowPressesAreRefusedWithTheirDepths) {
  Recording recording;
  recording.press(R"("tactel":3)", 2000, 0.1e-3);  // 1.7 % of 6 mm
  const auto context = recording.fit();
  EXPECT_THAT(context.model.stiffness.k_punch.reason, StartsWith("ST-01 Depths "));
  EXPECT_THAT(context.model.stiffness.k_affine.reason, StartsWith("ST-01 Depths "));
  EXPECT_THAT(context.model.quality.at("stiffness").warnings, has_code("ST-01"));
}

TEST(StiffnessStage, PlatePressesGiveTheFoundationModulus) {
  Recording recording;
  for (int repeat = 0; repeat < 3; ++repeat)
    recording.press(R"("kind":"area","indenter":{"shape":"plate"})", 4900 + 5 * repeat);
  const auto& s = recording.fit().model.stiffness;
  EXPECT_NEAR(*s.foundation_modulus.value, 4905 / 1250e-6, 5e3);
  EXPECT_NEAR(*s.k.value, 58.39, 0.1);
  EXPECT_EQ(s.method, "area");
  EXPECT_TRUE(s.k.ci95);
  EXPECT_THAT(s.k_punch.reason, StartsWith("ST-01 No usable press"));
}

TEST(StiffnessStage, AWeightGivesEquationEighteenWithTheSessionsGravity) {
  Recording recording;
  recording.event("weight", R"({"mass_g":304.15,"area_mm2":804.25,"compression_mm":2.5,)"
                            R"("pressure_Pa":9810})");
  const auto context = recording.fit(R"(,"gravity_m_s2":9.81)");
  const auto& s = context.model.stiffness;
  EXPECT_NEAR(*s.k.value, 22.08, 0.005);
  EXPECT_EQ(s.method, "area");
  EXPECT_FALSE(s.k.std);  // nothing was repeated
  EXPECT_FALSE(s.k.ci95);
  EXPECT_NEAR(*s.k.u_total / *s.k.value, 1.959964 * 0.0115470, 1e-6);
  const auto& warnings = context.model.quality.at("stiffness").warnings;
  EXPECT_THAT(warnings, has_code("CV-06"));
  EXPECT_THAT(warnings, has_code("ONE-WEIGHT"));
}

TEST(StiffnessStage, WithoutPressesAndWeightsEverythingHasAReason) {
  Recording recording;
  const auto& s = recording.fit().model.stiffness;
  for (const auto* p : {&s.k_punch, &s.k_affine, &s.intercept, &s.unloading, &s.linear_to,
                        &s.max_penetration, &s.foundation_modulus, &s.k}) {
    EXPECT_FALSE(p->value);
    EXPECT_THAT(p->reason, StartsWith("ST-01 No "));
  }
}

TEST(StiffnessStage, AnotherIndenterIsLeftOut) {
  Recording recording;
  for (int repeat = 0; repeat < 3; ++repeat) recording.press(R"("tactel":3)", 2000 + repeat);
  recording.press(R"("tactel":4,"indenter":{"shape":"cylinder","diameter_mm":5})", 9000);
  const auto context = recording.fit();
  EXPECT_NEAR(*context.model.stiffness.k_punch.value, 2001, 5);
  EXPECT_THAT(context.model.stiffness.k_punch_tactel[4].reason, StartsWith("NOT-PRESSED"));
  EXPECT_THAT(context.model.quality.at("stiffness").warnings, has_code("OTHER-INDENTER"));
}

}  // namespace
}  // namespace tactelier

#include "devices/acquisition/live_recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "devices/acquisition/session_document.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier::rig {
namespace {

using test::TemporaryFolder;
using testing::HasSubstr;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

StreamShapes shapes() {
  StreamShapes shapes;
  shapes.force.SI_per_count = {1e-6, 1e-6, 1e-6, 0, 0, 0};
  shapes.force_rate_hz = 1000;
  return shapes;
}

devices::ForceSample sample(std::int64_t record, double host_s) {
  devices::ForceSample made;
  made.record = record;
  made.host_time_ns = static_cast<std::int64_t>(host_s * 1e9);
  return made;
}

/// The force stream's own time and its host time, row after row.
Samples rows_of(const std::filesystem::path& file) {
  const auto session = Session::open(file);
  EXPECT_TRUE(session) << session.error().message;
  const std::vector<std::string> columns{"t_host"};
  return *session->read(StreamKind::kForce, columns, {});
}

SessionMetadata plain_metadata() {
  return parse_session_metadata(
             R"({"format": "tactelier/session", "version": 1, "created": "2026-11-20T10:00:00Z",
                 "sensor": "weiss-wts0614"})",
             "session")
      .value();
}

TEST(LiveRecording, AnEncodersRowsBeginWhereTheStageRestsAndAreZeroedThere) {
  const TemporaryFolder folder;
  auto with_encoder = shapes();
  with_encoder.encoder = {1e-6};
  auto recording =
      LiveRecording::start(folder / "e.tact", plain_metadata(), with_encoder, 100 * kSecond_ns);
  ASSERT_TRUE(recording) << recording.error().message;
  std::int64_t tick = 7'000'000;
  const auto reads = [&](double position_m) {
    tick += 1000;
    const auto host_ns = 100 * kSecond_ns + (tick - 7'000'000) * 1000;
    return (*recording)->push(devices::LengthSample{host_ns, tick, position_m});
  };
  const auto stage_at = [&](double z_m, devices::StageState state) {
    return (*recording)->push(devices::StageSample{0, {1e-3, 2e-3, z_m}, state, true});
  };
  ASSERT_TRUE(reads(0.010));  // nobody knows yet where the stage is
  ASSERT_TRUE(stage_at(4e-3, devices::StageState::kJog));
  ASSERT_TRUE(reads(0.0101));
  ASSERT_TRUE(stage_at(3e-3, devices::StageState::kIdle));
  ASSERT_TRUE(reads(0.0102));
  ASSERT_TRUE(stage_at(2e-3, devices::StageState::kJog));
  ASSERT_TRUE(reads(0.0097));
  ASSERT_TRUE((*recording)->close());
  const auto session = Session::open(folder / "e.tact");
  const std::vector<std::string> columns{"x", "z", "z_enc", "t_host"};
  const auto rows = session->read(StreamKind::kStage, columns, {});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->rows(), 2U);
  EXPECT_NEAR(rows->time_s[0], 7.003, 1e-9);
  EXPECT_NEAR(rows->columns[0][0], 1e-3, 1e-12);
  EXPECT_NEAR(rows->columns[1][1], 2e-3, 1e-12);
  EXPECT_NEAR(rows->columns[2][0], 3e-3, 1e-12);
  EXPECT_NEAR(rows->columns[2][1], 2.5e-3, 1e-12);
  EXPECT_NEAR(rows->columns[3][0], 3e-3, 1e-12);
}

TEST(LiveRecording, KeepsAllThreeChannelsOfATactel) {
  const TemporaryFolder folder;
  auto with_array = shapes();
  with_array.array = devices::TactileShape{1, 2, 3};
  const auto metadata = parse_session_metadata(
      R"({"format": "tactelier/session", "version": 1, "created": "2026-11-20T10:00:00Z",
          "sensor": {"format": "tactelier/sensor", "version": 1, "vendor": "V", "model": "M",
                     "rows": 1, "columns": 2, "pitch_x_mm": 5, "pitch_y_mm": 5, "channels": 3}})",
      "session");
  ASSERT_TRUE(metadata) << metadata.error().message;
  auto recording = LiveRecording::start(folder / "u.tact", *metadata, with_array, 100 * kSecond_ns);
  ASSERT_TRUE(recording) << recording.error().message;
  devices::TactileFrame frame;
  frame.host_time_ns = 101 * kSecond_ns;
  frame.counts = {1, 2, 3, 4, 5, 65535};
  ASSERT_TRUE((*recording)->push(frame));
  ASSERT_TRUE((*recording)->close());
  const auto session = Session::open(folder / "u.tact");
  const std::vector<std::string> columns{"0.x", "0.y", "0.z", "1.x", "1.y", "1.z"};
  const auto rows = session->read(StreamKind::kTactile, columns, {});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->rows(), 1U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(rows->columns[i][0], frame.counts[i]) << i;
}

class GoingOn : public testing::Test {
 protected:
  /// Two seconds from host time 100 s on, the device counting from 5000; a press is open.
  void SetUp() override {
    auto recording = LiveRecording::start(file_, plain_metadata(), shapes(), 100 * kSecond_ns);
    ASSERT_TRUE(recording) << recording.error().message;
    for (int i = 0; i < 2000; ++i)
      ASSERT_TRUE((*recording)->push(sample(5000 + i, 100 + i * 1e-3)));
    ASSERT_TRUE((*recording)
                    ->event(101 * kSecond_ns, "press_begin",
                            R"({"press": 1, "kind": "ramp", "x_mm": 0, "y_mm": 0})"));
    ASSERT_TRUE((*recording)->close());
  }
  /// After `gap_s` by the computer's clock, the device's first count being `record`.
  void go_on(double gap_s, std::int64_t record) {
    const double now_s = 500;
    const auto now_ns = static_cast<std::int64_t>(now_s * 1e9);
    auto again = LiveRecording::resume(
        file_, shapes(), now_ns - static_cast<std::int64_t>((2 + gap_s) * 1e9), now_ns, warnings_);
    ASSERT_TRUE(again) << again.error().message;
    for (int i = 0; i < 100; ++i) ASSERT_TRUE((*again)->push(sample(record + i, now_s + i * 1e-3)));
    ASSERT_TRUE((*again)->close());
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "a.tact";
  Warnings warnings_;
};

TEST_F(GoingOn, HostTimeGoesOnByTheTimeThatHasPassed) {
  go_on(60, 5000 + 62'000);
  const auto rows = rows_of(file_);
  ASSERT_EQ(rows.rows(), 2100U);
  EXPECT_NEAR(rows.columns[0][2000], 62, 1e-9);
  EXPECT_NEAR(rows.time_s[2000], 67, 1e-9);  // the device counted on meanwhile
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(GoingOn, ADeviceThatCountsFromAnewIsMovedToWhereTheTimeBetweenLeavesIt) {
  go_on(60, 0);
  const auto rows = rows_of(file_);
  ASSERT_EQ(rows.rows(), 2100U);
  // Offset between host and device as before, to a sample.
  EXPECT_NEAR(rows.columns[0][2000] - rows.time_s[2000], rows.columns[0][0] - rows.time_s[0], 1e-3);
  EXPECT_NEAR(rows.time_s[2099] - rows.time_s[2000], 0.099, 1e-9);
}

TEST_F(GoingOn, AClockThatWasSetBackIsSaidAndTimeNeverRunsBackwards) {
  go_on(-3600, 0);
  const auto rows = rows_of(file_);
  ASSERT_EQ(rows.rows(), 2100U);
  EXPECT_GT(rows.columns[0][2000], rows.columns[0][1999]);
  EXPECT_LT(rows.columns[0][2000], rows.columns[0][1999] + 0.1);
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(warnings_[0].code, "CLOCK-STEP");
}

TEST_F(GoingOn, WhatWasOpenEndsWithTheLastSample) {
  go_on(60, 0);
  const auto session = Session::open(file_);
  const auto found = presses(session->events(), {}, session->metadata());
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ((*found)[0].outcome, "aborted");
  EXPECT_NEAR((*found)[0].end_s, 1.999, 1e-6);
}

TEST_F(GoingOn, OtherDevicesAreRefusedAndTheFileStaysAsItWas) {
  auto other = shapes();
  other.force.SI_per_count[2] = 2e-6;
  const auto refused = LiveRecording::resume(file_, other, 0, 500 * kSecond_ns, warnings_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(refused.error().message, HasSubstr("'force'"));
  EXPECT_TRUE(Session::open(file_)->finished());
}

}  // namespace
}  // namespace tactelier::rig

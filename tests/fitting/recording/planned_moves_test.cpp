// Truth: the planner's own segments, their events written when they would have happened.
#include "fitting/recording/planned_moves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/rig.hpp"
#include "libcalib/session/session_writer.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kHolds = R"({"format": "tactelier/protocol", "version": 1, "name": "holds",
  "indenter": {"shape": "cylinder", "diameter_mm": 1}, "steps": [{"do": "zero", "time_s": 1},
  {"do": "hold", "sites": ["centre"], "depth_mm": 0.5, "ramp_s": 0.2, "time_s": 2},
  {"do": "hold", "sites": ["centre"], "depth_mm": 1.0, "ramp_s": 0.3, "time_s": 2}]})";

constexpr const char* kScan = R"({"format": "tactelier/protocol", "version": 1, "name": "scan",
  "indenter": {"shape": "cylinder", "diameter_mm": 1}, "steps": [{"do": "zero", "time_s": 1},
  {"do": "scan", "sites": ["centre"], "speed_mm_s": 1, "until": {"force_N": 1, "depth_mm": 1}}]})";

using Happened = std::function<double(double planned_s)>;

class PlannedMoves : public testing::Test {
 protected:
  PlannedMoves()
      : file_(fs::path(testing::TempDir()) /
              (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
               ".tact")) {
    fs::remove(file_);
  }
  ~PlannedMoves() override { fs::remove(file_); }

  Plan plan(const char* protocol) {
    const auto rig = virtual_bench_rig();
    return plan_protocol(parse_protocol(protocol, "test").value(), metadata(protocol).sensor,
                         setup_for(rig, bench_setup()))
        .value();
  }

  SessionMetadata metadata(const char* protocol) {
    const json document{{"format", "tactelier/session"},
                        {"version", 1},
                        {"sensor", "weiss-wts0614"},
                        {"rig", json::parse(virtual_bench_rig().document)},
                        {"protocol", json::parse(protocol)}};
    return parse_session_metadata(canonical(document), "test").value();
  }

  /// The plan's events, at the times at which they happened.
  std::vector<Move> moves_of(const char* protocol, const Happened& happened) {
    write(protocol, happened);
    return planned_moves(Session::open(file_).value());
  }

  fs::path file_;

 private:
  void write(const char* protocol, const Happened& happened) {
    auto writer = SessionWriter::create_import(file_, metadata(protocol)).value();
    for (const auto& segment : plan(protocol).segments) {
      for (const auto& event : segment.at_begin) add(writer, happened(segment.begin_s), event);
      for (const auto& event : segment.at_end) add(writer, happened(segment.end_s()), event);
    }
    EXPECT_TRUE(writer.finish());
  }

  static void add(SessionWriter& writer, double t_s, const PlannedEvent& event) {
    const Decimal time{std::llround(t_s * 1e6), -6};
    EXPECT_TRUE(writer.add_event(make_event(time, event.name, event.data, "test").value()));
  }
};

TEST_F(PlannedMoves, AreThePlansLinesWhenEverythingWentAsPlanned) {
  const auto planned = plan(kHolds);
  std::size_t lines = 0;
  const auto moves = moves_of(kHolds, [](double t_s) { return t_s; });
  for (std::size_t i = 0; i < planned.segments.size(); ++i) {
    const auto& segment = planned.segments[i];
    if (!segment.motion.is_line() || segment.motion.duration_s() == 0) continue;
    const auto found = std::find_if(moves.begin(), moves.end(), [&](const Move& move) {
      return move.line == static_cast<int>(i);
    });
    if (segment.phase == Phase::kLoad || segment.phase == Phase::kUnload) ++lines;
    if (found == moves.end()) {
      EXPECT_EQ(segment.phase, Phase::kTravel) << "segment " << i;
      continue;
    }
    EXPECT_NEAR(found->queued_s, segment.begin_s, 2e-6) << "segment " << i;
    EXPECT_NEAR(found->from_m[2] - found->to_m[2],
                segment.motion.from_m()[2] - segment.motion.end_m()[2], 1e-12);
  }
  EXPECT_EQ(lines, 4U);
}

TEST_F(PlannedMoves, EndWhereTheHoldBeganHoweverLateThatWas) {
  const auto planned = plan(kHolds);
  const auto late = [](double t_s) { return 1.01 * t_s + 3.7; };
  const auto moves = moves_of(kHolds, late);
  for (const auto& move : moves) {
    const auto& segment = planned.segments[static_cast<std::size_t>(move.line)];
    if (segment.phase != Phase::kLoad) continue;
    EXPECT_NEAR(move.queued_s + segment.motion.duration_s(), late(segment.end_s()), 2e-6);
  }
  EXPECT_FALSE(moves.empty());
}

TEST_F(PlannedMoves, LeaveOutWhatTheForceDecided) {
  const auto planned = plan(kScan);
  for (const auto& move : moves_of(kScan, [](double t_s) { return t_s; })) {
    const auto phase = planned.segments[static_cast<std::size_t>(move.line)].phase;
    EXPECT_NE(phase, Phase::kLoad);
    EXPECT_NE(phase, Phase::kUnload);
  }
}

TEST_F(PlannedMoves, AreNoneWithoutAProtocol) {
  const json bare{{"format", "tactelier/session"}, {"version", 1}, {"sensor", "weiss-wts0614"}};
  const auto metadata = parse_session_metadata(canonical(bare), "test").value();
  ASSERT_TRUE(SessionWriter::create_import(file_, metadata).value().finish());
  EXPECT_TRUE(planned_moves(Session::open(file_).value()).empty());
}

}  // namespace
}  // namespace tactelier

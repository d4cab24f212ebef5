// Truth: a trapezoid worked by hand, read ten times a second by a stage whose zero is elsewhere.
#include "fitting/recording/computed_travel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <vector>

#include "libcalib/session/session_writer.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr double kBegin_s = 1.03, kOffset_m = 12e-6;

/// 1 mm down at 4 mm/s and 100 mm/s2: 40 ms to speed up, 0.29 s in all.
Move down() {
  Move move;
  move.line = 1;
  move.from_m = {0, 0, 0.2e-3};
  move.to_m = {0, 0, -0.8e-3};
  move.speed_m_per_s = 4e-3;
  move.acceleration_m_per_s2 = 0.1;
  move.queued_s = kBegin_s;
  return move;
}

class ComputedTravel : public testing::Test {
 protected:
  ComputedTravel()
      : file_(fs::path(testing::TempDir()) /
              (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
               ".tact")) {
    fs::remove(file_);
    data_.time_s = {0.5, 1.07, 1.175, 1.31, 2, 4.5};
    data_.travel_m.assign(data_.time_s.size(), 7);
  }
  ~ComputedTravel() override { fs::remove(file_); }

  /// The stage does its line `late_s` after it is told to, and reads 12 um more than that.
  bool compute(double late_s, const std::optional<Lateness>& known = {}) {
    const CommandedPath path(std::vector{down()});
    in_context(path, late_s, [&](const FitContext& context) {
      const auto computed = compute_loading(context, 0, 0, path, rest_, data_, known).value();
      found_ = computed ? std::optional(computed->late) : std::nullopt;
      rest_begin_s_ = computed ? computed->rest_begin_s : 0;
    });
    return found_.has_value();
  }

  /// One press of five seconds, all of it recorded.
  template <class Use>
  void in_context(const CommandedPath& path, double late_s, const Use& use) {
    write(path, late_s);
    const auto session = Session::open(file_).value();
    Press press;
    press.begin_s = 0;
    press.end_s = 5;
    FitContext context;
    context.sessions.push_back({&session, {press}, {}});
    use(context);
  }

  PressData data_;
  Interval rest_{1.32, 4};  // as it was seen
  std::optional<Lateness> found_;
  double rest_begin_s_ = 0;
  bool uneven_ = false;  // answers take 10 to 40 ms, and tell where the stage was at either end

  /// When it is asked, and the stamp: half of the answer later.
  struct Answer {
    double latched_s, stamp_s;
  };
  Answer answer(int i) const {
    const double asked_s = 0.1 * i;
    if (!uneven_) return {asked_s, asked_s};
    const double takes_s = i % 3 == 1 ? 10e-3 : 40e-3;
    return {asked_s + (i % 3 == 2 ? takes_s : 0), asked_s + takes_s / 2};
  }

  void write(const CommandedPath& path, double late_s) {
    fs::remove(file_);
    auto writer =
        SessionWriter::create_import(file_, parse_session_metadata(
                                                R"({"format": "tactelier/session", "version": 1,
                                     "sensor": "weiss-wts0614"})",
                                                "test")
                                                .value())
            .value();
    EXPECT_TRUE(writer.add_stream({StreamKind::kStage, {{"t", "us", 1.0}, {"z", "mm", 1e-6}}}));
    StreamChunk chunk;
    chunk.columns.resize(2);
    for (int i = 0; i < 50; ++i) {
      const auto [latched_s, stamp_s] = answer(i);
      const double z_m = path.lines()[0].place_m(latched_s - late_s)[2] - kOffset_m;
      chunk.columns[0].mantissas.push_back(std::llround(stamp_s * 1e6));
      chunk.columns[1].mantissas.push_back(std::llround(z_m * 1e9));
    }
    EXPECT_TRUE(writer.append(StreamKind::kStage, chunk));
    EXPECT_TRUE(writer.finish());
  }

  fs::path file_;
};

/// An answer that the stage stands comes up to one question and one answer after it does.
TEST_F(ComputedTravel, EndsBeforeTheRestIsSeen) {
  rest_.begin_s = 1.45;
  ASSERT_TRUE(compute(0, Lateness{0, 1e-6}));
  EXPECT_NEAR(rest_begin_s_, kBegin_s + 0.29, 1e-9);
  EXPECT_NEAR(data_.travel_m[2], 0.3e-3 + kOffset_m, 1e-9);
  rest_.begin_s = 1.9;  // another line, not recorded
  EXPECT_FALSE(compute(0));
}

TEST_F(ComputedTravel, EndsInTheRestThatWasRead) {
  ASSERT_TRUE(compute(0, Lateness{0, 1e-6}));
  EXPECT_NEAR(data_.travel_m[0], -0.2e-3 + kOffset_m, 1e-9);
  EXPECT_NEAR(data_.travel_m[1], -0.12e-3 + kOffset_m, 1e-9);  // 0.08 mm after 40 ms
  EXPECT_NEAR(data_.travel_m[2], 0.3e-3 + kOffset_m, 1e-9);    // half-way
  EXPECT_NEAR(data_.travel_m[4], 0.8e-3 + kOffset_m, 1e-9);
  EXPECT_EQ(data_.travel_m[5], 7);  // the rest is over
}

TEST_F(ComputedTravel, BelievesAStageThatAnswersLate) { EXPECT_TRUE(compute(8e-3)); }

// Two positions are read under way, each latched within 12 ms and known to 5 um: of 1.25 ms at full
// speed. That leaves latenesses from 3 to 28 ms, all alike.
TEST_F(ComputedTravel, BeginsAsLateAsPositionsAllow) {
  ASSERT_TRUE(compute(16e-3));
  EXPECT_NEAR(found_->value_s, 16e-3, 2e-3);
  EXPECT_NEAR(found_->u_s, 26e-3 / std::sqrt(12.0), 1e-3);
  EXPECT_NEAR(data_.travel_m[2], 0.3e-3 - found_->value_s * 4e-3 + kOffset_m, 1e-9);
  EXPECT_NEAR(data_.travel_m[4], 0.8e-3 + kOffset_m, 1e-9);
}

// 12 +- 2 ms beside what positions allow, 16 +- 7.5 ms: 12.3 +- 1.93 ms.
TEST_F(ComputedTravel, BelievesWhatWasKnownBeforeByItsWeight) {
  ASSERT_TRUE(compute(16e-3, Lateness{12e-3, 2e-3}));
  EXPECT_NEAR(found_->value_s, 12.3e-3, 0.2e-3);
  EXPECT_NEAR(found_->u_s, 1.93e-3, 0.02e-3);
}

// One position read under way is 20 ms ahead of its stamp, the next as much behind.
TEST_F(ComputedTravel, AllowsForAnswersThatTakeUnlikeTimes) {
  uneven_ = true;
  EXPECT_TRUE(compute(0));
}

TEST_F(ComputedTravel, IsNotClaimedWherePositionsContradictIt) {
  EXPECT_FALSE(compute(70e-3));
  EXPECT_EQ(data_.travel_m[2], 7);
}

// Down, a rest, and up again: a press whose every line is known.
TEST_F(ComputedTravel, FollowsAllLinesOfAPress) {
  auto up = down();
  up.line = 2;
  std::swap(up.from_m, up.to_m);
  up.queued_s = 4.2;
  const CommandedPath path(std::vector{down(), up});
  data_.time_s = {0.5, 1.175, 2, 4.2 + 0.145, 4.9};
  data_.travel_m.assign(data_.time_s.size(), 7);
  in_context(path, 0, [&](const FitContext& context) {
    ASSERT_TRUE(compute_travel(context, 0, 0, path, 0, data_).value());
  });
  for (const auto& [row, travel_m] :
       {std::pair{0, -0.2e-3}, {1, 0.3e-3}, {2, 0.8e-3}, {3, 0.3e-3}, {4, -0.2e-3}})
    EXPECT_NEAR(data_.travel_m[static_cast<std::size_t>(row)], travel_m + kOffset_m, 1e-9) << row;
}

}  // namespace
}  // namespace tactelier

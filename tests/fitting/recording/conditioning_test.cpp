// Which models may call themselves conditioned, by the events of their sessions alone.

#include "fitting/recording/conditioning.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <list>

#include "libcalib/model_file/model_file.hpp"
#include "libcalib/session/session_writer.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kPin = R"({"shape": "cylinder", "diameter_mm": 1})";
constexpr std::string_view kBall = R"({"shape": "sphere", "diameter_mm": 10})";

/// Sessions of events alone, a second apart.
class Conditioned : public testing::Test {
 protected:
  ~Conditioned() override { std::filesystem::remove_all(folder_); }

  void session(std::string_view mount) {
    const auto metadata = parse_session_metadata(
        fmt::format(R"({{"format": "tactelier/session", "version": 1, "sensor": "weiss-wts0614",
                         "mount": "{}", "indenter": {}}})",
                    mount, kPin),
        "test");
    ASSERT_TRUE(metadata) << metadata.error().message;
    std::filesystem::create_directories(folder_);
    files_.push_back(folder_ / fmt::format("{}.tact", files_.size()));
    {
      auto writer = SessionWriter::create_import(files_.back(), *metadata);
      ASSERT_TRUE(writer) << writer.error().message;
      for (const auto& event : events_) ASSERT_TRUE(writer->add_event(event));
      ASSERT_TRUE(writer->finish());
    }
    events_.clear();
    auto opened = Session::open(files_.back());
    ASSERT_TRUE(opened) << opened.error().message;
    sessions_.push_back(std::move(*opened));
    const auto& now = sessions_.back();
    auto found = presses(now.events(), now.edits(), now.metadata());
    ASSERT_TRUE(found) << found.error().message;
    context_.sessions.push_back({&now, std::move(*found), {}});
  }
  void press(double x_mm, std::string_view outcome = "ok", std::string_view tip = kPin,
             std::string_view kind = "cycle") {
    ++press_;
    add("press_begin", fmt::format(R"({{"press": {}, "x_mm": {}, "y_mm": 0, "kind": "{}",
                                        "indenter": {}}})",
                                   press_, x_mm, kind, tip));
    add("press_end", fmt::format(R"({{"press": {}, "outcome": "{}"}})", press_, outcome));
  }
  void rested(int cycles, double depth_mm) {
    add("conditioned", fmt::format(R"({{"cycles": {}, "sites": 2, "depth_mm": {}, "rest_s": 60}})",
                                   cycles, depth_mm));
  }
  const Conditions& conditions() {
    context_.model = empty_model(*load_sensor("weiss-wts0614"));
    state_conditioning(context_);
    return context_.model.conditions;
  }

 private:
  void add(std::string_view name, const std::string& data) {
    auto event = make_event({++second_, 0}, name, data, "test");
    ASSERT_TRUE(event) << event.error().message;
    events_.push_back(std::move(*event));
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) /
                                  testing::UnitTest::GetInstance()->current_test_info()->name();
  std::vector<std::filesystem::path> files_;
  std::vector<Event> events_;
  std::list<Session> sessions_;
  FitContext context_;
  std::int64_t second_ = 0;
  int press_ = 0;
};

TEST_F(Conditioned, WhereEveryPressThatCountsFindsItsPlaceLoadedAndRested) {
  press(0, "conditioning");
  press(3.4, "conditioning");
  rested(3, 0.96);
  press(3.4);
  press(0);
  ASSERT_NO_FATAL_FAILURE(session("M1"));
  EXPECT_TRUE(conditions().conditioned);
  EXPECT_EQ(conditions().conditioning_cycles, 3);
  EXPECT_NEAR(conditions().conditioning_depth_m.value_or(0), 0.96e-3, 1e-12);
  EXPECT_FALSE(conditions().conditioning_force_N);
}

TEST_F(Conditioned, NotWhereNothingWasDone) {
  press(0);
  ASSERT_NO_FATAL_FAILURE(session("M1"));
  EXPECT_FALSE(conditions().conditioned);
  EXPECT_FALSE(conditions().conditioning_cycles);
}

TEST_F(Conditioned, NotWhereOnePlaceWasLeftOut) {
  press(0, "conditioning");
  rested(3, 0.96);
  press(0);
  press(3.4);
  ASSERT_NO_FATAL_FAILURE(session("M1"));
  EXPECT_FALSE(conditions().conditioned);
  EXPECT_EQ(conditions().conditioning_cycles, 3);
}

TEST_F(Conditioned, NotWhereItWasCutOffBeforeItsRest) {
  press(0, "conditioning");
  press(0);
  ASSERT_NO_FATAL_FAILURE(session("M1"));
  EXPECT_FALSE(conditions().conditioned);
}

TEST_F(Conditioned, NotForAnotherTip) {
  press(0, "conditioning");
  rested(3, 0.96);
  press(0, "ok", kBall);
  ASSERT_NO_FATAL_FAILURE(session("M1"));
  EXPECT_FALSE(conditions().conditioned);
}

TEST_F(Conditioned, APlateOverTheArrayAndPressesThatCountNothingDoNotMatter) {
  press(0, "conditioning");
  rested(3, 0.96);
  press(3.4, "aborted");
  press(0, "ok", kPin, "area");
  press(0);
  ASSERT_NO_FATAL_FAILURE(session("M1"));
  EXPECT_TRUE(conditions().conditioned);
}

TEST_F(Conditioned, ALaterSessionOfTheSameMountingProfitsFromIt) {
  press(0, "conditioning");
  rested(3, 0.96);
  press(0);
  ASSERT_NO_FATAL_FAILURE(session("M1"));
  press(0);
  ASSERT_NO_FATAL_FAILURE(session("M1"));
  EXPECT_TRUE(conditions().conditioned);
  press(0);
  ASSERT_NO_FATAL_FAILURE(session("M2"));
  EXPECT_FALSE(conditions().conditioned) << "another mounting";
}

TEST_F(Conditioned, TheLeastOfSeveralIsStated) {
  press(0, "conditioning");
  rested(5, 0.96);
  press(0, "conditioning");
  rested(2, 1.2);
  press(0);
  ASSERT_NO_FATAL_FAILURE(session("M1"));
  EXPECT_TRUE(conditions().conditioned);
  EXPECT_EQ(conditions().conditioning_cycles, 2);
  EXPECT_NEAR(conditions().conditioning_depth_m.value_or(0), 0.96e-3, 1e-12);
}

}  // namespace
}  // namespace tactelier

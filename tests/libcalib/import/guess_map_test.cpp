// What is guessed of a table: that it can be imported as guessed, and that nothing is made up.

#include "libcalib/import/guess/guess_map.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "libcalib/session/stated_rest.hpp"
#include "tests/libcalib/import/brought_tables.hpp"
#include "tests/libcalib/import/guess_fixture.hpp"

namespace tactelier {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class MapGuess : public TableGuess {};

TEST_F(MapGuess, ATimeOfDayIsATimeAndPassesMidnight) {
  std::string clock = "Time,force_N,s1\n", seconds = "t_s,force_N,s1\n";
  for (int i = 0; i < 400; ++i) {
    const double force_N = i > 100 && i < 300 ? 2.0 : 0.0;
    const int centiseconds = 8639800 + i;  // two seconds before midnight
    const int of_day = centiseconds % 8640000;
    clock += fmt::format("{:02}:{:02}:{:02}.{:02},{},{}\n", of_day / 360000, of_day / 6000 % 60,
                         of_day / 100 % 60, of_day % 100, force_N, 100 + 50 * force_N);
    seconds += fmt::format("{}.{:02},{},{}\n", centiseconds / 100, centiseconds % 100, force_N,
                           100 + 50 * force_N);
  }
  const auto guessed = guess(clock);
  EXPECT_THAT(roles(guessed), ElementsAre("t [s]", "force [N]", "tactel 0 []"));
  EXPECT_THAT(guessed.understood, Contains(HasSubstr("times of day ('23:59:58.00')")));
  const auto times = [](const Session& session) {
    const std::vector<std::string> column{"Fz"};
    return session.read(StreamKind::kForce, column, {}, {}).value().time_s;
  };
  const auto of_clock = times(imported(guessed));
  EXPECT_EQ(of_clock.size(), 400U);
  EXPECT_EQ(of_clock, times(imported(guess(seconds))));
}

TEST_F(MapGuess, WholeSecondsGiveWayToAFinerClock) {
  std::string table = "date_time,t_s,force_N,s1\n";
  for (int i = 0; i < 300; ++i)
    table +=
        fmt::format("2024-05-06 12:00:{:02},{:.2f},{},{}\n", i / 100, 0.01 * i, i % 50, i % 50);
  EXPECT_THAT(roles(guess(table)), ElementsAre("ignore [s]", "t [s]", "force [N]", "tactel 0 []"));
}

TEST_F(MapGuess, FrictionWithoutALoadIsAskedForOne) {
  std::string table = "v_mm_s,friction_N\n";
  for (int i = 0; i < 12; ++i) table += fmt::format("{},{}\n", 1 + i % 2 * 9, 2 + 0.01 * (i % 3));
  const auto open = guess(table);
  EXPECT_THAT(asked(open), Contains("load"));
  EXPECT_THAT(open.text, HasSubstr("\"force\": \"1 N\""));
  GuessAnswers answers;
  answers.load = "2 kg";
  EXPECT_THAT(guess(table, answers).text, HasSubstr("\"mass\": \"2 kg\""));
  answers.load = "2 apples";
  EXPECT_THAT(refusal(table, answers), HasSubstr("--load 2 apples"));
}

TEST_F(MapGuess, CellsThatFallUnderWeightsAreFallingSensors) {
  const std::vector<double> masses_g{0, 100, 300, 0};
  std::string table = "t,counts\n";
  for (int i = 0; i < 400; ++i)
    table += fmt::format("{:.2f},{}\n", 0.05 * i, 3500 - 2 * masses_g[i / 100] + i % 3);
  GuessAnswers answers;
  EXPECT_THAT(guess(table, answers).text, Not(HasSubstr("falling")));  // which weights, nobody says
  answers.weights = "0,100,300,0";
  EXPECT_THAT(guess(table, answers).text, HasSubstr("\"falling\": true"));
  std::string rising = "t,counts\n";
  for (int i = 0; i < 400; ++i)
    rising += fmt::format("{:.2f},{}\n", 0.05 * i, 100 + 2 * masses_g[i / 100] + i % 3);
  EXPECT_THAT(guess(rising, answers).text, Not(HasSubstr("falling")));
}

TEST_F(MapGuess, TablesUnderALoadEachTellTheDirectionTogether) {
  for (const double per_g : {2.0, -2.0}) {
    const auto folder = scratch_ / (per_g > 0 ? "rise" : "fall");
    std::filesystem::create_directory(folder);
    for (const int mass_g : {0, 50, 400}) {
      std::string rows = "adc\n";
      for (int i = 0; i < 20; ++i) rows += fmt::format("{}\n", 3000 + per_g * mass_g + i % 3);
      std::ofstream(folder / fmt::format("{}g.csv", mass_g)) << rows;
    }
    const auto guessed = guess_map(folder, {}, {});
    ASSERT_TRUE(guessed.has_value()) << guessed.error().message;
    EXPECT_EQ(guessed->text.find("falling") != std::string::npos, per_g < 0) << guessed->text;
  }
}

TEST_F(MapGuess, AJointIsAskedForNoIndenterAndKeepsItsUnits) {
  std::string table = "t_s,theta [deg],torque (Nm)\n";
  for (int i = 0; i < 50; ++i) table += fmt::format("{},{},0.5\n", 0.01 * i, 0.3 * i);
  const auto guessed = guess(table);
  EXPECT_EQ(roles(guessed), (std::vector<std::string>{"t [s]", "angle [deg]", "torque [N*m]"}));
  EXPECT_TRUE(asked(guessed).empty());
  const auto session = imported(guessed);
  EXPECT_EQ(session.stream(StreamKind::kAux)->rows, 50U);
  const auto read = session.read(StreamKind::kAux, std::vector<std::string>{"angle"}, {});
  ASSERT_TRUE(read);
  EXPECT_NEAR(read->columns[0][10], 3 * 3.14159265358979 / 180, 1e-12);
}

TEST_F(MapGuess, SeveralJointsAreToldApartByTheirNames) {
  std::string table =
      "t_s,hip position [rad],effort_hip [N*m],knee position [rad],effort_knee [N*m]\n";
  for (int i = 0; i < 50; ++i) table += fmt::format("{0},{0},0.5,{0},0.7\n", 0.01 * i);
  const auto guessed = guess(table);
  EXPECT_EQ(roles(guessed),
            (std::vector<std::string>{"t [s]", "angle hip [rad]", "torque hip [N*m]",
                                      "angle knee [rad]", "torque knee [N*m]"}));
  imported(guessed);
}

TEST_F(MapGuess, WeightsOnACellAreReadingsAtRest) {
  std::string table = "mass_g,counts\n";
  for (int i = 0; i < 20; ++i) table += fmt::format("{},{}\n", 50 * (i / 4), 40 + 100 * (i / 4));
  const auto guessed = guess(table);
  EXPECT_THAT(roles(guessed), ::testing::ElementsAre("mass [g]", "tactel 0 []"));
  EXPECT_THAT(asked(guessed), ::testing::ElementsAre("indenter", "certificate"));
  const auto session = imported(guessed);
  EXPECT_EQ(presses(session.events(), {}, session.metadata())->size(), 1U);
  EXPECT_EQ(intervals(session.events(), "zero")->size(), 1U);
}

TEST_F(MapGuess, ATimeSeriesHasItsPressesByTheForce) {
  std::string table = "t_ms;Force (N);a;b\n";
  for (int i = 0; i < 1500; ++i) {
    const double force_N = std::max(0.0, 3 - std::abs(i % 500 - 250) / 40.0);
    table += fmt::format("{};{:.4f};{:.1f};{}\n", 10 * i, 0.05 + force_N + 1e-3 * (i * 37 % 7 - 3),
                         500 - 30 * force_N, i * 13 % 5);
  }
  const auto guessed = guess(table, {.layout = "2x1", .pitch = "4", .indenter = "sphere 6"});
  EXPECT_THAT(roles(guessed),
              ::testing::ElementsAre("t [ms]", "force [N]", "tactel 0 []", "tactel 1 []"));
  EXPECT_THAT(asked(guessed), ::testing::ElementsAre("certificate"));
  EXPECT_THAT(guessed.understood, Contains(HasSubstr("100 rows per second")));
  const auto session = imported(guessed);
  EXPECT_EQ(presses(session.events(), {}, session.metadata())->size(), 3U);
  EXPECT_EQ(session.metadata().indenter->describe(), "sphere 6 mm");
}

TEST_F(MapGuess, ForcesThatFallUnderPressureAreTurned) {
  std::string table = "time,load,c\n";
  for (int i = 0; i < 600; ++i) {
    const double force_N = std::max(0.0, 3 - std::abs(i - 300) / 40.0);
    table += fmt::format("{:.2f},{:.4f},{:.0f}\n", 0.01 * i, -force_N, 100 + 50 * force_N);
  }
  const auto guessed = guess(table);
  EXPECT_THAT(guessed.understood, Contains(HasSubstr("press_axis -z")));
  const auto session = imported(guessed);
  EXPECT_EQ(session.metadata().force_sensor->press_axis, (PressAxis{2, -1}));
  EXPECT_EQ(presses(session.events(), {}, session.metadata())->size(), 1U);
}

/// Five presses of 4 N with a second of air behind each, a logger started `late_s` after the first
/// touch: on the way up, at the top, on the way down.
std::string begun_late(double late_s, double sign) {
  std::string table = "t_s,force_N,counts\n";
  for (int i = static_cast<int>(100 * late_s); i < 2000; ++i) {
    const double s = 0.01 * (i % 400);
    const double force_N = std::max(0.0, 4 * (1 - std::abs(s - 1.5) / 1.5));
    table += fmt::format("{:.2f},{:.4f},{:.0f}\n", 0.01 * i,
                         sign * force_N + 1e-3 * (i * 37 % 7 - 3), 200 + 300 * force_N);
  }
  return table;
}

TEST_F(MapGuess, ATableThatBeginsUnderLoadTurnsNoSign) {
  for (const double late_s : {0.7, 1.5, 2.0})
    for (const double sign : {1.0, -1.0}) {
      SCOPED_TRACE(fmt::format("{} s late, sign {}", late_s, sign));
      const auto guessed = guess(begun_late(late_s, sign), {.indenter = "sphere 6"});
      EXPECT_THAT(guessed.understood, Contains(HasSubstr("begins under load")));
      EXPECT_EQ(guessed.text.find("falling"), std::string::npos) << guessed.text;
      const auto session = imported(guessed);
      EXPECT_EQ(session.metadata().press_axis(), (PressAxis{2, sign}));
      const auto found = presses(session.events(), {}, session.metadata());
      ASSERT_EQ(found->size(), 5U);
      EXPECT_DOUBLE_EQ(found->at(0).begin_s, late_s);  // the rest of the first one
      EXPECT_GT(found->at(1).begin_s, 3.0);            // with its free air
    }
}

/// A divider read over the sensor: 4.5 V at rest, less under load.
TEST_F(MapGuess, ReadingsThatFallUnderLoadAreOfAFallingSensor) {
  for (const double sign : {1.0, -1.0}) {
    std::string falling = "t_s,force_N,volts\n", rising = falling;
    for (int i = 0; i < 600; ++i) {
      const double force_N = std::max(0.0, 3 - std::abs(i - 300) / 40.0);
      const double drop_V = 3 * force_N / (force_N + 2);
      falling += fmt::format("{:.2f},{:.4f},{:.4f}\n", 0.01 * i, sign * force_N, 4.5 - drop_V);
      rising += fmt::format("{:.2f},{:.4f},{:.4f}\n", 0.01 * i, sign * force_N, 0.5 + drop_V);
    }
    const auto guessed = guess(falling);
    EXPECT_THAT(guessed.understood, Contains(HasSubstr("falling")));
    EXPECT_TRUE(imported(guessed).metadata().sensor.falling);
    EXPECT_THAT(guess(rising).text, ::testing::Not(HasSubstr("falling")));
  }
}

TEST_F(MapGuess, AForceThatFallsFromALoadIsNotTurned) {
  std::string table = "t_s,force_N\n";
  for (int i = 0; i < 200; ++i) table += fmt::format("{:.2f},{:.3f}\n", 0.01 * i, 55 - 0.05 * i);
  EXPECT_THAT(guess(table).text, ::testing::Not(HasSubstr("press_axis")));
}

TEST_F(MapGuess, UnequalSamplingIsSaidAndHoldsAreSeen) {
  const auto guessed = guess(test_support::log_spaced_hold(1800, 400));
  EXPECT_THAT(guessed.understood, Contains(HasSubstr("unequally spaced")));
  EXPECT_THAT(roles(guessed), ::testing::ElementsAre("t [s]", "depth [mm]", "force [N]"));
  imported(guessed);
}

/// Held in depth while the force relaxes: the depth is what stands still, and one press lasts to
/// the end.
TEST_F(MapGuess, WhatIsHeldIsProposedAsHolds) {
  const auto session = imported(guess(test_support::log_spaced_hold(1800, 400)));
  const auto found = presses(session.events(), {}, session.metadata()).value();
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].holds.size(), 1U);
  EXPECT_NEAR(found[0].holds[0].begin_s, 2, 0.05);
  EXPECT_GT(found[0].holds[0].end_s, 1700);
  EXPECT_EQ(found[0].kind, PressKind::kHold);
  ASSERT_TRUE(found[0].holds[0].depth_m);
  EXPECT_NEAR(*found[0].holds[0].depth_m, 1e-3, 1e-6);
}

TEST_F(MapGuess, ALoadThatNeverComesBackToNothingIsPressesByItsCycles) {
  std::string table = "t_s,force_N,c\n";
  for (int i = 0; i < 900; ++i) {
    const double up = 0.5 * (1 - std::cos(2 * 3.14159265 * (i - 100) / 200.0));
    const double force_N = i < 100 ? 0.0 : i < 150 ? (i - 100) / 50.0 : 1 + 2 * up;
    table += fmt::format("{:.2f},{:.4f},{:.0f}\n", 0.01 * i, force_N, 100 + 50 * force_N);
  }
  const auto guessed = guess(table);
  EXPECT_THAT(guessed.understood, Contains(HasSubstr("each cycle is a press")));
  EXPECT_GE(presses(imported(guessed).events(), {}, {})->size(), 3U);
}

TEST_F(MapGuess, RoundsOfWeightsAreAPressEach) {
  const auto table = test_support::plateaus_of_weights({0, 100, 200, 0, 100, 200, 0}, 3);
  const auto session = imported(guess(table, {.weights = "0,100,200,0,100,200,0"}));
  EXPECT_EQ(presses(session.events(), {}, session.metadata())->size(), 2U);
}

TEST_F(MapGuess, ASledIsSlidesUnderItsLoad) {
  const auto guessed = guess(test_support::one_sled(2));
  EXPECT_THAT(guessed.understood, Contains(HasSubstr("a slide wherever the stage moves one way")));
  EXPECT_EQ(intervals(imported(guessed).events(), "slide")->size(), 4U);
  EXPECT_THAT(guessed.text, ::testing::Not(HasSubstr("hold")));
}

TEST_F(MapGuess, ARateMakesATimeSeriesOfRowsWithoutATime) {
  std::string table = "force_N,c\n";
  for (int i = 0; i < 600; ++i) {
    const double force_N = std::max(0.0, 3 - std::abs(i - 300) / 40.0);
    table += fmt::format("{:.4f},{:.0f}\n", force_N, 100 + 50 * force_N);
  }
  EXPECT_THAT(asked(guess(table)), Contains("rate"));
  const auto guessed = guess(table, {.rate = "200"});
  EXPECT_THAT(asked(guessed), ::testing::Not(Contains("rate")));
  const auto session = imported(guessed);
  const auto t_s = test_support::column(session, StreamKind::kForce, "t");
  ASSERT_EQ(t_s.size(), 600U);
  EXPECT_DOUBLE_EQ(t_s[599], 599 / 200.0);
  EXPECT_EQ(presses(session.events(), {}, session.metadata())->size(), 1U);
  EXPECT_THAT(refusal(table, {.rate = "quick"}), HasSubstr("--rate quick: give rows per second"));
}

TEST_F(MapGuess, RestMayBeANumber) {
  const std::string table = "mass_g,counts\n50,140\n100,240\n150,340\n200,440\n";
  EXPECT_THAT(asked(guess(table)), Contains("rest"));
  const auto guessed = guess(table, {.rest = "40"});
  EXPECT_THAT(asked(guessed), ::testing::Not(Contains("rest")));
  EXPECT_EQ(stated_rest(imported(guessed).metadata()), std::vector<double>{40});
  EXPECT_THAT(refusal(table, {.rest = "40,41"}), HasSubstr("--rest 40,41"));
}

TEST_F(MapGuess, NamesOfTablesMaySayTheirLoad) {
  for (const int grams : {0, 50, 200})
    for (const int run : {1, 2})
      scratch_.write(fmt::format("runs/{}g_{}.csv", grams, run),
                     fmt::format("a,b\n{},1\n{},2\n", 10 + grams, 11 + grams));
  const auto guessed = guess_map(scratch_ / "runs", {.layout = "1x2", .pitch = "4"}, {});
  ASSERT_TRUE(guessed.has_value());
  const auto map = scratch_.write("map.json", guessed->text);
  const auto report = import_table(scratch_ / "runs", map, scratch_ / "out.tact", {}, {});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->presses, 6);
  const auto session = Session::open(scratch_ / "out.tact").value();
  const auto force_N = test_support::column(session, StreamKind::kForce, "Fz");
  EXPECT_DOUBLE_EQ(force_N.front(), 0);
  EXPECT_DOUBLE_EQ(force_N.back(), 0.2 * 9.80665);
}

/// One cell's readings line by line, a text for each weight, as a terminal logged them.
TEST_F(MapGuess, OneColumnWithoutANameIsAReading) {
  for (const int grams : {0, 50, 200})
    scratch_.write(fmt::format("runs/{}g.txt", grams),
                   fmt::format("{}.50\n{}.75\n\n# again\n{}.25\n", grams, grams, grams));
  const auto guessed = guess_map(scratch_ / "runs", {}, {});
  ASSERT_TRUE(guessed.has_value()) << guessed.error().message;
  const auto map = scratch_.write("map.json", guessed->text);
  const auto report = import_table(scratch_ / "runs", map, scratch_ / "out.tact", {}, {});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->rows, 9U);
  const auto session = Session::open(scratch_ / "out.tact").value();
  EXPECT_DOUBLE_EQ(test_support::column(session, StreamKind::kForce, "Fz").back(), 0.2 * 9.80665);
  EXPECT_THAT(roles(guess("adc\n7\n8\n9\n")), ::testing::ElementsAre("tactel 0 []"));
}

TEST_F(MapGuess, TheLoadInANameMayStandBehindAWordAndApartFromItsUnit) {
  for (const auto* kilograms : {"0", "0.5", "1.25"})
    scratch_.write(fmt::format("bar/data{}_kg.csv", kilograms), "\"1,2,3\"\n\"2,2,4\"\n");
  const auto guessed = guess_map(scratch_ / "bar", {}, {});
  ASSERT_TRUE(guessed.has_value()) << guessed.error().message;
  EXPECT_THAT(guessed->understood, Contains(HasSubstr("'data{load}_kg.csv'")));
  EXPECT_THAT(roles(*guessed), ::testing::ElementsAre("tactel 0 []", "tactel 1 []", "tactel 2 []"));
  const auto report = import_table(scratch_ / "bar", scratch_.write("map.json", guessed->text),
                                   scratch_ / "out.tact", {}, {});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  const auto session = Session::open(scratch_ / "out.tact").value();
  EXPECT_DOUBLE_EQ(test_support::column(session, StreamKind::kForce, "Fz").back(), 1.25 * 9.80665);
}

/// A workspace holds more than the table: what is what can be said, by name or pattern.
TEST_F(MapGuess, ColumnsAreWhatIsSaidOfThem) {
  std::string table = "pred_0,pred_1,out_0,out_1,adc3,pos\n";
  for (int i = 0; i < 20; ++i)
    table += fmt::format("{},inf,{},{},{},{}\n", i, 7 * i, 8 * i % 11, 250 * (i / 4), i % 3);
  const GuessAnswers answers{.columns = "pred_*=ignore, adc3=force [mN], pos = aux place [mm]"};
  const auto guessed = guess(table, answers);
  EXPECT_THAT(roles(guessed),
              ::testing::ElementsAre("ignore []", "ignore []", "tactel 0 []", "tactel 1 []",
                                     "force [mN]", "aux place [mm]"));
  const auto session = imported(guessed);
  EXPECT_DOUBLE_EQ(test_support::column(session, StreamKind::kForce, "Fz").back(), 1.0);
  EXPECT_THAT(roles(guess(table, {.columns = "pos=z,pred_0=tactel"}))[0], "tactel 0 []");
  EXPECT_THAT(refusal(table, {.columns = "adc=force"}), HasSubstr("no column is called 'adc'"));
  EXPECT_THAT(refusal(table, {.columns = "adc3=forse"}), HasSubstr("no column is a 'forse'"));
  EXPECT_THAT(refusal(table, {.columns = "adc3=force,t_s"}), HasSubstr("give either"));
}

TEST_F(MapGuess, WithoutForceItAsksForTheWeights) {
  const auto table = test_support::plateaus_of_weights({0, 100, 200}, 3);
  const auto guessed = guess(table);
  EXPECT_THAT(guessed.understood, Contains(HasSubstr("stand still 3 times, but no newtons")));
  EXPECT_THAT(asked(guessed), Contains("weights"));
  imported(guessed);
  const auto session = imported(guess(table, {.weights = "0,100,200"}));
  const auto force_N = test_support::column(session, StreamKind::kForce, "Fz");
  ASSERT_GT(force_N.size(), 180U);
  EXPECT_EQ(force_N.front(), 0);
  EXPECT_DOUBLE_EQ(force_N.back(), 0.2 * 9.80665);
  EXPECT_THAT(refusal(table, {.weights = "0,100"}),
              HasSubstr("--weights 0,100: the readings stand still 3 times"));
}

TEST_F(MapGuess, WhatNoMapCouldReadIsRefusedWithTheRemedy) {
  EXPECT_THAT(refusal("a page\nof words\n"), HasSubstr("no rows of numbers"));
  EXPECT_THAT(refusal("F,a,b,c\n0,1,2,3\n1,2,3,4\n", {.layout = "2x2"}),
              HasSubstr("--layout 2x2: the table has 3 readings in a row"));
  EXPECT_THAT(refusal("F,a\n0,1\n1,2\n", {.indenter = "sphere"}),
              HasSubstr("its diameter in mm is missing"));
}

TEST_F(MapGuess, ColumnsWithoutNamesAreAsked) {
  std::string table;
  for (int i = 0; i < 20; ++i) table += fmt::format("{} {}\n", 0.1 * (i / 4), 40 + 10 * (i / 4));
  EXPECT_THAT(asked(guess(table)), Contains("columns"));
  const auto guessed = guess(table, {.columns = "load_N, adc"});
  EXPECT_THAT(roles(guessed), ::testing::ElementsAre("force [N]", "tactel 0 []"));
  EXPECT_THAT(asked(guessed), ::testing::Not(Contains("columns")));
  const auto session = imported(guessed);
  EXPECT_DOUBLE_EQ(test_support::column(session, StreamKind::kForce, "Fz").back(), 0.4);
}

/// An HX711's counts: 8322237 without a load, 8341540 under 50 g.
TEST_F(MapGuess, AForceInCountsIsScaledByTwoKnownLoads) {
  std::string table = "load,adc\n";
  for (int i = 0; i < 20; ++i)
    table += fmt::format("{},{}\n", 8322237 + 19303 * (i / 4), 900 - 100 * (i / 4));
  EXPECT_THAT(asked(guess(table)), Contains("load-cell"));
  const auto guessed = guess(table, {.load_cell = "8322237=0,8341540=50 g"});
  EXPECT_THAT(roles(guessed), ::testing::ElementsAre("mass [g]", "tactel 0 []"));
  EXPECT_THAT(guessed.understood, Contains(HasSubstr("falling")));
  const auto session = imported(guessed);
  EXPECT_NEAR(test_support::column(session, StreamKind::kForce, "Fz").back(), 0.2 * 9.80665, 1e-6);
  EXPECT_THAT(refusal(table, {.load_cell = "8322237=0"}), HasSubstr("give two readings"));
}

TEST_F(MapGuess, AClockAmongColumnsWithoutNamesIsATime) {
  std::string stamps, seconds, counter;
  for (int i = 0; i < 50; ++i) {
    stamps += fmt::format("{} {:.6f} 0.06\n", 255 + i % 3, 1624361404.757 + 0.007 * i);
    seconds += fmt::format("{} {:.3f} 0.06\n", 255 + i % 3, 0.007 * i);
    counter += fmt::format("{} {} 0.06\n", 255 + i % 3, 1 + i);
  }
  EXPECT_THAT(roles(guess(stamps)), Contains("t [s]"));
  EXPECT_THAT(roles(guess(seconds)), Contains("t [s]"));
  EXPECT_THAT(roles(guess(counter)), ::testing::Not(Contains("t [s]")));
}

TEST_F(MapGuess, KnownLoadsTellWhichColumnIsTheLoadCell) {
  std::string table;  // two columns without names
  for (int i = 0; i < 20; ++i)
    table += fmt::format("{},{}\n", 900 - 100 * (i / 4), 8322237 + 19303 * (i / 4));
  const auto guessed = guess(table, {.load_cell = "8322237=0,8341540=50 g"});
  EXPECT_THAT(roles(guessed), ::testing::ElementsAre("tactel 0 []", "mass [g]"));
  EXPECT_THAT(asked(guessed), ::testing::Not(Contains("columns")));
  EXPECT_NEAR(test_support::column(imported(guessed), StreamKind::kForce, "Fz").back(),
              0.2 * 9.80665, 1e-6);
  EXPECT_THAT(refusal(table, {.load_cell = "5=0,6=50 g"}), HasSubstr("which column is it?"));
}

/// A machine's own export: 4 N per mm, position down.
TEST_F(MapGuess, AMachineThatPressesSaysItsDepthAsAPosition) {
  std::string table = "Force (N),Position (mm),Strain (%),Stress (MPa)\n";
  for (int i = 0; i < 200; ++i) {
    const double depth_mm = 0.02 * std::min(i, 199 - i);
    table += fmt::format("{},{},{},{}\n", 4 * depth_mm, depth_mm, 10 * depth_mm, 0.1 * depth_mm);
  }
  EXPECT_THAT(roles(guess(table)),
              ::testing::ElementsAre("force [N]", "depth [mm]", "ignore []", "ignore [MPa]"));
}

/// Places that the force knows nothing of stay places.
TEST_F(MapGuess, APositionThatTheForceDoesNotFollowIsAPlace) {
  std::string table = "Force (N),Position (mm),adc\n";
  for (int place = 0; place < 5; ++place)
    for (const int f : {0, 1, 2}) table += fmt::format("{},{},{}\n", f, 4 * place, 100 + 50 * f);
  EXPECT_THAT(roles(guess(table)), Contains("x [mm]"));
}

TEST_F(MapGuess, NumbersInNamesOfTablesAreLoadsOfTheUnitThatIsSaid) {
  for (const auto* kg : {"0", "0.5", "1.25"})
    scratch_.write(fmt::format("bars/data{}_nkg.csv", kg),
                   fmt::format("a\n{}\n{}\n", 10 + 100 * std::stod(kg), 11 + 100 * std::stod(kg)));
  const auto open = guess_map(scratch_ / "bars", {}, {});
  ASSERT_TRUE(open.has_value()) << open.error().message;
  EXPECT_THAT(asked(*open), Contains("weights"));
  const auto guessed = guess_map(scratch_ / "bars", {.weights = "kg"}, {});
  ASSERT_TRUE(guessed.has_value()) << guessed.error().message;
  const auto map = scratch_.write("map.json", guessed->text);
  const auto report = import_table(scratch_ / "bars", map, scratch_ / "out.tact", {}, {});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  const auto session = Session::open(scratch_ / "out.tact").value();
  EXPECT_DOUBLE_EQ(test_support::column(session, StreamKind::kForce, "Fz").back(), 1.25 * 9.80665);
  const auto refused = guess_map(scratch_ / "bars", {.weights = "0,500,1250"}, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("--weights kg"));
}

TEST_F(MapGuess, LettersInARowAreReadings) {
  std::string table = "t_s,force_N,a,b,c,d\n";
  for (int i = 0; i < 40; ++i) table += fmt::format("{},{},{},{},{},{}\n", 0.1 * i, i, i, 2, 3, i);
  EXPECT_EQ(roles(guess(table))[5], "tactel 3 []");
}

TEST_F(MapGuess, ANumberThatComesAgainBetweenPressesNumbersNone) {
  std::string table = "t_s,force_N,s,run\n";
  for (int i = 0; i < 400; ++i) {
    const double force_N = i % 100 < 40 ? 0 : 2 - std::abs(i % 100 - 70) / 15.0;
    table += fmt::format("{},{},{},{}\n", 0.01 * i, force_N, 100 * force_N,
                         force_N > 0 ? 1 + i / 100 : 0);
  }
  const auto guessed = guess(table);
  EXPECT_THAT(guessed.text, HasSubstr("threshold_N"));
  EXPECT_EQ(imported(guessed).events().size(), 8U);
}

TEST_F(MapGuess, ASeriesUnderOneLoadIsReadingsAtRest) {
  for (const int mass_g : {0, 100, 300})
    for (const int tactel : {0, 1}) {
      std::string table = "time,p,q\n";
      for (int i = 0; i < 60; ++i)
        table += fmt::format("{:.2f},{},{}\n", 0.02 * i,
                             100 + (i * 7 + tactel) % 3 + (tactel == 0 ? mass_g : 0),
                             200 + (i * 5) % 3 + (tactel == 1 ? mass_g : 0));
      scratch_.write(fmt::format("loads/{}g_{}.csv", mass_g, tactel), table);
    }
  const auto guessed = guess_map(scratch_ / "loads", {}, {});
  ASSERT_TRUE(guessed.has_value()) << guessed.error().message;
  EXPECT_THAT(guessed->text, HasSubstr(R"("row_is": "press")"));
  EXPECT_EQ(guessed->columns[0].target, "ignore");
}

TEST_F(MapGuess, AUnitOfTwoPartsBehindAnUnderscoreIsOne) {
  const auto guessed = guess("speed_mm_s,torque_N_m,friction_N\n1,2,3\n2,3,4\n3,4,6\n");
  EXPECT_EQ(roles(guessed)[0], "speed [mm/s]");
  EXPECT_EQ(roles(guessed)[1], "torque [N*m]");
}

TEST_F(MapGuess, ALoadThatIsNegativeThroughoutIsTurned) {
  std::string table = "t_s,x_mm,Fx_N,Fz_N\n";
  double x_mm = 0;
  for (int i = 0; i < 400; ++i) {
    const bool moves = i % 100 > 30;
    x_mm += moves ? (i / 100 % 2 ? -0.2 : 0.2) : 0;
    table += fmt::format("{},{},{},{}\n", 0.01 * i, x_mm, moves ? 0.6 : 0.0, -2 - 0.001 * (i % 3));
  }
  const auto guessed = guess(table);
  EXPECT_THAT(guessed.text, HasSubstr(R"("press_axis": "-z")"));
  EXPECT_EQ(imported(guessed).events().size(), 8U);
}

TEST_F(MapGuess, WhatTellsSensorsAndKindsApartIsNoReading) {
  std::string table = "sensor_id,adc,weight,frustum\n";
  for (int i = 0; i < 60; ++i)
    table += fmt::format("{},{},{},{}\n", 1 + i / 30, 10 + 3 * (i % 10), 50 * (i % 10), 1 + i % 3);
  const auto guessed = guess(table);
  EXPECT_EQ(roles(guessed),
            (std::vector<std::string>{"ignore []", "tactel 0 []", "mass [g]", "ignore []"}));
  EXPECT_THAT(guessed.understood, Contains(HasSubstr("'sensor_id' tells 2 sensors apart")));
}

TEST_F(MapGuess, AKindThatNeverChangesIsNoReadingBesideASingleCell) {
  std::string table = "adc,weight,frustum\n";
  for (int i = 0; i < 20; ++i) table += fmt::format("{},{},1\n", 10 + 3 * (i % 10), 50 * (i % 10));
  EXPECT_EQ(roles(guess(table)),
            (std::vector<std::string>{"tactel 0 []", "mass [g]", "ignore []"}));
}

TEST_F(MapGuess, WhatIsComputedOfAReadingIsNoFurtherOne) {
  std::string table =
      "Force (N),Flex Raw ADC 1,Flex Voltage 1(V),Flex Resistance 1(Ohms),Flex Raw ADC 2,"
      "Flex Voltage 2(V),Load Cell Voltage (V),Load Cell Raw ADC,Location\n";
  for (int i = 0; i < 60; ++i) {
    const double force_N = 0.1 * (i % 20);
    const int one = 100 + 20 * (i % 20) + i % 3, two = 200 + 9 * (i % 20) + i % 4;
    const double volts = 5.0 * one / 1023;
    // Of the second sensor the voltage is one of its own.
    table += fmt::format("{:.3f},{},{:.3f},{:.1f},{},{:.3f},{:.3f},{},\"({},1)\"\n", force_N, one,
                         volts, 47000 * (5 - volts) / volts, two, 0.004 * (i * 7 % 50),
                         0.01 + 0.1 * force_N, 20 * (i % 20), 1 + i / 20);
  }
  const auto guessed = guess(table);
  EXPECT_THAT(roles(guessed),
              ElementsAre("force [N]", "tactel 0 []", "ignore []", "ignore []", "tactel 1 []",
                          "tactel 2 [V]", "ignore []", "ignore []", "ignore []", "ignore []"));
  EXPECT_THAT(guessed.text, HasSubstr("press_by"));
}

TEST_F(MapGuess, AnArrayKeepsItsQuietTactels) {
  std::string table = "force_N,s0,s1,s2\n";
  for (int i = 0; i < 40; ++i)
    table += fmt::format("{},{},{},{}\n", i % 10, 100 + 20 * (i % 10), 90 + 15 * (i % 10), i % 2);
  EXPECT_EQ(roles(guess(table))[3], "tactel 2 []");
}

TEST_F(MapGuess, NumbersOfColumnsAreTheirNames) {
  const auto guessed = guess("0,1,2\n5,7,9\n5.5,7,9\n6,8,9\n");
  ASSERT_EQ(guessed.columns.size(), 3U);
  EXPECT_EQ(guessed.columns[0].name, "0");
}

TEST_F(MapGuess, AForceThatChangesWithTheWayIsAskedAboutAsFriction) {
  std::string table = "t_s,x_mm,force_N\n";
  double x_mm = 0;
  for (int i = 0; i < 1000; ++i) {
    const int way = i / 200 % 2 ? -1 : 1;
    x_mm += 0.1 * way;
    table += fmt::format("{},{:.3f},{}\n", 0.01 * i, x_mm, 50 + 4 * way + 0.01 * (i % 7));
  }
  EXPECT_THAT(guess(table).understood, Contains(HasSubstr("friction along x rather than a load")));
}

TEST_F(MapGuess, ATimeIsOneWithItsUnitInCapitals) {
  std::string table = "Time_S,Size_mm,Displacement_mm,Force_N\n";
  for (int i = 0; i < 40; ++i)
    table += fmt::format("{},{},{},{}\n", 0.2 * i, 40 - 0.07 * i, 0.07 * i, 0.01 * (i % 7));
  EXPECT_EQ(roles(guess(table)),
            (std::vector<std::string>{"t [s]", "aux Size_mm [mm]", "depth [mm]", "force [N]"}));
}

TEST_F(MapGuess, AChannelThatEndsInSIsNoTime) {
  std::string table = "t_s,force_N,left_S\n";
  for (int i = 0; i < 40; ++i) table += fmt::format("{},{},{}\n", 0.1 * i, i % 5, 100 + i % 5);
  EXPECT_EQ(roles(guess(table)).back(), "tactel 0 []");
}

TEST_F(MapGuess, TwoClocksSideBySideAreToBeLaidBelowEachOther) {
  std::string table = "t_a,s1,s2,Time_S,Force_N\n", along = table;
  for (int i = 0; i < 40; ++i) {
    const double late = i < 20 ? 0.01 * i : 0.2 + 0.23 * (i - 20);
    table += fmt::format("{},{},7,{},1\n", late, 100 + i, 0.2 * i);
    along += fmt::format("{},{},7,{},1\n", 0.2 * i, 100 + i, 200 * i);
  }
  const auto why = refusal("timestamp" + table.substr(3));
  EXPECT_THAT(why, HasSubstr("'Time_S' is a clock that runs otherwise than 'timestamp'"));
  EXPECT_THAT(why, HasSubstr("(echo 'timestamp,s1,s2,Force_N'; awk -F, '{sub(/\\r$/, \"\")} NR > 1 "
                             "{if ($1 != \"\") print $1 \",\" $2 \",\" $3 \",\"; if ($4 != \"\") "
                             "print $4 \",,,\" $5}' TABLE.csv | sort -g) > both.csv"));
  const auto roles_along = roles(guess("timestamp" + along.substr(3)));
  EXPECT_EQ(roles_along[3], "ignore [s]") << "the same clock in another unit";
}

TEST_F(MapGuess, ColumnsNamedAfterLoadsAreToBecomeRows) {
  const auto why = refusal("ID,0g,100g,200 g,Full\n1,10,20,30,40\n2,11,21,31,41\n3,11,21,,41\n");
  EXPECT_THAT(why, HasSubstr("3 columns are named after loads ('0g' ...)"));
  EXPECT_THAT(why, HasSubstr("(echo 'load [g],reading'; awk -F, 'NR > 1 {if ($2 != \"\") print "
                             "\"0,\" $2; if ($3 != \"\") print \"100,\" $3; if ($4 != \"\") print "
                             "\"200,\" $4}' TABLE.csv) > rows.csv"));
}

TEST_F(MapGuess, NamesThatComeTwiceAreToBeToldApart) {
  EXPECT_THAT(refusal("load_N,s1,s1\n0,1,2\n1,2,3\n2,3,4\n"),
              HasSubstr("the column 's1' is there twice"));
}

TEST_F(MapGuess, ReadingsKeepTheUnitOfTheTable) {
  const auto guessed = guess("force_N,pressure_kPa\n0,1\n1,3\n2,5\n3,7\n");
  EXPECT_EQ(roles(guessed)[1], "tactel 0 []");
  EXPECT_THAT(guessed.columns[1].why, HasSubstr("kept in kPa"));
}

TEST_F(MapGuess, TheEventsThatItNamesCanBePutIntoTheMap) {
  const auto said = [](const GuessedMap& guessed) {
    for (const auto& sentence : guessed.understood)
      if (const auto at = sentence.find("\"events\": "); at != sentence.npos)
        return nlohmann::json::parse(sentence.substr(at + 10));
    return nlohmann::json();
  };
  std::string table = "t_s,force_N,s0,s1\n", of_rows = "trial,force_N,s0,s1\n";
  for (int i = 0; i < 400; ++i) {
    const double force_N = i % 200 > 80 && i % 200 < 160 ? 1.0 : 0.0;
    table += fmt::format("{},{},{},{}\n", 0.01 * i, force_N, 100 + 50 * force_N, 100 + i % 3);
    if (i % 20 == 0) of_rows += fmt::format("{},{},{},{}\n", i / 200, 0.1 * i, 100 + i, 200 + i);
  }
  for (const auto& rows : {table, of_rows}) {
    auto guessed = guess(rows);
    auto map = nlohmann::json::parse(guessed.text);
    map["events"] = said(guessed);
    ASSERT_FALSE(map["events"].is_null());
    map.erase("press_by");
    guessed.text = map.dump();
    const auto session = imported(guessed);
    const auto all = presses(session.events(), {}, session.metadata()).value();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].tactel, 1);
  }
}

}  // namespace
}  // namespace tactelier

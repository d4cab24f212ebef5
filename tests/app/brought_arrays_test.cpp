// What a recording from elsewhere says of an array as a whole, against what it was made of: each
// table is a few lines of arithmetic, its truth worked out by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

void run(const TestFolder& folder, const std::vector<std::string>& arguments) {
  const auto result = run_cli(folder.path(), arguments);
  EXPECT_EQ(result.status, 0) << arguments[0] << "\n" << result.out << result.err;
}

json fitted(const TestFolder& folder, const std::vector<std::string>& sessions) {
  std::vector<std::string> arguments{"fit", "-o", "m.json", "--force"};
  arguments.insert(arguments.end(), sessions.begin(), sessions.end());
  run(folder, arguments);
  return json::parse(folder.read("m.json"));
}

double figure(const json& model, const char* stage, const char* name) {
  const auto& figures = model["quality"][stage]["figures"];
  EXPECT_TRUE(figures.contains(name)) << name << " is not among " << figures;
  return figures.value(name, std::nan(""));
}

constexpr double kPeak_N = 4, kPerNewton = 1000, kDeep_mm = 2;
constexpr std::array kShift_mm{-0.1, 0.0, 0.1, -0.1, 0.0, 0.1};  // of each press's centre

/// One row of a 3 x 3 array, 5 mm apart: the sum shared out so that its centre lies at x = `shift`
/// mm, y = 0, and the image is longer along x.
std::string row_of(double t_s, double depth_mm, double force_N, double sum, double shift_mm) {
  const std::array along_x{0.25 - shift_mm / 10, 0.5, 0.25 + shift_mm / 10};
  const std::array along_y{0.05, 0.9, 0.05};
  std::ostringstream line;
  line << t_s << ",0,0," << depth_mm << ',' << force_N;
  for (const double y : along_y)
    for (const double x : along_x) line << ',' << 500 + sum * x * y;
  return line.str() + '\n';
}

/// Presses on one place: force and sum go up in proportion to the depth; on the way back the force
/// as its square, and the sum lags behind the force by a fifth.
std::string cycles(double held_s) {
  std::string table = "t_s,x_mm,y_mm,depth_mm,force_N";
  for (int i = 0; i < 9; ++i) table += ",s" + std::to_string(i);
  table += '\n';
  double t_s = 0;
  for (const double shift_mm : kShift_mm) {
    const auto add = [&](double depth_mm, double force_N, double sum) {
      table += row_of(t_s, depth_mm, force_N, sum, shift_mm);
      t_s += 0.01;
    };
    for (int i = 0; i < 60; ++i) add(-0.01, 0, 0);
    for (int i = 0; i <= 200; ++i)
      add(kDeep_mm * i / 200, kPeak_N * i / 200, kPerNewton * kPeak_N * i / 200);
    const double top = kPerNewton * kPeak_N;
    double crept = 1;
    for (int i = 1; i <= 100 * held_s; ++i) {
      crept = 1 + 0.05 * std::log10(std::max(1.0, 0.01 * i));
      add(kDeep_mm, kPeak_N, top * crept);
    }
    for (int i = 199; i >= 0; --i) {
      const double part = i / 200.0, force_N = kPeak_N * part * part;
      add(kDeep_mm * part, force_N, kPerNewton * force_N * (1 + 0.2 * (1 - part * part)) * crept);
    }
    for (int i = 0; i < 60; ++i) add(-0.01, 0, 0);
  }
  return table;
}

std::vector<std::string> guessed(const std::string& name) {
  return {"import",   name + ".csv", "--guess", "--import", "-o",         name + ".tact",
          "--layout", "3x3",         "--pitch", "5",        "--indenter", "cylinder 3"};
}

// Loading: F = k z, S = 1000 F. Back: F = k z^2/z_p, so 1 - (1/3)/(1/2) of the work is lost;
// S = 1000 F (1.2 - 0.2 F/F_p), whose area is 0.6 - 0.0667 against 0.5: 6.667 % more.
TEST(BroughtArray, SaysItsSumItsLossItsLoopAndWhereItsCentreComesBack) {
  const TestFolder folder;
  folder.write("cycles.csv", cycles(0));
  run(folder, guessed("cycles"));
  const auto model = fitted(folder, {"cycles.tact"});
  EXPECT_NEAR(figure(model, "array", "sum_gain_N_per_count"), 1 / kPerNewton, 1e-8);
  EXPECT_NEAR(figure(model, "array", "sum_threshold_N"), 0, 1e-4);
  EXPECT_LT(figure(model, "array", "sum_bend_percent"), 0.01);
  EXPECT_NEAR(figure(model, "array", "cycle_loss_percent"), 100.0 / 3, 0.05);
  EXPECT_NEAR(figure(model, "array", "cycle_loop_percent"), 100.0 / 15, 0.05);
  // 4 squares of 0.1 mm over 2 axes of 5 degrees of freedom each.
  EXPECT_NEAR(figure(model, "array", "centre_repeatability_m"), 1e-3 * std::sqrt(0.04 / 10), 1e-8);
  run(folder, {"apply", "m.json", "cycles.tact", "-o", "n.csv"});
  const auto forces = folder.read("n.csv");
  EXPECT_THAT(forces, HasSubstr(",total[N],total.u95[N],centre_x[mm],centre_y[mm],direction[deg]"));
  EXPECT_THAT(forces, HasSubstr(",-0.1000,0.0000,0.00\n")) << "the first press's peak";
  EXPECT_THAT(forces, HasSubstr(",0.1000,0.0000,0.00\n")) << "the third press's";
  run(folder, {"edit", "cycles.tact", "--exclude", "2-3"});
  EXPECT_EQ(figure(fitted(folder, {"cycles.tact"}), "array", "presses"), 4);
}

TEST(BroughtArray, SaysHowItsReadingsCreepInAHold) {
  const TestFolder folder;
  folder.write("held.csv", cycles(12));
  run(folder, guessed("held"));
  const auto model = fitted(folder, {"held.tact"});
  // The hold that is found begins some hundredths of a second beside the one that was made.
  EXPECT_NEAR(figure(model, "array", "sum_creep_percent_per_decade"), 5, 0.1);
}

/// A sum that bends has no gain.
TEST(BroughtArray, GivesNoGainOfASumThatBends) {
  const TestFolder folder;
  std::string table = "t_s,force_N,s0,s1\n";
  double t_s = 0;
  for (int p = 0; p < 4; ++p)
    for (int i = 0; i < 300; ++i, t_s += 0.01) {
      const double force_N = 5 * std::max(0.0, 1 - std::abs(i - 180) / 100.0);
      const double counts = std::round(3000 * force_N / (force_N + 2));
      table += std::to_string(t_s) + ',' + std::to_string(force_N) + ',' + std::to_string(counts) +
               ',' + std::to_string(100 + counts) + '\n';
    }
  folder.write("bent.csv", table);
  run(folder, {"import", "bent.csv", "--guess", "--import", "-o", "bent.tact"});
  run_cli(folder.path(), {"fit", "bent.tact", "-o", "m.json"});
  const auto model = json::parse(folder.read("m.json"));
  EXPECT_GT(figure(model, "array", "sum_bend_percent"), 5);
  EXPECT_FALSE(model["quality"]["array"]["figures"].contains("sum_gain_N_per_count"));
}

/// Presses at known places with the force over time and no travel at all: the spread shows.
TEST(BroughtArray, NeedsNoTravelForItsPointSpread) {
  const TestFolder folder;
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::ostringstream table;
  table << "t_s,x_mm,y_mm,force_N";
  for (int i = 0; i < 16; ++i) table << ",s" << i;
  table << '\n';
  constexpr double kSigma_mm = 3, kPitch_mm = 5;
  double t_s = 0;
  for (int p = 0; p < 12; ++p) {
    const double x_mm = -6 + 4 * (p % 4), y_mm = -5 + 5 * (p / 4);
    const double factor = 1 + 0.005 * normal(random);
    for (int i = 0; i < 250; ++i, t_s += 0.01) {
      const double force_N = 3 * std::max(0.0, 1 - std::abs(i - 150) / 80.0);
      table << t_s << ',' << x_mm << ',' << y_mm << ',' << force_N + 0.004 * normal(random);
      for (int s = 0; s < 16; ++s) {
        const double dx = kPitch_mm * (s % 4 - 1.5) - x_mm, dy = kPitch_mm * (s / 4 - 1.5) - y_mm;
        const double share = kPitch_mm * kPitch_mm / (2 * M_PI * kSigma_mm * kSigma_mm) *
                             std::exp(-(dx * dx + dy * dy) / (2 * kSigma_mm * kSigma_mm));
        table << ',' << std::round(200 + 800 * factor * force_N * share + 1.5 * normal(random));
      }
      table << '\n';
    }
  }
  folder.write("pressed.csv", table.str());
  run(folder, {"import", "pressed.csv", "--guess", "--import", "-o", "pressed.tact", "--layout",
               "4x4", "--pitch", "5", "--indenter", "cylinder 0.2"});
  const auto model = fitted(folder, {"pressed.tact"});
  const auto& sigma = model["psf"]["sigma"];
  ASSERT_EQ(sigma["status"], "identified") << sigma;
  EXPECT_NEAR(sigma["value"].get<double>(), 1e-3 * kSigma_mm, 1e-5 * kSigma_mm);
  EXPECT_LE(sigma["ci95"][0].get<double>(), 1e-3 * kSigma_mm);
  EXPECT_GE(sigma["ci95"][1].get<double>(), 1e-3 * kSigma_mm);
}

std::string weights_on_a_cell(double per_gram) {
  std::string table = "mass_g,adc\n";
  for (int round = 0; round < 4; ++round)
    for (int grams = 0; grams <= 400; grams += 50)
      table += std::to_string(grams) + ',' +
               std::to_string(std::lround(40 + per_gram * (1 + 0.002 * (round % 3 - 1)) * grams)) +
               '\n';
  return table;
}

/// One cell has nothing to be compared with but itself.
TEST(BroughtCell, IsCheckedLikeAnArray) {
  const TestFolder folder;
  for (const auto& [name, per_gram] : {std::pair{"then", 2.0}, {"now", 2.002}, {"aged", 1.8}}) {
    folder.write(std::string(name) + ".csv", weights_on_a_cell(per_gram));
    run(folder, {"import", std::string(name) + ".csv", "--guess", "--import", "-o",
                 std::string(name) + ".tact"});
  }
  fitted(folder, {"then.tact"});
  EXPECT_THAT(run_cli(folder.path(), {"check", "m.json", "now.tact"}).out, HasSubstr("valid"));
  const auto aged = run_cli(folder.path(), {"check", "m.json", "aged.tact"});
  EXPECT_EQ(aged.status, 5);
  EXPECT_THAT(aged.out, testing::AllOf(HasSubstr("rescale"), HasSubstr("fewer than three")));
}

/// Equal weights without noise: differences of readings are the weights', not a converter's step.
TEST(BroughtCell, OfExactNumbersIsALine) {
  const TestFolder folder;
  std::string table = "mass_g,adc\n";
  for (int round = 0; round < 3; ++round)
    for (int grams = 0; grams <= 400; grams += 100)
      table += std::to_string(grams) + ',' + std::to_string(40 + 22 * grams / 10) + '\n';
  folder.write("exact.csv", table);
  run(folder, {"import", "exact.csv", "--guess", "--import", "-o", "exact.tact"});
  const auto gain = fitted(folder, {"exact.tact"})["response"]["tactels"][0]["press_gain"];
  ASSERT_EQ(gain["status"], "identified") << gain;
  EXPECT_NEAR(gain["value"].get<double>(), 9.80665e-3 / 2.2, 1e-6);
}

/// A folder of tables, one per speed, without times: rows follow one another, and at the slowest
/// speeds their noise turns the sign. What a regression over the tables' means gives: 1.2 + 0.5 w.
TEST(BroughtJoint, OfATableForEachSpeedIsFittedToTheirMeans) {
  const TestFolder folder;
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  for (const double speed : {0.03, 0.06, 0.1, 0.3, 0.5, 0.8, 1.1, 1.5}) {
    std::string table = "omega,torque\n";
    for (int i = 0; i < 300; ++i)
      table += std::to_string(speed + 0.05 * std::sin(0.7 * i)) + ',' +
               std::to_string(1.2 + 0.5 * speed + 0.2 * std::cos(0.1 * i) + 0.01 * normal(random)) +
               '\n';
    folder.write("speeds/" + std::to_string(speed) + ".csv", table);
  }
  run(folder, {"import", "speeds", "--guess", "--import", "-o", "joint.tact"});
  const auto joint = fitted(folder, {"joint.tact"})["joints"][0];
  EXPECT_NEAR(joint["coulomb"]["value"].get<double>(), 1.2, 0.02) << joint;
  EXPECT_NEAR(joint["viscous"]["value"].get<double>(), 0.5, 0.02) << joint;
}

}  // namespace
}  // namespace tactelier::test

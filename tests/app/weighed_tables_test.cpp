// Tables of few rows as people write them: some weights put on a few times, a raster of readings at
// rest, one speed only. Each is a few lines of arithmetic; what is said of it must be what it was
// made of, or be refused for what it can't tell.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

void guessed(const TestFolder& folder, std::vector<std::string> answers) {
  std::vector<std::string> arguments{"import", "table.csv", "--guess", "--import", "-o", "s.tact"};
  arguments.insert(arguments.end(), answers.begin(), answers.end());
  const auto result = run_cli(folder.path(), arguments);
  ASSERT_EQ(result.status, 0) << result.out << result.err;
}

json fitted(const TestFolder& folder) {
  const auto result = run_cli(folder.path(), {"fit", "s.tact", "-o", "m.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  return json::parse(folder.read("m.json"));
}

std::vector<std::string> codes(const json& model, const char* stage) {
  std::vector<std::string> all;
  for (const auto& warning : model["quality"][stage]["warnings"]) all.push_back(warning["code"]);
  return all;
}

struct Weighed {
  std::string csv = "force_N,counts\n";
  std::vector<double> forces_N;
};

/// `rounds` of `weights` up to 10 N, 0.4 % apart, each read once.
Weighed weigh(const std::function<double(double)>& law, int rounds, int weights) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  Weighed made;
  for (int round = 0; round < rounds; ++round) {
    const double factor = 1 + 0.004 * normal(random);
    for (int i = 0; i < weights; ++i) {
      const double force_N = 10.0 * i / (weights - 1);
      made.csv += std::to_string(force_N) + "," +
                  std::to_string(std::lround(law(factor * force_N) + normal(random))) + "\n";
      made.forces_N.push_back(force_N);
    }
  }
  return made;
}

/// Greatest error and share of readings outside their interval, of what `apply` makes of them.
std::pair<double, double> applied(const TestFolder& folder, const std::vector<double>& forces_N) {
  const auto result = run_cli(folder.path(), {"apply", "m.json", "s.tact", "-o", "n.csv"});
  EXPECT_EQ(result.status, 0) << result.err;
  std::istringstream lines(folder.read("n.csv"));
  std::string line;
  std::getline(lines, line);
  double worst_N = 0, outside = 0;
  for (const double force_N : forces_N) {
    std::getline(lines, line);
    double time_s = 0, found_N = std::nan(""), u95_N = 0;
    char comma = 0;
    std::istringstream(line) >> time_s >> comma >> found_N >> comma >> u95_N;
    worst_N = std::max(worst_N, std::abs(found_N - force_N));
    outside += std::abs(found_N - force_N) > u95_N ? 1 : 0;
  }
  return {worst_N, outside / static_cast<double>(forces_N.size())};
}

double resistive(double force_N) { return 50 + 1023 * force_N / (force_N + 9); }

TEST(BroughtWeights, OnAResistiveCellInThreeRoundsBecomeNewtonsByItsLaw) {
  const TestFolder folder;
  const auto made = weigh(resistive, 3, 8);
  folder.write("table.csv", made.csv);
  guessed(folder, {"--indenter", "cylinder 5"});
  const auto model = fitted(folder);
  EXPECT_EQ(model["response"]["model"], "conductance");
  const auto [worst_N, outside] = applied(folder, made.forces_N);
  EXPECT_LT(worst_N, 0.2);  // a line is 1.2 N off
  EXPECT_LE(outside, 0.1);
}

TEST(BroughtWeights, ThatBendGetNoTightLine) {
  for (const int weights : {5, 8}) {  // too few for a curve; enough
    const TestFolder folder;
    folder.write("table.csv", weigh(resistive, 5, weights).csv);
    guessed(folder, {"--indenter", "cylinder 5"});
    const auto gain = fitted(folder)["response"]["tactels"][0]["press_gain"];
    ASSERT_EQ(gain["status"], "identified");
    // 1023/9 counts per newton at first, a quarter of that in the end.
    EXPECT_LT(gain["ci95"][0], 9.0 / 1023 * 1.2) << weights;
    EXPECT_GT(gain["ci95"][1], 1.2 / 102.3 * 1.9) << weights;
  }
}

TEST(BroughtWeights, ThatBendMuchAreNotCalledFalling) {
  const TestFolder folder;
  const auto made = weigh([](double force_N) { return 50 + 1023 * force_N / (force_N + 3); }, 3, 8);
  folder.write("table.csv", made.csv);
  guessed(folder, {"--indenter", "cylinder 5"});
  const auto model = fitted(folder);
  EXPECT_THAT(codes(model, "response"), Not(Contains("RS-03")));
  EXPECT_LT(applied(folder, made.forces_N).first, 0.2);
}

TEST(BroughtWeights, OnAStraightCellStayALine) {
  const TestFolder folder;
  folder.write("table.csv", weigh([](double force_N) { return 50 + 80 * force_N; }, 3, 8).csv);
  guessed(folder, {"--indenter", "cylinder 5"});
  const auto model = fitted(folder);
  EXPECT_EQ(model["response"]["model"], "affine");
  const auto gain = model["response"]["tactels"][0]["press_gain"];
  EXPECT_LT(gain["ci95"][0], 0.0125);
  EXPECT_GT(gain["ci95"][1], 0.0125);
}

TEST(BroughtWeights, WithAStatedRestKeepItAsTheirOffset) {
  const TestFolder folder;
  std::string table = "mass_g,counts\n";
  for (int round = 0; round < 3; ++round)
    for (int i = 1; i <= 8; ++i)
      table += std::to_string(50 * i) + "," + std::to_string(40 + 100 * i + round) + "\n";
  folder.write("table.csv", table);
  guessed(folder, {"--indenter", "cylinder 5", "--rest", "40"});
  const auto model = fitted(folder);
  EXPECT_EQ(model["response"]["zero"], "stated");
  EXPECT_EQ(model["response"]["tactels"][0]["offset"]["value"], 40);
}

/// A pin on cells that fill `width_mm` of 5 mm, 4 x 4 of them, every 2.5 mm; spread 1.2 mm.
std::string raster(double width_mm) {
  constexpr double kSigma_mm = 1.2, kPitch_mm = 5;
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  const auto part = [&](double cell_mm, double at_mm) {
    const double scale = kSigma_mm * std::sqrt(2);
    return 0.5 * (std::erf((cell_mm + width_mm / 2 - at_mm) / scale) -
                  std::erf((cell_mm - width_mm / 2 - at_mm) / scale));
  };
  std::string table = "x_mm,y_mm,force_N";
  for (int i = 0; i < 16; ++i) table += ",s" + std::to_string(i);
  for (double x = -7.5; x < 8; x += 1.875)
    for (double y = -7.5; y < 8; y += 1.875)
      for (const double force_N : {0.0, 0.5, 1.0, 1.5, 2.0}) {
        std::ostringstream line;
        line << '\n' << x << ',' << y << ',' << force_N;
        for (int r = 0; r < 4; ++r)
          for (int c = 0; c < 4; ++c)
            line << ','
                 << std::lround(100 + normal(random) +
                                800 * 16 / (width_mm * width_mm) * force_N *
                                    part(kPitch_mm * (c - 1.5), x) *
                                    part(kPitch_mm * (r - 1.5), y));
        table += line.str();
      }
  return table + "\n";
}

TEST(BroughtRaster, TellsHowWideItsTactelsAre) {
  const TestFolder folder;
  folder.write("table.csv", raster(4));
  guessed(folder, {"--layout", "4x4", "--pitch", "5", "--indenter", "cylinder 0.2"});
  const auto model = fitted(folder);
  const auto& figures = model["quality"]["psf"]["figures"];
  ASSERT_TRUE(figures.contains("cell_width_pitches")) << figures;
  EXPECT_NEAR(figures["cell_width_pitches"], 0.8,
              3 * figures["cell_width_pitches_std"].get<double>());
  EXPECT_NEAR(model["sensor"]["arrays"][0]["area_m2"], 256e-6, 4e-6);
  const auto sigma = model["psf"]["sigma"];
  EXPECT_LT(sigma["ci95"][0], 1.2e-3);
  EXPECT_GT(sigma["ci95"][1], 1.2e-3);
  EXPECT_LT(sigma["ci95"][1].get<double>() - sigma["ci95"][0].get<double>(), 0.1e-3);
  EXPECT_THAT(codes(model, "psf"), Contains("CELL-WIDTH"));
  EXPECT_LT(std::abs(figures["ghosting_percent"].get<double>()), 0.5);  // 5 of points
  // The same sensor, whose description says nothing of it, is the same sensor.
  EXPECT_EQ(run_cli(folder.path(), {"check", "m.json", "s.tact"}).status, 0);
}

TEST(BroughtRaster, OfPointsIsNotGivenAWidth) {
  const TestFolder folder;
  folder.write("table.csv", raster(0.2));
  guessed(folder, {"--layout", "4x4", "--pitch", "5", "--indenter", "cylinder 0.2"});
  const auto model = fitted(folder);
  EXPECT_THAT(codes(model, "psf"), Not(Contains("CELL-WIDTH")));
  EXPECT_TRUE(model["sensor"]["arrays"][0]["area_m2"].is_null());
}

TEST(BroughtPresses, AtOneSpeedSayNeitherHysteresisNorGhostingForADelay) {
  constexpr double kLate_s = 0.006;
  std::mt19937_64 random(10);
  std::normal_distribution<double> normal;
  std::string table = "t_s,x_mm,y_mm,force_N";
  for (int i = 0; i < 9; ++i) table += ",s" + std::to_string(i);
  double t_s = 0;
  for (double x = -5; x < 6; x += 2.5)
    for (double y = -5; y < 6; y += 2.5)
      for (int i = 0; i < 400; ++i, t_s += 0.005) {
        const auto force_N = [](double at_s) {
          return std::clamp(4.5 - 10 * std::abs(at_s - 0.95), 0.0, 2.0);
        };
        std::ostringstream line;
        line.precision(9);
        line << '\n'
             << t_s << ',' << x << ',' << y << ',' << force_N(0.005 * i) + 0.003 * normal(random);
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) {
            const double away2 = std::pow(5 * (c - 1) - x, 2) + std::pow(5 * (r - 1) - y, 2);
            line << ','
                 << std::lround(100 + normal(random) +
                                900 * force_N(0.005 * i - kLate_s) * std::exp(-away2 / 18));
          }
        table += line.str();
      }
  const TestFolder folder;
  folder.write("table.csv", table + "\n");
  guessed(folder, {"--layout", "3x3", "--pitch", "5", "--indenter", "cylinder 1"});
  const auto model = fitted(folder);
  for (const auto& tactel : model["response"]["tactels"])
    EXPECT_THAT(tactel["hysteresis"].value("reason", ""), HasSubstr("TA-06"));
  EXPECT_THAT(codes(model, "psf"), Not(Contains("GHOSTING")));
}

TEST(BroughtSled, UnderAWeightThatIsNeverLiftedIsTakenAsWritten) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  const auto mu = [](double speed) { return 0.3 + 0.15 * std::exp(-std::pow(speed / 0.02, 2)); };
  std::string table = "t_s,x_mm,Fx_N,Fz_N\n";
  double t_s = 0, x_m = 0;
  const auto add = [&](double friction_N) {
    std::ostringstream line;
    line.precision(9);
    line << t_s << ',' << 1e3 * x_m + 1e-3 * normal(random) << ','
         << friction_N + 0.003 * normal(random) << ',' << -2 + 0.002 * normal(random) << '\n';
    table += line.str();
    t_s += 0.01;
  };
  for (int round = 0; round < 2; ++round)
    for (const double speed : {0.006, 0.012, 0.02, 0.03, 0.05, 0.08})
      for (const int way : {1, -1}) {
        const double factor = 1 + 0.003 * normal(random);
        for (int i = 0; i < 40; ++i) add(0);
        for (int i = 0; i < 6 / speed; ++i) {  // 60 mm
          x_m += 0.01 * way * speed;
          add(-way * 2 * factor * mu(speed));
        }
      }
  const TestFolder folder;
  folder.write("table.csv", table);
  guessed(folder, {"--indenter", "cylinder 20"});
  const auto model = fitted(folder);
  EXPECT_THAT(codes(model, "friction"), Contains("NO-TARE"));
  const auto sliding = model["friction"]["mu_d"];
  ASSERT_EQ(sliding["status"], "identified") << sliding;
  EXPECT_LT(sliding["ci95"][0], 0.3);
  EXPECT_GT(sliding["ci95"][1], 0.3);
}

}  // namespace
}  // namespace tactelier::test

// Readings in other units, and readings that fall: the same pad, the same model up to their scale.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/app/support/cli.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;

constexpr const char* kProtocol = R"({"format": "tactelier/protocol", "version": 1, "name": "part",
  "description": "", "max_minutes": 60,
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "zero", "time_s": 3},
    {"do": "scan", "tactels": [37, 38, 39, 44, 45, 46], "speed_mm_s": 0.5, "repeats": 2,
     "until": {"force_N": 1.5, "depth_mm": 1.2}},
    {"do": "raster", "area_mm": [-1.7, -1.7, 1.7, 1.7], "step_mm": 0.85, "depth_mm": 0.65},
    {"do": "speeds", "sites": ["centre"], "depth_mm": 0.8, "speeds_mm_s": [0.2, 0.6, 3],
     "repeats": 2},
    {"do": "hold", "sites": ["centre"], "depth_mm": 0.6, "ramp_s": 1, "time_s": 20}]})";

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream row(line);
  for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
  return cells;
}

/// Every reading of a tactile.csv times `factor`, its other columns as they are.
std::string scaled_table(const std::string& table, double factor) {
  std::istringstream rows(table);
  std::string line;
  std::getline(rows, line);
  const auto names = cells_of(line);
  std::string out = line + "\n";
  while (std::getline(rows, line)) {
    const auto cells = cells_of(line);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool reading = std::isdigit(names[i][0]) != 0 && !cells[i].empty();
      out += (i > 0 ? "," : "") +
             (reading ? fmt::format("{:.6g}", factor * std::stod(cells[i])) : cells[i]);
    }
    out += '\n';
  }
  return out;
}

class ScaledReadings : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TestFolder;
    folder_->write("p.json", kProtocol);
    const auto made = run_cli(folder_->path(), {"synth", "--protocol", "p.json", "--seed", "4",
                                                "--preset", "lab", "-o", "p.tact"});
    ASSERT_EQ(made.status, 0) << made.err;
    plain_ = fit(1, false);
  }
  static void TearDownTestSuite() { delete folder_; }

  static json fit(double factor, bool falling) {
    std::filesystem::remove_all(*folder_ / "u");
    const auto unpacked = run_cli(folder_->path(), {"unpack", "p.tact", "u"});
    EXPECT_EQ(unpacked.status, 0) << unpacked.err;
    auto session = json::parse(folder_->read("u/session.json"));
    if (session["sensor"].is_string()) session["sensor"] = described(session["sensor"]);
    auto& adc = session["sensor"]["adc"];
    const double sign = falling ? -1 : 1;
    const double low = sign * factor * adc["min"].get<double>();
    const double high = sign * factor * adc["max"].get<double>();
    adc = {{"min", std::min(low, high)}, {"max", std::max(low, high)}};
    session["sensor"]["falling"] = falling;
    folder_->write("u/session.json", session.dump());
    folder_->write("u/tactile.csv", scaled_table(folder_->read("u/tactile.csv"), sign * factor));
    const auto fitted = run_cli(folder_->path(), {"fit", "u", "-o", "m.json", "--force"});
    EXPECT_EQ(fitted.status, 0) << fitted.err;
    return json::parse(folder_->read("m.json"));
  }

  /// The named description as it stands inline.
  static json described(const std::string& name) {
    std::ifstream file(std::filesystem::path(paths::source_dir()) / "data/sensors" /
                       (name + ".json"));
    auto sensor = json::parse(file);
    for (const auto* key : {"format", "version"}) sensor.erase(key);
    return sensor;
  }

  static TestFolder* folder_;
  static json plain_;
};
TestFolder* ScaledReadings::folder_ = nullptr;
json ScaledReadings::plain_;

/// The same status, and the value `factor` times as large.
void expect_scaled(const json& plain, const json& scaled, double factor, const std::string& what) {
  EXPECT_EQ(plain["status"], scaled["status"]) << what << plain << scaled;
  if (!plain["value"].is_number() || !scaled["value"].is_number()) return;
  const double wanted = factor * plain["value"].get<double>();
  EXPECT_NEAR(scaled["value"].get<double>(), wanted, 1e-6 * std::abs(wanted) + 1e-12) << what;
}

void expect_same_pad(const json& plain, const json& scaled, double factor) {
  const auto& then = plain["response"]["tactels"];
  const auto& now = scaled["response"]["tactels"];
  int gains = 0;
  for (std::size_t i = 0; i < then.size(); ++i) {
    const auto where = "tactel " + std::to_string(i) + " ";
    EXPECT_EQ(then[i]["status"], now[i]["status"]) << where;
    for (const auto* name : {"gain", "press_gain"})
      expect_scaled(then[i][name], now[i][name], 1 / factor, where + name);
    for (const auto* name : {"threshold", "press_threshold", "hysteresis", "repeatability",
                             "reversibility", "nonlinearity", "creep"})
      expect_scaled(then[i][name], now[i][name], 1, where + name);
    expect_scaled(then[i]["noise"], now[i]["noise"], factor, where + "noise");
    gains += then[i]["press_gain"]["status"] == "identified" ? 1 : 0;
  }
  EXPECT_GE(gains, 6);
  expect_scaled(plain["response"]["resolution"], scaled["response"]["resolution"], factor,
                "resolution");
  for (const auto* name : {"sigma", "sigma_x", "sigma_y"})
    expect_scaled(plain["psf"][name], scaled["psf"][name], 1, name);
  for (const auto* name : {"k_punch", "k_affine", "foundation_modulus", "k"})
    expect_scaled(plain["stiffness"][name], scaled["stiffness"][name], 1, name);
  expect_scaled(plain["timing"]["latency_s"], scaled["timing"]["latency_s"], 1, "latency");
  EXPECT_EQ(plain["response"]["model"], scaled["response"]["model"]);
}

TEST_F(ScaledReadings, InThousandthsAreTheSamePad) {
  expect_same_pad(plain_, fit(1e3, false), 1e3);
}

TEST_F(ScaledReadings, InVoltsAreTheSamePad) { expect_same_pad(plain_, fit(1e-3, false), 1e-3); }

TEST_F(ScaledReadings, ThatFallAreTheSamePad) { expect_same_pad(plain_, fit(1, true), 1); }

}  // namespace
}  // namespace tactelier::test

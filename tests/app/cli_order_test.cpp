// The same sessions in any order give the same model: nothing is decided by what was typed first.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// First place where two models differ by more than rounding; "" when nowhere. When they were made
/// is no part of them.
std::string difference(const json& a, const json& b, const std::string& at = "") {
  if (a.is_number() && b.is_number()) {
    const double x = a.get<double>(), y = b.get<double>();
    const bool same = std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y));
    return same ? "" : at + ": " + a.dump() + " against " + b.dump();
  }
  if (a.type() != b.type() || a.size() != b.size()) return at + ": " + a.dump().substr(0, 80);
  if (!a.is_structured()) return a == b ? "" : at + ": " + a.dump() + " against " + b.dump();
  for (const auto& item : a.items()) {
    if (at.empty() && item.key() == "created") continue;
    if (a.is_object() && !b.contains(item.key())) return at + "/" + item.key() + " is missing";
    const auto& other = a.is_object() ? b[item.key()] : b[std::stoul(item.key())];
    if (auto found = difference(item.value(), other, at + "/" + item.key()); !found.empty())
      return found;
  }
  return {};
}

std::string protocol(double pin_mm, const std::string& steps) {
  return fmt::format(R"({{"format": "tactelier/protocol", "version": 1, "name": "part",
      "description": "", "max_minutes": 60,
      "indenter": {{"id": "pin", "shape": "cylinder", "diameter_mm": {}}},
      "steps": [{{"do": "zero", "time_s": 3}}, {}]}})",
                     pin_mm, steps);
}

std::string scan(const std::string& tactels) {
  return R"({"do": "scan", "tactels": )" + tactels +
         R"(, "speed_mm_s": 0.5, "repeats": 2, "until": {"force_N": 1.5, "depth_mm": 1.2}})";
}

/// One pad: three tactels pressed by one tip, five by another, and a plate with a dynamic session.
class OrderOfSessions : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TestFolder;
    synth("narrow", protocol(1, scan("[38, 39, 45]")), {"--seed", "5"});
    const std::vector<std::string> same_pad{"--truth", "narrow.truth.json", "--seed", "6"};
    synth("wide", protocol(2.5, scan("[37, 38, 44, 45, 46]")), same_pad);
    synth("plate", protocol(1, R"({"do": "plate", "force_N": 15, "speed_mm_s": 0.1, "repeats": 2},
        {"do": "speeds", "sites": ["centre"], "depth_mm": 0.8, "speeds_mm_s": [0.2, 1, 3],
         "repeats": 1})"),
          same_pad);
  }
  static void TearDownTestSuite() { delete folder_; }

  static void synth(const std::string& name, const std::string& steps,
                    const std::vector<std::string>& options) {
    folder_->write(name + ".json", steps);
    std::vector<std::string> arguments{"synth", "--protocol", name + ".json", "-o", name + ".tact"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto made = run_cli(folder_->path(), arguments);
    ASSERT_EQ(made.status, 0) << made.err;
  }

  static json fit(const std::vector<std::string>& sessions, std::string* told = nullptr) {
    std::vector<std::string> arguments{"fit", "--force", "-o", "m.json"};
    arguments.insert(arguments.end(), sessions.begin(), sessions.end());
    const auto fitted = run_cli(folder_->path(), arguments);
    EXPECT_EQ(fitted.status, 0) << fitted.err;
    if (told != nullptr) *told = fitted.err;
    return json::parse(folder_->read("m.json"));
  }

  static TestFolder* folder_;
};
TestFolder* OrderOfSessions::folder_ = nullptr;

TEST_F(OrderOfSessions, DecidesNothing) {
  std::vector<std::string> sessions{"narrow.tact", "plate.tact", "wide.tact"};
  const auto first = fit(sessions);
  int orders = 1;
  while (std::next_permutation(sessions.begin(), sessions.end())) {
    EXPECT_EQ(difference(first, fit(sessions)), "") << testing::PrintToString(sessions);
    ++orders;
  }
  EXPECT_EQ(orders, 6);
}

TEST_F(OrderOfSessions, TheCalibrationIndenterIsThatOfMostTactelsAndBothAreNamed) {
  std::string told;
  const auto model = fit({"narrow.tact", "wide.tact"}, &told);
  EXPECT_EQ(model["response"]["calibration_indenter"], "cylinder 2.5 mm");
  EXPECT_EQ(model["stiffness"]["indenter"], "cylinder 2.5 mm");
  EXPECT_THAT(told, HasSubstr("cylinder 2.5 mm (5 tactels, 10 presses)"));
  EXPECT_THAT(told, HasSubstr("cylinder 1 mm (3 tactels, 6 presses)"));
  const auto truth = json::parse(folder_->read("wide.truth.json"));
  const auto& tactels = model["response"]["tactels"];
  EXPECT_EQ(tactels[37]["press_gain"]["status"], "identified");
  // The wider tip spreads its force over more tactels: more newtons per count.
  EXPECT_GT(tactels[38]["press_gain"]["value"].get<double>(),
            truth["response"]["tactels"][38]["gain"]["value"].get<double>());
}

TEST_F(OrderOfSessions, CheckSaysTheSame) {
  fit({"wide.tact"});
  std::filesystem::rename(*folder_ / "m.json", *folder_ / "wide-model.json");
  const auto checked = run_cli(folder_->path(), {"check", "wide-model.json", "wide.tact"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
}

TEST(SeveralSessions, OfDifferentSerialNumbersAreRefusedInAnyOrder) {
  const TestFolder folder;
  std::vector<std::string> names{"a", "b", "c"};
  for (const auto& name : names) {
    PlainSession session;
    session.presses = {{1, 0}};
    session.sensor_json = R"({"rows": 2, "columns": 3, "pitch_x_mm": 3.4, "pitch_y_mm": 3.4})";
    if (name != "a") session.extra_json = R"("sensor_serial": ")" + name + "\",";
    session.created = "2026-11-20T10:00:0" + std::to_string(name[0] - 'a') + "Z";
    session.write(folder, name);
  }
  do {
    const auto result =
        run_cli(folder.path(), {"fit", names[0], names[1], names[2], "-o", "m.json"});
    EXPECT_EQ(result.status, 3) << testing::PrintToString(names) << result.err;
    EXPECT_THAT(result.err, HasSubstr("serial number b against c"));
  } while (std::next_permutation(names.begin(), names.end()));
}

TEST(SeveralSessions, OneRecordingUnderTwoNamesDoesNotCountTwice) {
  const TestFolder folder;
  for (const auto* name : {"a", "b"}) {
    PlainSession session;
    session.presses = {{1, 0}};
    session.write(folder, name);
  }
  const auto result = run_cli(folder.path(), {"fit", "a", "b", "-o", "m.json"});
  EXPECT_EQ(result.status, 3) << result.out;
  EXPECT_THAT(result.err, HasSubstr("are the same recording"));
}

}  // namespace
}  // namespace tactelier::test

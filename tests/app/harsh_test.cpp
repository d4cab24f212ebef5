// A recording with everything that goes wrong at once: clocks of their own that wrap, hysteresis, a
// bump, tactels that are dead, stuck and noisy (preset lab), and besides them rows lost on the
// wire, outliers, and two wires swapped. It still fits, and every fault is listed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

constexpr int kSwappedA = 30, kSwappedB = 53;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const auto end = std::min(line.find(',', begin), line.size());
    cells.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return cells;
}

std::string joined(const std::vector<std::string>& parts, char between) {
  std::string text;
  for (const auto& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

/// Host time of the beginning of the 50th press.
double a_press_s(const TestFolder& folder) {
  int presses = 0;
  for (const auto& line : lines_of(folder.read("s/events.csv")))
    if (line.find(",press_begin,") != std::string::npos && ++presses == 50)
      return std::stod(line.substr(0, line.find(',')));
  ADD_FAILURE() << "fewer than 50 presses";
  return 0;
}

/// Half a second of force is missing in a press, and one sample in 2000 is 2 N off.
void spoil_force(const TestFolder& folder) {
  auto lines = lines_of(folder.read("s/force.csv"));
  for (std::size_t i = 1; i < lines.size(); i += 2000) {
    auto cells = cells_of(lines[i]);
    cells[3] = std::to_string(std::stof(cells[3]) + 2);
    lines[i] = joined(cells, ',');
  }
  const double from_us = 1e6 * (a_press_s(folder) + 0.3);
  const auto first = std::find_if(lines.begin() + 1, lines.end(), [&](const std::string& line) {
    return std::stod(line.substr(line.rfind(',') + 1)) > from_us;
  });
  ASSERT_GT(lines.end() - first, 500);
  lines.erase(first, first + 500);
  folder.write("s/force.csv", joined(lines, '\n') + "\n");
}

void swap_wires(const TestFolder& folder) {
  auto lines = lines_of(folder.read("s/tactile.csv"));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    auto cells = cells_of(lines[i]);
    std::swap(cells[1 + kSwappedA], cells[1 + kSwappedB]);
    lines[i] = joined(cells, ',');
  }
  folder.write("s/tactile.csv", joined(lines, '\n') + "\n");
}

struct Share {
  int held = 0, all = 0;
  bool common_held = false;
};

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.empty() ? 0 : *middle;
}

/// What all tactels have in common, as an error of the force sensor, is one draw and counts once;
/// each tactel's own error counts beside it.
Share held(const json& model, const json& truth, const char* name) {
  std::vector<double> errors, halves;  // relative
  for (std::size_t i = 0; i < truth["response"]["tactels"].size(); ++i) {
    const auto& fitted = model["response"]["tactels"][i][name];
    const auto& known = truth["response"]["tactels"][i][name]["value"];
    if (fitted["status"] != "identified" || !known.is_number()) continue;
    const auto& ci95 = fitted["ci95"];
    const double half = std::max(fitted["u_total"].get<double>(),
                                 (ci95[1].get<double>() - ci95[0].get<double>()) / 2);
    errors.push_back(fitted["value"].get<double>() / known.get<double>() - 1);
    halves.push_back(half / known.get<double>());
  }
  const double common = median_of(errors);
  Share share{0, static_cast<int>(errors.size()), std::abs(common) <= median_of(halves)};
  for (std::size_t i = 0; i < errors.size(); ++i)
    share.held += std::abs(errors[i] - common) <= halves[i] ? 1 : 0;
  return share;
}

TEST(HarshRecordings, StillFitAndListEveryFault) {
  const TestFolder folder;
  ASSERT_EQ(run_cli(folder.path(), {"synth", "--protocol", "quick", "--preset", "lab", "--seed",
                                    "3", "-o", "p.tact"})
                .status,
            0);
  ASSERT_EQ(run_cli(folder.path(), {"unpack", "p.tact", "s"}).status, 0);
  spoil_force(folder);
  swap_wires(folder);
  const auto imported = run_cli(folder.path(), {"import", "s", "-o", "h.tact"});
  ASSERT_EQ(imported.status, 0) << imported.err;
  const auto fitted = run_cli(folder.path(), {"fit", "h.tact", "-o", "m.json"});
  ASSERT_EQ(fitted.status, 0) << fitted.err;
  const auto model = json::parse(folder.read("m.json"));
  const auto truth = json::parse(folder.read("p.truth.json"));

  for (const auto* name : {"press_gain", "gain", "press_threshold"}) {
    const auto share = held(model, truth, name);
    EXPECT_GE(share.all, 75) << name;
    EXPECT_TRUE(share.common_held) << name;
    EXPECT_GE(share.held, 0.95 * share.all) << name;
  }
  // The stiffness at rest: the pad relaxes, and a staircase of `quick` rests for 2 s at a time.
  const auto& k = model["stiffness"]["k_punch"];
  EXPECT_NEAR(k["value"].get<double>(), truth["stiffness"]["k_punch"]["value"].get<double>(),
              k["u_total"].get<double>());

  std::vector<std::string> codes;
  for (std::size_t i = 0; i < truth["response"]["tactels"].size(); ++i) {
    const auto& known = truth["response"]["tactels"][i]["status"];
    if (known == "dead" || known == "stuck") {
      EXPECT_EQ(model["response"]["tactels"][i]["status"], known) << i;
    }
  }
  for (const auto& [stage, quality] : model["quality"].items())
    for (const auto& warning : quality["warnings"])
      codes.push_back(warning["code"].get<std::string>() + " " +
                      warning["text"].get<std::string>());
  EXPECT_THAT(codes, Contains(HasSubstr("SPIKES")));
  EXPECT_THAT(codes, Contains(HasSubstr("STUCK")));
  EXPECT_THAT(codes, Contains(HasSubstr("swapped")));
  for (const int tactel : {kSwappedA, kSwappedB})
    EXPECT_TRUE(model["response"]["tactels"][tactel]["press_gain"]["value"].is_null()) << tactel;
  int gaps = 0;
  for (const auto& press : model["presses"])
    gaps += press["why"].get<std::string>().find("GAP 0.5") != std::string::npos ? 1 : 0;
  EXPECT_EQ(gaps, 1);
}

/// Takes out the column that ends each row.
void drop_last_column(const TestFolder& folder, const std::string& name) {
  auto lines = lines_of(folder.read(name));
  for (auto& line : lines) line.resize(line.rfind(','));
  folder.write(name, joined(lines, '\n') + "\n");
}

TEST(HarshRecordings, AnArrayWithoutArrivalTimesIsPlacedByItsPresses) {
  const TestFolder folder;
  ASSERT_EQ(run_cli(folder.path(), {"synth", "--protocol", "study", "--preset", "lab", "--seed",
                                    "3", "-o", "p.tact"})
                .status,
            0);
  ASSERT_EQ(run_cli(folder.path(), {"unpack", "p.tact", "s"}).status, 0);
  ASSERT_THAT(lines_of(folder.read("s/tactile.csv"))[0], HasSubstr(",t_host[us]"));
  drop_last_column(folder, "s/tactile.csv");
  ASSERT_EQ(run_cli(folder.path(), {"import", "s", "-o", "h.tact"}).status, 0);
  for (const std::string session : {"p", "h"})
    ASSERT_EQ(run_cli(folder.path(),
                      {"fit", session + ".tact", "-o", session + ".json", "--stages", "response"})
                  .status,
              0);
  const auto with = json::parse(folder.read("p.json"));
  const auto without = json::parse(folder.read("h.json"));
  int both = 0;
  for (std::size_t i = 0; i < with["response"]["tactels"].size(); ++i) {
    const auto& gain = with["response"]["tactels"][i]["press_gain"];
    const auto& other = without["response"]["tactels"][i]["press_gain"];
    if (gain["value"].is_null() || other["value"].is_null()) continue;
    ++both;  // presses at 4 N/s, so 10 ms are 40 mN of 2 N, and each interval holds its own delay
    const auto half = [](const json& g) {
      return (g["ci95"][1].get<double>() - g["ci95"][0].get<double>()) / 2;
    };
    const double off = other["value"].get<double>() - gain["value"].get<double>();
    EXPECT_LE(std::abs(off), std::hypot(half(gain), half(other))) << i;
    EXPECT_LE(std::abs(off), 0.05 * gain["value"].get<double>()) << i;
  }
  EXPECT_GE(both, 8);
  std::vector<std::string> codes;
  for (const auto& warning : without["quality"]["time"]["warnings"])
    codes.push_back(warning["code"]);
  EXPECT_THAT(codes, Contains("TA-09"));
}

}  // namespace
}  // namespace tactelier::test

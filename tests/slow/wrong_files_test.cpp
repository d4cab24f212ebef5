// Every wrong rig file in every phase, both presets: what is the true peak force on the pad? Rows
// of the table of docs/faults.md go to the file that TACTELIER_WRONG_FILES names, one test after
// the other. TACTELIER_SPEED: how many times faster than real time the bench lives (8);
// TACTELIER_PHASE: one alone.

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "tests/devices/support/wrong_files.hpp"

namespace tactelier::rig {
namespace {

double speed() {
  const char* asked = std::getenv("TACTELIER_SPEED");
  return asked != nullptr ? std::strtod(asked, nullptr) : 8;
}

std::string short_text(std::string text) {
  for (auto& c : text)
    if (c == '|' || c == '\n') c = ' ';
  return text.size() > 110 ? text.substr(0, 107) + "..." : text;
}

class WrongFiles : public testing::TestWithParam<std::tuple<std::size_t, const char*>> {};

TEST_P(WrongFiles, NoneOfThemPressesThePadHard) {
  // A press of 1 N that was asked for, and what goes past it; by a gain that nobody has checked.
  constexpr double kWanted_N = 1.3, kUnchecked = 2.2;
  const auto file = wrong_files()[std::get<0>(GetParam())];
  const std::string preset = std::get<1>(GetParam());
  const auto effects = *pad::preset(preset);
  const auto folder = std::filesystem::path(testing::TempDir()) /
                      fmt::format("wrong_files_{}_{}", preset, std::get<0>(GetParam()));
  std::filesystem::create_directories(folder);
  const char* only = std::getenv("TACTELIER_PHASE");
  for (const char* phase : {"approach", "search", "record"}) {
    if (only != nullptr && std::string_view(phase) != only) continue;
    const auto outcome = use_wrong_file(file, phase, effects, speed(), folder);
    const bool pressed = outcome.done && std::string_view(phase) == "record";
    const double wanted_N = kWanted_N * (file.most_N >= 1 ? kUnchecked : 1);
    EXPECT_LE(outcome.peak_N, pressed ? wanted_N : file.most_N)
        << file.name << ", " << phase << ", " << preset << ": " << outcome.state;
    if (const char* path = std::getenv("TACTELIER_WRONG_FILES")) {
      std::ofstream table(path, std::ios::app);
      table << fmt::format("| {} | {} | {} | {:g} x | {:.2f} | {} |\n", file.name, phase, preset,
                           speed(), outcome.peak_N, short_text(outcome.state));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, WrongFiles,
                         testing::Combine(testing::Range<std::size_t>(0, wrong_files().size()),
                                          testing::Values("clean", "lab")));

}  // namespace
}  // namespace tactelier::rig

// Every wrong rig file in every phase, both presets: what is the true peak force on the pad? Writes
// the table of docs/faults.md when TACTELIER_WRONG_FILES names a file. TACTELIER_SPEED: how many
// times faster than real time the bench lives (8).

#include <gmock/gmock.h>

#include <cstdlib>

#include "libcalib/text_file.hpp"
#include "tests/devices/support/wrong_files.hpp"

namespace tactelier::rig {
namespace {

double speed() {
  const char* asked = std::getenv("TACTELIER_SPEED");
  return asked ? std::atof(asked) : 8;
}

std::string short_text(std::string text) {
  for (auto& c : text)
    if (c == '|' || c == '\n') c = ' ';
  return text.size() > 110 ? text.substr(0, 107) + "..." : text;
}

TEST(WrongFiles, NoneOfThemPressesThePadHard) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "wrong_files";
  std::filesystem::create_directories(folder);
  std::string table =
      "| wrong | phase | preset | speed | true peak [N] | ended |\n|---|---|---|---|---|---|\n";
  // A press of 1 N that was asked for, and what goes past it.
  constexpr double kWanted_N = 1.3;
  for (const auto& [preset, effects] :
       {std::pair{"clean", pad::clean()}, std::pair{"lab", pad::lab()}})
    for (const auto& file : wrong_files())
      for (const char* phase : {"approach", "search", "record"}) {
        const auto outcome = use_wrong_file(file, phase, effects, speed(), folder);
        const bool pressed = outcome.done && std::string_view(phase) == "record";
        const double gain = outcome.done && file.most_N >= 1 ? 2.5 : 1;
        EXPECT_LE(outcome.peak_N, pressed ? kWanted_N * gain : file.most_N)
            << file.name << ", " << phase << ", " << preset << ": " << outcome.state;
        table += fmt::format("| {} | {} | {} | {:g} x | {:.2f} | {} |\n", file.name, phase, preset,
                             speed(), outcome.peak_N, short_text(outcome.state));
      }
  if (const char* path = std::getenv("TACTELIER_WRONG_FILES"))
    EXPECT_TRUE(write_text_file(path, table));
}

}  // namespace
}  // namespace tactelier::rig

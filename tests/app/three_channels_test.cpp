// Sensors with shear and normal channels (x, y, z): all are kept, the normal one is read.

#include <gmock/gmock.h>

#include <sstream>

#include "fitting/recording/stream_reader.hpp"
#include "fitting/views/recording_view.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"

namespace tactelier::test {
namespace {

using testing::ElementsAre;

TEST(ThreeChannels, TheNormalOneIsShownJudgedAndFitted) {
  const TestFolder folder;
  folder.write("u/session.json",
               R"({"format": "tactelier/session", "version": 1, "sensor":
                   {"rows": 1, "columns": 2, "pitch_x_mm": 5, "pitch_y_mm": 5, "channels": 3,
                    "adc": {"bits": 16, "min": 0, "max": 65535}}})");
  folder.write("u/tactile.csv",
               "t[s],0.x,0.y,0.z,1.x,1.y,1.z\n0,1,2,3,4,5,60\n0.1,1,2,30,4,5,61\n");
  const auto imported = run_cli(folder.path(), {"import", "u", "-o", "u.tact"});
  ASSERT_EQ(imported.status, 0) << imported.err;
  const auto session = Session::open(folder / "u.tact");
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_THAT(tactel_columns(*session), ElementsAre("0.z", "1.z"));
  const auto extremes = tactel_extremes(*session, {});
  ASSERT_TRUE(extremes) << extremes.error().message;
  EXPECT_EQ((*extremes)[0].max, 30);
  EXPECT_FALSE((*extremes)[0].stuck);  // its shear is
  const auto clocks = clocks_as_stated(session->metadata());
  const StreamReader reader{*session, clocks, {0, 1}, true, {}};
  const std::vector<int> tactels{1, 0};
  const auto readings = reader.tactile(tactels);
  ASSERT_TRUE(readings) << readings.error().message;
  EXPECT_THAT(readings->samples.columns, ElementsAre(ElementsAre(60, 61), ElementsAre(3, 30)));
}

/// Each reading as z behind a shear that says nothing.
std::string with_shear(const std::string& table) {
  std::istringstream lines(table);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    text += cell;
    const bool head = cell == "t[s]";
    while (std::getline(cells, cell, ','))
      text += head ? "," + cell + ".x," + cell + ".y," + cell + ".z" : ",1987,1003," + cell;
    text += '\n';
  }
  return text;
}

TEST(ThreeChannels, GiveTheModelAndTheNewtonsOfTheNormalOneAlone) {
  const TestFolder folder;
  PlainSession one;
  one.pad.force_noise_N = 0.002;
  one.pad.count_noise = 4;
  for (int number = 1; number <= 6; ++number)
    one.presses.push_back({number, (number - 1) / 3, 2.0, 1 + 0.004 * (number % 3)});
  auto three = one;
  three.sensor_json = R"({"rows": 2, "columns": 3, "pitch_x_mm": 3.4, "pitch_y_mm": 3.4,
                          "channels": 3})";
  one.sensor_json = R"({"rows": 2, "columns": 3, "pitch_x_mm": 3.4, "pitch_y_mm": 3.4})";
  one.write(folder, "one");
  three.write(folder, "three");
  folder.write("three/tactile.csv", with_shear(folder.read("three/tactile.csv")));
  for (const std::string name : {"one", "three"}) {
    const auto model = name + ".json";
    const auto fitted = run_cli(folder.path(), {"fit", name, "-o", model, "--stages", "response"});
    ASSERT_EQ(fitted.status, 0) << fitted.err;
    const auto applied = run_cli(folder.path(), {"apply", model, name, "-o", name + ".csv"});
    ASSERT_EQ(applied.status, 0) << applied.err;
  }
  const auto newtons = folder.read("three.csv");
  EXPECT_GT(newtons.size(), 10000U);
  EXPECT_EQ(newtons, folder.read("one.csv"));
}

}  // namespace
}  // namespace tactelier::test

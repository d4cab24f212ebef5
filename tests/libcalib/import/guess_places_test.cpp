// Whether a table's places lie on the array, and which of them are presses of their own.

#include <array>
#include <cmath>

#include "tests/libcalib/import/guess_fixture.hpp"

namespace tactelier {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class PlacesGuess : public TableGuess {};

/// Readings at rest of an array of 3 x 4 tactels, 5 mm apart, pressed once at each place.
/// `ways`: -1 where places count the other way along x, y.
std::string pressed_once(bool along_line, double from_x_mm, double from_y_mm,
                         std::array<int, 2> ways = {1, 1}) {
  std::string table = along_line ? "x_mm,force_N" : "x_mm,y_mm,force_N";
  for (int t = 0; t < 12; ++t) table += fmt::format(",s{}", t);
  table += "\n";
  for (int i = 0; i < 77; ++i) {
    const double x_mm = along_line ? -9 + 18.0 * i / 76 : -10 + i % 11 * 2.0;
    const double y_mm = along_line ? 0 : -7.5 + i / 11 * 2.5;
    const double force_N = 1 + 0.1 * (i * 7 % 5);
    const double said_x_mm = ways[0] * (x_mm - from_x_mm), said_y_mm = ways[1] * (y_mm - from_y_mm);
    table += along_line ? fmt::format("{:.3f},{}", said_x_mm, force_N)
                        : fmt::format("{:.3f},{:.3f},{}", said_x_mm, said_y_mm, force_N);
    for (int t = 0; t < 12; ++t) {
      const double u_mm = (t % 4 - 1.5) * 5 - x_mm, v_mm = (t / 4 - 1) * 5 - y_mm;
      const double share = std::exp(-(u_mm * u_mm + v_mm * v_mm) / 32);
      table += fmt::format(",{}", 100 + std::lround((500 + 100 * t) * force_N * share));
    }
    table += "\n";
  }
  return table;
}

const GuessAnswers kArrayOf12{.layout = "3x4", .pitch = "5"};

TEST_F(PlacesGuess, ARowPerPlaceAlongALineIsAPressEach) {
  const auto guessed = guess(pressed_once(true, 0, 0), kArrayOf12);
  EXPECT_THAT(guessed.text, HasSubstr("press_by")) << guessed.text;
  const auto session = imported(guessed);
  const auto all = presses(session.events(), {}, session.metadata()).value();
  ASSERT_EQ(all.size(), 77U);
  EXPECT_NEAR(all.back().x_m.value_or(0), 9e-3, 1e-9);
}

TEST_F(PlacesGuess, AColumnThatGoesWithTheLoadIsTheTravelAndNoPlace) {
  std::string table = "x_mm,force_N,counts\n";
  for (int i = 0; i < 20; ++i) table += fmt::format("{},{},{}\n", 0.2 * i, 0.3 * i, 100 + 50 * i);
  EXPECT_THAT(guess(table).understood, Contains(HasSubstr("all rows are one press")));
}

TEST_F(PlacesGuess, PlacesThatCountFromACornerAreMovedOntoTheArray) {
  const auto guessed = guess(pressed_once(false, -10, -7.5), kArrayOf12);
  EXPECT_THAT(guessed.understood,
              Contains(AllOf(HasSubstr("from the array's corner"), HasSubstr("(-10, -7.5) mm"))));
  const auto session = imported(guessed);
  const auto all = presses(session.events(), {}, session.metadata()).value();
  ASSERT_FALSE(all.empty());
  EXPECT_NEAR(all.front().x_m.value_or(0), -10e-3, 1e-9);
  EXPECT_NEAR(all.front().y_m.value_or(0), -7.5e-3, 1e-9);
}

/// Beside a single row every tactel answers alike: nothing says that y is wrong.
TEST_F(PlacesGuess, AcrossAStripPlacesStay) {
  std::string table = "x_mm,y_mm,force_N,a,b,c,d,e,f\n";
  for (int i = 0; i < 60; ++i) {
    const double x_mm = -12.5 + i % 6 * 5, force_N = 1 + 0.1 * (i * 7 % 5);
    table += fmt::format("{},{},{}", x_mm, 3 + i % 2, force_N);
    for (int t = 0; t < 6; ++t) {
      const double u_mm = (t - 2.5) * 5 - x_mm;
      table += fmt::format(",{}", 100 + std::lround(500 * force_N * std::exp(-u_mm * u_mm / 32)));
    }
    table += "\n";
  }
  for (const auto& sentence : guess(table, {.layout = "1x6", .pitch = "5"}).understood)
    EXPECT_THAT(sentence, ::testing::Not(HasSubstr("moved by")));
}

TEST_F(PlacesGuess, ALayoutIsOfWholeRowsAndColumns) {
  EXPECT_THAT(refusal(pressed_once(false, 0, 0), {.layout = "24x0.5", .pitch = "5"}),
              HasSubstr("--layout 24x0.5"));
}

TEST_F(PlacesGuess, PlacesThatCountFromTheFirstTactelAreMovedOntoTheArray) {
  const auto guessed = guess(pressed_once(false, -7.5, -5), kArrayOf12);
  EXPECT_THAT(guessed.understood,
              Contains(AllOf(HasSubstr("from the first tactel"), HasSubstr("(-7.5, -5) mm"))));
}

TEST_F(PlacesGuess, PlacesThatCountFromTheMiddleStay) {
  for (const double off_mm : {0.0, 2.0}) {  // the fit's registration finds so much
    const auto guessed = guess(pressed_once(false, off_mm, 0), kArrayOf12);
    EXPECT_THAT(guessed.text, Not(HasSubstr("stage_to_sensor"))) << guessed.text;
  }
}

/// Rows of a picture count downwards from its corner.
TEST_F(PlacesGuess, PlacesThatCountAgainstTheTactelsAreTurned) {
  struct Case {
    std::array<int, 2> ways;
    double from_x_mm, from_y_mm;
    const char* words;
  };
  for (const auto& one :
       {Case{{1, -1},
             0,
             0,
             "y counts against the tactels' numbers, as rows of a picture do: turned they lie"},
        Case{{1, -1},
             -10,
             7.5,
             "as rows of a picture do, and places count from the array's corner: turned and then "},
        Case{{-1, 1}, 0, 0, "x counts against the tactels' numbers: turned they"},
        Case{{-1, -1}, 10, 7.5, "x and y count against the tactels' numbers, and places count"}}) {
    const auto guessed =
        guess(pressed_once(false, one.from_x_mm, one.from_y_mm, one.ways), kArrayOf12);
    EXPECT_THAT(guessed.understood, Contains(HasSubstr(one.words)));
    const auto session = imported(guessed);
    const auto all = presses(session.events(), {}, session.metadata()).value();
    ASSERT_EQ(all.size(), 77U);
    for (const std::size_t i : {std::size_t{0}, std::size_t{30}}) {
      EXPECT_NEAR(all[i].x_m.value_or(0), (-10 + static_cast<double>(i % 11) * 2) * 1e-3, 1e-9);
      EXPECT_NEAR(all[i].y_m.value_or(0), (-7.5 + static_cast<double>(i / 11) * 2.5) * 1e-3, 1e-9);
    }
  }
}

}  // namespace
}  // namespace tactelier

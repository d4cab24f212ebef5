#pragma once
// A table is guessed, and imported as guessed.

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

#include "libcalib/import/guess/guess_map.hpp"
#include "tests/libcalib/import/import_fixture.hpp"

namespace tactelier {

class TableGuess : public ::testing::Test {
 protected:
  GuessedMap guess(std::string_view table, const GuessAnswers& answers = {}) {
    const auto guessed = guess_map(scratch_.write("table.csv", table), answers, {});
    EXPECT_TRUE(guessed.has_value()) << (guessed ? "" : guessed.error().message);
    return guessed.value_or(GuessedMap{});
  }

  /// Imports the table as guessed.
  Session imported(const GuessedMap& guessed) {
    const auto report =
        import_table(scratch_ / "table.csv", scratch_.write("map.json", guessed.text),
                     scratch_ / "out.tact", {.overwrite = true}, {});
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message) << guessed.text;
    return std::move(Session::open(scratch_ / "out.tact").value());
  }

  std::string refusal(std::string_view table, const GuessAnswers& answers = {}) {
    const auto guessed = guess_map(scratch_.write("table.csv", table), answers, {});
    EXPECT_FALSE(guessed.has_value());
    return guessed ? "" : guessed.error().message;
  }

  /// "mass [g]" of each column.
  static std::vector<std::string> roles(const GuessedMap& guessed) {
    std::vector<std::string> all;
    for (const auto& column : guessed.columns)
      all.push_back(fmt::format("{} [{}]", column.target, column.unit));
    return all;
  }

  static std::vector<std::string> asked(const GuessedMap& guessed) {
    std::vector<std::string> keys;
    for (const auto& question : guessed.questions) keys.push_back(question.key);
    return keys;
  }

  test_support::ScratchFolder scratch_;
};

}  // namespace tactelier

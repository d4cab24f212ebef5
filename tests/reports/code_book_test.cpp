// Every code that the sources of fits, models and reports raise has its row, and every refusal says
// what would help.
#include "reports/code_book.hpp"

#include <gtest/gtest.h>

#include "tests/paths/paths.hpp"
#include "tests/reports/support/raised_codes.hpp"

namespace tactelier {
namespace {

using sources::RaisedCodes;

std::vector<CodeFact> rows_of(std::span<const CodeFact> book, std::string_view code) {
  std::vector<CodeFact> rows;
  for (const auto& fact : book)
    if (fact.code == code) rows.push_back(fact);
  return rows;
}

void expect_explained(const std::string& folder) {
  const auto book = code_book();
  for (const auto& [code, raised] : sources::raised_codes(paths::source_dir(), folder)) {
    const auto rows = rows_of(book, code);
    EXPECT_FALSE(rows.empty()) << code << " of " << raised.place << " has no row";
    for (const auto& row : rows)
      EXPECT_TRUE(!raised.refuses || row.help.stated())
          << code << " refuses (" << raised.place << ") but its row says of no recording, no "
          << "device and not that there is none";
  }
}

TEST(CodeBook, EveryCodeOfTheFitHasARow) { expect_explained("fitting"); }
TEST(CodeBook, EveryCodeOfTheLibraryHasARow) { expect_explained("libcalib"); }
TEST(CodeBook, EveryCodeOfReportsHasARow) { expect_explained("reports"); }

TEST(CodeBook, EveryRowHasCauseMeaningAndRemedy) {
  for (const auto& fact : code_book()) {
    EXPECT_FALSE(fact.cause.empty()) << fact.code;
    EXPECT_LE(fact.cause.size(), 45u) << fact.code << ": a cell holds a few words";
    EXPECT_TRUE(fact.meaning.size() > 20 && fact.meaning.ends_with('.')) << fact.code;
    EXPECT_TRUE(fact.remedy.size() > 10 && fact.remedy.ends_with('.')) << fact.code;
  }
}

TEST(CodeBook, NoRowIsOfACodeThatNobodyRaises) {
  RaisedCodes raised;
  for (const char* folder : {"fitting", "libcalib", "reports", "app/workflow"})
    raised.merge(sources::raised_codes(paths::source_dir(), folder));
  for (const auto& fact : code_book())
    EXPECT_TRUE(raised.contains(std::string(fact.code))) << fact.code;
}

TEST(CodeBook, TheSourcesAreReadAsACompilerReadsThem) {
  RaisedCodes raised;
  sources::note_codes("x.cpp", R"x(
      // "AB-01 in a comment"
      const char quote = '"';
      warnings.push_back({"AB-02", "text"});
      return "AB-03 words" + other;
      return fmt::format("LOOSE Tactel {}: "
                         "AB-04 no code, the text goes on", 3);
      warnings.push_back({"SPIKES", text});
      execute("DELETE FROM meta WHERE key='x'");
      option("SESSION", "what");
  )x",
                      raised);
  ASSERT_EQ(raised.size(), 4u);
  EXPECT_FALSE(raised.at("AB-02").refuses);
  EXPECT_TRUE(raised.at("AB-03").refuses);
  EXPECT_TRUE(raised.at("LOOSE").refuses);
  EXPECT_FALSE(raised.at("SPIKES").refuses);
}

TEST(CodeBook, ACodeIsPrintedWithWhatHelps) {
  const auto rows = rows_of(code_book(), "DP-05");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(
      help_words(rows[0]),
      "P1: the bare tip on a rigid plate, three presses to the largest force (record --protocol "
      "p1); an encoder on the stage, sampled at 1 kHz or more");
  EXPECT_NE(code_text(rows).find("DP-05  damping or latency\n"), std::string::npos);
}

}  // namespace
}  // namespace tactelier

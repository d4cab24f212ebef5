// The whole book of codes: that of fits, models and reports with the commands' own, and the page
// made of it.
#include "reports/code_book.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "app/workflow/workflow_facts.hpp"
#include "devices/server/rig_facts.hpp"
#include "libcalib/text_file.hpp"
#include "tests/paths/paths.hpp"
#include "tests/reports/support/raised_codes.hpp"

namespace tactelier {
namespace {

std::vector<CodeFact> whole_book() { return code_book(command_tables()); }

TEST(WholeCodeBook, EveryCodeOfCommandsAndWindowHasARow) {
  const auto book = whole_book();
  for (const auto& [code, raised] : sources::raised_codes(paths::source_dir(), "app")) {
    const auto row = std::find_if(book.begin(), book.end(),
                                  [&](const CodeFact& fact) { return fact.code == code; });
    ASSERT_NE(row, book.end()) << code << " of " << raised.place << " has no row";
    EXPECT_TRUE(!raised.refuses || row->help.stated()) << code;
  }
}

TEST(WholeCodeBook, RowsOfTheRigAreTheCodesThatItRaises) {
  const auto raised = sources::raised_codes(paths::source_dir(), "devices");
  const auto rows = rig::rig_facts().codes;
  const auto library = code_book();  // what simulated runs raise as well
  const auto has = [](std::span<const CodeFact> table, const std::string& code) {
    return std::any_of(table.begin(), table.end(),
                       [&](const CodeFact& row) { return row.code == code; });
  };
  for (const auto& [code, where] : raised)
    EXPECT_TRUE(has(rows, code) || has(library, code))
        << code << " of " << where.place << " has no row";
  for (const auto& row : rows) {
    EXPECT_TRUE(raised.contains(std::string(row.code))) << row.code;
    EXPECT_FALSE(row.cause.empty() || row.meaning.empty() || row.remedy.empty()) << row.code;
  }
}

TEST(WholeCodeBook, EveryRowOfACommandIsRaisedByOne) {
  const auto raised = sources::raised_codes(paths::source_dir(), "app");
  for (const auto& row : workflow_facts().codes) {
    EXPECT_TRUE(raised.contains(std::string(row.code))) << row.code;
    EXPECT_FALSE(row.cause.empty() || row.meaning.empty() || row.remedy.empty()) << row.code;
  }
}

TEST(WholeCodeBook, ThePageInTheDocumentationIsUpToDate) {
  const auto page = read_text_file(paths::source_dir() + "/docs/codes.md", 1 << 20);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_TRUE(*page == codes_markdown(whole_book()))
      << "docs/codes.md is stale: tactelier codes --markdown > docs/codes.md";
}

}  // namespace
}  // namespace tactelier

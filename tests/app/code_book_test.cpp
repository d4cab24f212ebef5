// The whole book of codes: that of fits, models and reports with the commands' own, and the page
// made of it.
#include "reports/code_book.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "app/workflow/workflow_facts.hpp"
#include "libcalib/text_file.hpp"
#include "tests/reports/support/raised_codes.hpp"

namespace tactelier {
namespace {

std::vector<CodeFact> whole_book() {
  const std::array<const FactTable*, 1> own{&workflow_facts()};
  return code_book(own);
}

TEST(WholeCodeBook, EveryCodeOfCommandsAndWindowHasARow) {
  const auto book = whole_book();
  for (const auto& [code, raised] : sources::raised_codes(TACTELIER_SOURCE_DIR, "app")) {
    const auto row = std::find_if(book.begin(), book.end(),
                                  [&](const CodeFact& fact) { return fact.code == code; });
    ASSERT_NE(row, book.end()) << code << " of " << raised.place << " has no row";
    EXPECT_TRUE(!raised.refuses || row->help.stated()) << code;
  }
}

TEST(WholeCodeBook, EveryRowOfACommandIsRaisedByOne) {
  const auto raised = sources::raised_codes(TACTELIER_SOURCE_DIR, "app");
  for (const auto& row : workflow_facts().codes) {
    EXPECT_TRUE(raised.contains(std::string(row.code))) << row.code;
    EXPECT_FALSE(row.cause.empty() || row.meaning.empty() || row.remedy.empty()) << row.code;
  }
}

TEST(WholeCodeBook, ThePageInTheDocumentationIsUpToDate) {
  const auto page = read_text_file(std::string(TACTELIER_SOURCE_DIR) + "/docs/codes.md", 1 << 20);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_TRUE(*page == codes_markdown(whole_book()))
      << "docs/codes.md is stale: tactelier codes --markdown > docs/codes.md";
}

}  // namespace
}  // namespace tactelier

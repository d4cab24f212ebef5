// codes

#include <array>

#include "app/cli/commands.hpp"
#include "app/workflow/workflow_facts.hpp"
#include "libcalib/json_check.hpp"
#include "reports/code_book.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

json row_json(const CodeFact& fact) {
  return {{"code", fact.code},       {"path", fact.path},     {"cause", fact.cause},
          {"meaning", fact.meaning}, {"remedy", fact.remedy}, {"record", help_words(fact)}};
}

std::vector<std::string> names_of(std::span<const CodeFact> book) {
  std::vector<std::string> names;
  for (const auto& fact : book)
    if (names.empty() || names.back() != fact.code) names.emplace_back(fact.code);
  return names;
}

}  // namespace

int run_codes(Console& console, const std::string& code, bool markdown) {
  auto book = code_book(command_tables());
  const auto names = names_of(book);
  if (!code.empty()) std::erase_if(book, [&](const CodeFact& fact) { return fact.code != code; });
  if (book.empty())
    return console.fail(
        {ErrorCode::kUsage, fmt::format("there is no code '{}'{}; 'tactelier codes' lists them",
                                        code, did_you_mean(code, names))});
  console.print(markdown ? codes_markdown(book) : code_text(book));
  auto rows = json::array();
  for (const auto& fact : book) rows.push_back(row_json(fact));
  return console.finish({{"codes", rows}}, {});
}

}  // namespace tactelier::cli

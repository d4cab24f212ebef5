#include "reports/code_book.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "fitting/engine/facts.hpp"
#include "reports/protocol_guide.hpp"
#include "reports/report_facts.hpp"

namespace tactelier {
namespace {

/// Of which parameters a row speaks: "stiffness.k*", or "".
std::string paths_of(const CodeFact& fact) {
  return fact.path.empty() ? std::string() : fmt::format("{}*", fact.path);
}

/// The protocol by its number: what is done in it stands once, at the end of the page.
std::string help_in_short(const CodeFact& fact) {
  const auto& [protocol, device, own, none] = fact.help;
  if (protocol.empty()) return help_words(fact);
  return fmt::format("{}{}{}", protocol, device.empty() ? "" : "; ", device);
}

std::string parameters_markdown() {
  std::string text =
      "\n## The parameters\n\nWhat a sensor model holds, and the protocol that each is recorded "
      "by: "
      "*the parameter's own protocol* of the codes above.\n\n"
      "| parameter | symbol | name | unit | meaning | protocol |\n|---|---|---|---|---|---|\n";
  for (const auto* table : fact_tables())
    for (const auto& fact : table->parameters)
      text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", fact.path, fact.symbol, fact.label,
                          fact.unit, fact.meaning, fact.protocol);
  return text;
}

constexpr std::string_view kHeader =
    "# What the codes mean\n\n"
    "Made by `tactelier codes --markdown > docs/codes.md` from the tables beside the code that "
    "raises each of them; `tactelier codes CODE` prints one. A number that a recording doesn't "
    "determine has no value and a reason: a code and words. The same codes warn of what a user "
    "must know although the work went on; a code that only warns has no *record*. Where one code "
    "asks for different recordings it has a row for each, with the paths of the parameters.\n";

}  // namespace

std::vector<CodeFact> code_book(std::span<const FactTable* const> also) {
  std::vector<CodeFact> book;
  const auto add = [&](const FactTable& table) {
    book.insert(book.end(), table.codes.begin(), table.codes.end());
  };
  for (const auto* table : fact_tables()) add(*table);
  add(report_facts());
  for (const auto* table : also) add(*table);
  std::sort(book.begin(), book.end(), [](const CodeFact& a, const CodeFact& b) {
    return std::tie(a.code, a.path) < std::tie(b.code, b.path);
  });
  return book;
}

std::string help_words(const CodeFact& fact) {
  const auto& help = fact.help;
  if (help.none) return "nothing that could be recorded";
  if (help.own_protocol) return "the parameter's own protocol";
  if (help.protocol.empty()) return std::string(help.device);
  return record_words(help.protocol) + (help.device.empty() ? "" : "; ") + std::string(help.device);
}

std::string code_text(std::span<const CodeFact> rows) {
  std::string text;
  for (const auto& fact : rows) {
    text += fmt::format("{}  {}{}\n  {}\n  {}\n", fact.code, fact.cause,
                        fact.path.empty() ? "" : " (" + paths_of(fact) + ")", fact.meaning,
                        fact.remedy);
    if (const auto help = help_words(fact); !help.empty())
      text += fmt::format("  record: {}\n", help);
  }
  return text;
}

std::string codes_markdown(std::span<const CodeFact> book) {
  std::string text(kHeader);
  text += "\n| code | of | what it means | what to do | record |\n|---|---|---|---|---|\n";
  for (const auto& fact : book) {
    text += fmt::format("| {} | {} | *{}.* {} | {} | {} |\n", fact.code,
                        fact.path.empty() ? "" : "`" + paths_of(fact) + "`", fact.cause,
                        fact.meaning, fact.remedy, help_in_short(fact));
  }
  text +=
      "\n## The protocols\n\n`tactelier protocols list --rig RIG.json` says how long each takes on "
      "a rig, `protocols show` what it will tell there.\n\n| protocol | what is done "
      "|\n|---|---|\n";
  for (const auto& protocol : protocol_facts())
    text += fmt::format("| {} | {} |\n", protocol.id,
                        record_words(protocol.id).substr(protocol.id.size() + 2));
  return text + parameters_markdown();
}

}  // namespace tactelier

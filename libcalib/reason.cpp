#include "libcalib/reason.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace tactelier {
namespace {

/// "RS-06", "NOT-FITTED", "GAP": capitals, digits and dashes.
bool is_code(std::string_view word) {
  return word.size() > 2 && std::all_of(word.begin(), word.end(), [](char c) {
           return c == '-' || std::isupper(static_cast<unsigned char>(c)) ||
                  std::isdigit(static_cast<unsigned char>(c));
         });
}

}  // namespace

Reason reason_of(std::string_view text) {
  const auto space = std::min(text.find(' '), text.size());
  auto code = text.substr(0, space);
  if (code.ends_with(':')) code.remove_suffix(1);
  if (!is_code(code)) return {{}, std::string(text)};
  return {std::string(code), std::string(text.substr(std::min(space + 1, text.size())))};
}

bool has_code(std::string_view reason, std::string_view code) {
  return reason_of(reason).code == code;
}

Warning warning_of(std::string_view reason, std::string where) {
  auto [code, words] = reason_of(reason);
  return {std::move(code), std::move(words), std::move(where)};
}

}  // namespace tactelier

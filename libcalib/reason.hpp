#pragma once
// Why there is no number, or why to doubt one: a code and words. Files hold both in one text,
// "RS-06 no unloading branch ..."; this is the one place that takes such a text apart.

#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier {

struct Reason {
  std::string code;   // "RS-06"; "" when the text begins with none
  std::string words;  // the text without its code
};

/// "RS-06 words" or "RS-06: words", as errors are passed on with a code in front.
Reason reason_of(std::string_view text);

/// Whether its code is `code`.
bool has_code(std::string_view reason, std::string_view code);

/// The same as a warning; `where` names file, press or tactel.
Warning warning_of(std::string_view reason, std::string where);

}  // namespace tactelier

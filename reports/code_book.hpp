#pragma once
// Every reason code in one list, for people to look up: as text, and as docs/codes.md.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/facts.hpp"

namespace tactelier {

/// The rows of fits, models, reports and `also`, by code; those for any parameter first.
std::vector<CodeFact> code_book(std::span<const FactTable* const> also = {});

/// "P4: a flat plate larger than the array, seven loads", "an encoder on the stage ...", "the
/// parameter's own protocol", "nothing that could be recorded"; "" for a warning, which lacks
/// nothing.
std::string help_words(const CodeFact& fact);

/// The rows of one code, each in a few lines.
std::string code_text(std::span<const CodeFact> rows);
/// docs/codes.md.
std::string codes_markdown(std::span<const CodeFact> book);

}  // namespace tactelier

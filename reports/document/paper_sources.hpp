#pragma once
// The works that the methods of a fit come from, as a paper cites them (docs/theory/README.md).

#include <string_view>
#include <vector>

namespace tactelier {

struct PaperSource {
  std::string_view key;     // "canudas1995"
  std::string_view bibtex;  // the whole entry
};

/// nullptr for an unknown key.
const PaperSource* paper_source(std::string_view key);

struct StageMethod {
  std::string_view stage;
  std::string_view sentence;  // LaTeX, with its \cite
  std::vector<std::string_view> keys;
};

/// nullptr for a stage that a paper need not tell.
const StageMethod* stage_method(std::string_view stage);

}  // namespace tactelier

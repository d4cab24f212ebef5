#pragma once
// What each stage of a fit does, by which equation, and where that is explained: for readers of a
// report who have never seen the program.

#include <string_view>
#include <vector>

namespace tactelier {

struct StageWords {
  std::string_view id;    // as in stages()
  std::string_view what;  // sentences
  std::vector<std::string_view> equations;
  std::string_view page;  // "docs/theory/response.md 1"
};

/// nullptr for an unknown stage.
const StageWords* stage_words(std::string_view stage);

}  // namespace tactelier

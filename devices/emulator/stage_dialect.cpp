#include "devices/emulator/stage_dialect.hpp"

#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "libcalib/json_check.hpp"

namespace tactelier::devices {

Result<StageDialect> parse_stage_dialect(std::string_view word) {
  const std::vector<std::string> words{"grbl", "grblhal", "fluidnc", "marlin", "zaber"};
  if (word == "marlin") return StageDialect::of_marlin();
  if (word == "zaber") return StageDialect::of_zaber();
  for (std::size_t i = 0; i < 3; ++i)
    if (words[i] == word) return StageDialect(static_cast<GrblDialect>(i));
  return fail(ErrorCode::kUsage, "no firmware of a stage is called '{}'{}; there are {}", word,
              did_you_mean(word, words), fmt::join(words, ", "));
}

}  // namespace tactelier::devices

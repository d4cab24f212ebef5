#include "libcalib/resources.hpp"

namespace tactelier {

std::optional<std::string_view> resource(std::string_view name) {
  for (const auto& candidate : resources())
    if (candidate.name == name) return candidate.text;
  return std::nullopt;
}

}  // namespace tactelier

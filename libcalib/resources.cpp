#include "libcalib/resources.hpp"

#include <algorithm>

namespace tactelier {

std::optional<std::string_view> resource(std::string_view name) {
  for (const auto& candidate : resources())
    if (candidate.name == name) return candidate.text;
  return std::nullopt;
}

std::vector<std::string> shipped_names(std::string_view folder) {
  constexpr std::string_view kEnding = ".json";
  const auto begin = std::string(folder) + "/";
  std::vector<std::string> names;
  for (const auto& entry : resources()) {
    auto name = entry.name;
    if (!name.starts_with(begin) || !name.ends_with(kEnding)) continue;
    name.remove_prefix(begin.size());
    name.remove_suffix(kEnding.size());
    names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace tactelier

#pragma once
// Data files that travel inside the program (schemas, sensor descriptions), so that it finds them
// wherever it is installed. The list is made by the build from data/ (cmake/embed.cmake).

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tactelier {

struct Resource {
  std::string_view name;  // path below data/, e.g. "sensors/weiss-wts0614.json"
  std::string_view text;
};

/// All embedded files, in the order of their names.
std::span<const Resource> resources();

/// The text of one embedded file; nothing when there is none of that name.
std::optional<std::string_view> resource(std::string_view name);

/// Names of the embedded .json files of one folder without folder and ending, sorted:
/// "sensors" -> "weiss-wts0614", ...
std::vector<std::string> shipped_names(std::string_view folder);

}  // namespace tactelier

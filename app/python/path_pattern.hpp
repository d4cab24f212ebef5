#pragma once
// Paths of a model's parameters with '*' for any index or name:
// "response.tactels[*].press_gain".

#include <string>
#include <string_view>

namespace tactelier::python {

class PathPattern {
 public:
  explicit PathPattern(std::string pattern) : pattern_(std::move(pattern)) {}

  bool matches(std::string_view path) const { return matches(pattern_, path); }

 private:
  /// A star takes no dot and no bracket, so that it never reaches into another member.
  static bool matches(std::string_view pattern, std::string_view path) {
    if (pattern.empty()) return path.empty();
    if (pattern.front() != '*')
      return !path.empty() && path.front() == pattern.front() &&
             matches(pattern.substr(1), path.substr(1));
    if (matches(pattern.substr(1), path)) return true;
    const bool ends =
        path.empty() || path.front() == '.' || path.front() == '[' || path.front() == ']';
    return !ends && matches(pattern, path.substr(1));
  }

  std::string pattern_;
};

}  // namespace tactelier::python

#pragma once
// What a user assumes of a model, in the words of the workflow.

#include <string>
#include <vector>

#include "app/python/objects.hpp"

namespace tactelier::python {

/// {"friction.mu_s": 0.4} as the command line's PATH=VALUE, in the same order.
inline std::vector<std::string> assumptions_of(const py::dict& assume) {
  std::vector<std::string> assumptions;
  for (const auto& [path, value] : assume)
    assumptions.push_back(fmt::format("{}={}", path.cast<std::string>(), value.cast<double>()));
  return assumptions;
}

}  // namespace tactelier::python

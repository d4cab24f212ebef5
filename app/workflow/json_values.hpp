#pragma once
// What may be missing, as --json prints it.

#include <nlohmann/json.hpp>
#include <optional>

namespace tactelier {

template <class T>
nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

}  // namespace tactelier

#pragma once
// Reading from a JSON object that its schema has already checked: null counts as missing.
// For .cpp files only.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tactelier {

/// The member, nullptr when missing or null.
inline const nlohmann::json* get_member(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

inline std::optional<double> get_number(const nlohmann::json& object, const char* key) {
  const auto* member = get_member(object, key);
  return member != nullptr ? std::optional(member->get<double>()) : std::nullopt;
}

inline std::optional<int> get_int(const nlohmann::json& object, const char* key) {
  const auto* member = get_member(object, key);
  return member != nullptr ? std::optional(member->get<int>()) : std::nullopt;
}

inline std::string get_text(const nlohmann::json& object, const char* key,
                            const char* otherwise = "") {
  const auto* member = get_member(object, key);
  return member != nullptr ? member->get<std::string>() : otherwise;
}

}  // namespace tactelier

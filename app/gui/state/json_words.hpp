#pragma once
// Reading what another program sent: a member of another type counts as missing.
// For .cpp files only.

#include <QString>
#include <nlohmann/json.hpp>

namespace tactelier::gui {

inline const nlohmann::json* memberIn(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

inline QString textIn(const nlohmann::json& object, const char* key) {
  const auto* member = memberIn(object, key);
  return member != nullptr && member->is_string()
             ? QString::fromStdString(member->get<std::string>())
             : QString();
}

inline double numberIn(const nlohmann::json& object, const char* key) {
  const auto* member = memberIn(object, key);
  return member != nullptr && member->is_number() ? member->get<double>() : 0;
}

inline bool yesIn(const nlohmann::json& object, const char* key) {
  const auto* member = memberIn(object, key);
  return member != nullptr && member->is_boolean() && member->get<bool>();
}

}  // namespace tactelier::gui

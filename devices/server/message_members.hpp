#pragma once
// How rig_messages.hpp reads what another program sent: a member of another type counts as missing.
// Tables of words stand for enums on the wire. For .cpp files only.

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tactelier::rig::messages {

template <class Kind, std::size_t n>
using Words = std::array<std::pair<Kind, std::string_view>, n>;

/// Every kind has a word.
template <class Kind, std::size_t n>
std::string_view word_of(const Words<Kind, n>& words, Kind kind) {
  return std::find_if(words.begin(), words.end(),
                      [&](const auto& one) { return one.first == kind; })
      ->second;
}

template <class Kind, std::size_t n>
std::optional<Kind> kind_of(const Words<Kind, n>& words, std::string_view word) {
  const auto found =
      std::find_if(words.begin(), words.end(), [&](const auto& one) { return one.second == word; });
  return found == words.end() ? std::nullopt : std::optional(found->first);
}

/// nullptr when missing or null.
inline const nlohmann::json* member(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

template <class T>
bool holds(const nlohmann::json& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value.is_boolean();
  else if constexpr (std::is_integral_v<T>)
    return value.is_number_integer();
  else if constexpr (std::is_floating_point_v<T>)
    return value.is_number();
  else
    return value.is_string();
}

template <class T>
std::optional<T> maybe(const nlohmann::json& object, const char* key) {
  const auto* value = member(object, key);
  return value != nullptr && holds<T>(*value) ? std::optional(value->get<T>()) : std::nullopt;
}

/// `into` stays as it is where there is nothing to take.
template <class T>
void take(const nlohmann::json& object, const char* key, T& into) {
  if (auto value = maybe<T>(object, key)) into = std::move(*value);
}

inline std::string text_in(const nlohmann::json& object, const char* key) {
  return maybe<std::string>(object, key).value_or("");
}

inline std::optional<std::array<double, 3>> three_in(const nlohmann::json& object,
                                                     const char* key) {
  const auto* list = member(object, key);
  if (list == nullptr || !list->is_array() || list->size() != 3) return std::nullopt;
  if (!std::all_of(list->begin(), list->end(), [](const auto& x) { return x.is_number(); }))
    return std::nullopt;
  return list->get<std::array<double, 3>>();
}

template <class T>
nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

inline std::array<double, 3> scaled(std::array<double, 3> three, double (*convert)(double)) {
  for (auto& one : three) one = convert(one);
  return three;
}

}  // namespace tactelier::rig::messages

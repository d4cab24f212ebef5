#include "libcalib/schema_explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "libcalib/json_check.hpp"

namespace tactelier {
namespace {

using nlohmann::json;
using Problem = std::optional<SchemaProblem>;

std::string shown(const json& value) {
  auto text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  constexpr std::size_t kMost = 60;
  if (text.size() > kMost) {
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    text = text.substr(0, end) + "...";
  }
  return text;
}

std::string with_article(std::string_view type) {
  if (type == "null") return "null";
  if (type == "array") return "a list";
  if (type == "boolean") return "true or false";
  return fmt::format("{} {}", type == "integer" || type == "object" ? "an" : "a", type);
}

std::string found(const json& value) {
  if (value.is_object()) return "found an object";
  if (value.is_array()) return "found a list";
  return "found " + shown(value);
}

bool has_type(const json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

std::vector<std::string> types_of(const json& schema) {
  const auto type = schema.find("type");
  if (type == schema.end()) return {};
  if (type->is_string()) return {type->get<std::string>()};
  return type->get<std::vector<std::string>>();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

class Explainer {
 public:
  explicit Explainer(const json& root) : root_(root) {}

  Problem value(const json& document, const json& schema, const std::string& path) {
    if (schema.is_boolean()) {
      if (schema.get<bool>()) return std::nullopt;
      return SchemaProblem{path, "is not allowed here"};
    }
    if (schema.contains("$ref")) {
      const auto* target = resolve(schema);
      if (target == nullptr) return SchemaProblem{path, "its schema is missing"};
      return value(document, *target, path);
    }
    if (auto problem = type(document, schema, path)) return problem;
    if (auto problem = choice(document, schema, path)) return problem;
    if (auto problem = number(document, schema, path)) return problem;
    if (auto problem = text(document, schema, path)) return problem;
    if (document.is_object())
      if (auto problem = object(document, schema, path)) return problem;
    if (document.is_array())
      if (auto problem = list(document, schema, path)) return problem;
    return combined(document, schema, path);
  }

 private:
  const json* resolve(const json& schema) const {
    if (!schema.is_object() || !schema.contains("$ref")) return &schema;
    const json::json_pointer pointer(schema["$ref"].get<std::string>().substr(1));
    return root_.contains(pointer) ? &root_.at(pointer) : nullptr;
  }

  static Problem type(const json& document, const json& schema, const std::string& path) {
    const auto types = types_of(schema);
    const bool fits = std::any_of(types.begin(), types.end(),
                                  [&](const auto& name) { return has_type(document, name); });
    if (types.empty() || fits) return std::nullopt;
    std::vector<std::string> words;
    for (const auto& name : types) words.push_back(with_article(name));
    return SchemaProblem{path, fmt::format("expected {}, {}", joined(words), found(document))};
  }

  static Problem choice(const json& document, const json& schema, const std::string& path) {
    if (schema.contains("const") && document != schema["const"])
      return SchemaProblem{path,
                           fmt::format("expected {}, {}", shown(schema["const"]), found(document))};
    if (!schema.contains("enum")) return std::nullopt;
    const auto& allowed = schema["enum"];
    if (std::find(allowed.begin(), allowed.end(), document) != allowed.end()) return std::nullopt;
    std::vector<std::string> words;
    std::vector<std::string> names;
    for (const auto& option : allowed) {
      words.push_back(shown(option));
      if (option.is_string()) names.push_back(option.get<std::string>());
    }
    const auto hint = document.is_string() ? did_you_mean(document.get<std::string>(), names) : "";
    return SchemaProblem{path,
                         fmt::format("expected {}, {}{}", joined(words), found(document), hint)};
  }

  static Problem number(const json& document, const json& schema, const std::string& path) {
    if (!document.is_number()) return std::nullopt;
    const auto x = document.get<double>();
    const auto bound = [&](const char* key, auto fits, std::string_view words) -> Problem {
      const auto limit = schema.find(key);
      if (limit == schema.end() || fits(x, limit->get<double>())) return std::nullopt;
      return SchemaProblem{path,
                           fmt::format("must be {} {}, {}", words, limit->dump(), found(document))};
    };
    if (auto problem = bound("minimum", std::greater_equal<>(), "at least")) return problem;
    if (auto problem = bound("maximum", std::less_equal<>(), "at most")) return problem;
    if (auto problem = bound("exclusiveMinimum", std::greater<>(), "more than")) return problem;
    return bound("exclusiveMaximum", std::less<>(), "less than");
  }

  static Problem text(const json& document, const json& schema, const std::string& path) {
    if (!document.is_string()) return std::nullopt;
    const auto& text = document.get_ref<const std::string&>();
    if (text.size() < schema.value("minLength", std::size_t{0}))
      return SchemaProblem{path, "must not be empty"};
    const auto letters =
        static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
          return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
        }));
    const auto most = schema.value("maxLength", letters);
    if (letters > most)
      return SchemaProblem{path,
                           fmt::format("must have at most {} characters, found {}", most, letters)};
    return std::nullopt;
  }

  Problem object(const json& document, const json& schema, const std::string& path) {
    static const json kNone = json::object();
    const auto& properties = schema.contains("properties") ? schema["properties"] : kNone;
    if (auto problem = unknown_key(document, schema, properties, path)) return problem;
    for (const auto& key : schema.value("required", json::array()))
      if (!document.contains(key.get<std::string>()))
        return SchemaProblem{path, fmt::format("key '{}' is missing{}", key.get<std::string>(),
                                               meaning(properties, key.get<std::string>()))};
    if (document.size() < schema.value("minProperties", std::size_t{0}))
      return SchemaProblem{path, "must not be empty"};
    for (const auto& [key, member] : document.items()) {
      const auto here = path.empty() ? key : path + "." + key;
      if (properties.contains(key)) {
        if (auto problem = value(member, properties[key], here)) return problem;
      } else if (schema.contains("additionalProperties")) {
        if (auto problem = value(member, schema["additionalProperties"], here)) return problem;
      }
    }
    return std::nullopt;
  }

  /// " (distance between columns)": what the schema says of a key, first sentence.
  static std::string meaning(const json& properties, const std::string& key) {
    if (!properties.contains(key) || !properties[key].is_object()) return "";
    auto text = properties[key].value("description", "");
    if (text.empty()) return "";
    return fmt::format(" ({})",
                       text.substr(0, std::min(text.find(". "), text.find_last_not_of('.') + 1)));
  }

  static Problem unknown_key(const json& document, const json& schema, const json& properties,
                             const std::string& path) {
    const auto additional = schema.find("additionalProperties");
    if (additional == schema.end() || *additional != false) return std::nullopt;
    std::vector<std::string> known;
    for (const auto& [key, ignored] : properties.items()) known.push_back(key);
    for (const auto& [key, ignored] : document.items()) {
      if (properties.contains(key)) continue;
      auto hint = did_you_mean(key, known);
      if (hint.empty() && !known.empty() && known.size() <= 12)
        hint = "; known are " + joined(known);
      return SchemaProblem{path, fmt::format("unknown key '{}'{}", key, hint)};
    }
    return std::nullopt;
  }

  Problem list(const json& document, const json& schema, const std::string& path) {
    const auto least = schema.value("minItems", std::size_t{0});
    const auto most = schema.value("maxItems", document.size());
    if (document.size() < least || document.size() > most)
      return SchemaProblem{path,
                           fmt::format("expected {} {} entries, found {}",
                                       least == most             ? "exactly"
                                       : document.size() < least ? "at least"
                                                                 : "at most",
                                       document.size() < least ? least : most, document.size())};
    if (!schema.contains("items")) return std::nullopt;
    const auto& items = schema["items"];
    for (std::size_t i = 0; i < document.size(); ++i) {
      if (items.is_array() && i >= items.size()) break;
      const auto& item = items.is_array() ? items[i] : items;
      if (auto problem = value(document[i], item, fmt::format("{}[{}]", path, i))) return problem;
    }
    return std::nullopt;
  }

  Problem combined(const json& document, const json& schema, const std::string& path) {
    if (schema.contains("allOf"))
      for (const auto& part : schema["allOf"])
        if (auto problem = value(document, part, path)) return problem;
    for (const char* key : {"oneOf", "anyOf"})
      if (schema.contains(key))
        if (auto problem = alternatives(document, schema[key], path)) return problem;
    if (!schema.contains("if")) return std::nullopt;
    const bool holds = !value(document, schema["if"], path);
    const char* branch = holds ? "then" : "else";
    if (!schema.contains(branch)) return std::nullopt;
    return value(document, schema[branch], path);
  }

  /// The alternative that came furthest is the one that was meant.
  Problem alternatives(const json& document, const json& options, const std::string& path) {
    Problem deepest;
    std::vector<std::string> types;
    bool right_type = false;
    for (const auto& option : options) {
      auto problem = value(document, option, path);
      if (!problem) return std::nullopt;
      const auto* resolved = resolve(option);
      const auto names = resolved != nullptr ? types_of(*resolved) : std::vector<std::string>{};
      const bool fits = names.empty() || std::any_of(names.begin(), names.end(), [&](auto& name) {
                          return has_type(document, name);
                        });
      for (const auto& name : names) types.push_back(with_article(name));
      if (fits && (!deepest || problem->path.size() > deepest->path.size())) deepest = problem;
      right_type = right_type || fits;
    }
    if (right_type) return deepest;
    return SchemaProblem{path, fmt::format("expected {}, {}", joined(types), found(document))};
  }

  const json& root_;
};

}  // namespace

std::optional<SchemaProblem> explain(const json& document, const json& schema) {
  return Explainer(schema).value(document, schema, "");
}

}  // namespace tactelier

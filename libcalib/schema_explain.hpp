#pragma once
// Why a document fails its schema, in the words of its author: "arrays[1].pitch_x_mm: must be more
// than 0, found -3.4". Understands the part of JSON Schema draft 7 that our schemas use.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace tactelier {

struct SchemaProblem {
  std::string path;  // "arrays[1].pitch_x_mm", "" for the document itself
  std::string text;
};

/// The first reason why `document` fails `schema` (references stay inside it); nothing when none is
/// found.
std::optional<SchemaProblem> explain(const nlohmann::json& document, const nlohmann::json& schema);

}  // namespace tactelier

#pragma once
// One way to check any JSON text of ours: parse with limits, find the schema, validate, and say
// what is wrong where. Used for sessions, events, maps, sensors, models, edits of the command line.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier {

/// Parses JSON text (UTF-8, a BOM is allowed). Fails with kInvalidInput and "WHERE: line 3, column
/// 14: ..." on broken JSON, UTF-16, NUL bytes, nesting deeper than 64, a key twice, numbers beyond
/// double. `where` is a file name or a place in one.
Result<nlohmann::json> parse_json(std::string_view text, std::string_view where);

/// Validates against data/schemas/SCHEMA.schema.json. Messages name the path and what was expected;
/// an unknown key is refused by name with "did you mean 'rows'?". A schema may refer to another by
/// "$ref": "indenter.schema.json" or "sensor.schema.json#/definitions/description".
Result<void> check_schema(const nlohmann::json& document, std::string_view schema,
                          std::string_view where);

/// Fails unless `document` is an object of this format and version; a newer version is named
/// together with the one understood. Comes before check_schema(), so that a wrong file is called a
/// wrong file.
Result<void> check_format(const nlohmann::json& document, std::string_view format, int version,
                          std::string_view where);

/// " (did you mean 'rows'?)" when one of `known` is close to `word`, else "".
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

/// Sorted keys, no spaces, shortest numbers: the form that is stored and hashed.
std::string canonical(const nlohmann::json& document);

}  // namespace tactelier

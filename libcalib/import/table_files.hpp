#pragma once
// Which tables one import reads: a single one, or those of a folder whose names fit the map's
// pattern, such as "{mass}g_{press}.csv". What stands at the places in braces is then known of each
// table and can be used in constants and events.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

/// What the name of a file says: {"mass": "700", "press": "3"}.
using FileWords = std::map<std::string, std::string>;

/// {NAME} stands for one character or more, as few as fit, and * for any number. Nothing when the
/// name does not fit.
std::optional<FileWords> match_file_name(std::string_view pattern, std::string_view name);

/// Puts words in the places of their {NAME}; fails on a name that nobody gives, saying which there
/// are.
Result<std::string> fill_in(std::string_view text, const FileWords& words);

struct TableFile {
  std::filesystem::path path;
  std::string name;  // without its folder: what messages call it
  FileWords words = {};
  std::optional<char> delimiter = {};  // where it is not the map's
  std::uint64_t header_line = 1;       // in the file as it came, by which messages count; 0: none
};

/// `source` itself, or the files right inside a folder that fit, in the order of their names with
/// numbers as numbers ("2.csv" before "10.csv"). An empty pattern takes every .csv, .tsv
/// and .txt and the formats of formats/table_formats.hpp.
/// Fails when nothing fits.
Result<std::vector<TableFile>> find_tables(const std::filesystem::path& source,
                                           std::string_view pattern);

}  // namespace tactelier

#pragma once
// compare --require-record: the verification record (docs/newtons.md) that a reader of simulated
// forces asks for by name before it calls them newtons.

#include <filesystem>
#include <string>

#include "libcalib/result.hpp"

namespace tactelier {

struct RequiredRecord {
  std::string name;
  std::filesystem::path file;
};

/// Looks for it in the JSON files of the model's folder and of the current one. Fails with
/// kUnidentifiable where none of this name is there, it is about another model than this file's, or
/// the exported pad did not pass; the message says which.
Result<RequiredRecord> require_record(const std::string& name, const std::filesystem::path& model);

}  // namespace tactelier

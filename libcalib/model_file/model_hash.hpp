#pragma once
// Which model it was: the name by which exports and records of simulations refer to it.

#include <filesystem>
#include <string>
#include <string_view>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// SHA-256 of the model's file as write_model() writes it, 64 hexadecimal digits: what sha256sum
/// says of `tactelier export MODEL --to json`. Assumptions change it.
std::string model_hash(const SensorModel& model);
/// The same of any text.
std::string text_hash(std::string_view text);
/// The same of a file's bytes. Fails with kIo.
Result<std::string> file_hash(const std::filesystem::path& file);

}  // namespace tactelier

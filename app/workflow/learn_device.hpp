#pragma once
// tactelier devices learn: listens to an unknown board and proposes a description of its frames.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "devices/learn/learn.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

struct LearnRequest {
  std::string port;  // "/dev/ttyUSB0", or a URL for open_link()
  int baud = 115200;
  double seconds = 5;
  std::string send;  // what makes it stream, as in a description: "'S'", "F0 C4"
  std::optional<int> rows, columns;
  std::optional<std::filesystem::path> target;  // the description goes there
};

/// Fails as the link and learn_frames() do; nothing is written then.
Result<devices::Learned> learn_device(const LearnRequest& request, const Job& job);

/// As --json has it: description, findings, frames, explained.
nlohmann::json learned_json(const devices::Learned& learned);
/// What could not be known.
Warnings doubts_of(const devices::Learned& learned, const LearnRequest& request);

}  // namespace tactelier

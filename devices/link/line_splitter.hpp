#pragma once
// Bytes of a stream into lines of text, for controllers that talk in lines.

#include <optional>
#include <string>
#include <vector>

#include "devices/link/link.hpp"

namespace tactelier::devices {

/// Lines end with LF, CRs are left out; one longer than 1 KiB is noise and dropped.
class LineSplitter {
 public:
  void add(ByteView bytes);
  /// The next whole line without its end and the blanks around it, empty ones left out.
  std::optional<std::string> next();

 private:
  std::string rest_;
  std::vector<std::string> lines_;  // newest first
};

/// Without the blanks at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace tactelier::devices

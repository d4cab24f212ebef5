#pragma once
// Sizes of files as people read them.

#include <fmt/format.h>

#include <string>

namespace tactelier::cli {

inline std::string bytes_text(double bytes) {
  if (bytes >= 1 << 20) return fmt::format("{:.1f} MiB", bytes / (1 << 20));
  if (bytes >= 1 << 10) return fmt::format("{:.1f} KiB", bytes / (1 << 10));
  return fmt::format("{:.0f} bytes", bytes);
}

}  // namespace tactelier::cli

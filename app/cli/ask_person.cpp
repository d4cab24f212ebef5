#include "app/cli/ask_person.hpp"

#include <unistd.h>

#include <charconv>
#include <iostream>

namespace tactelier::cli {

bool agrees(std::string_view question) {
  if (::isatty(STDIN_FILENO) != 1) return false;
  std::cerr << question << " [y/N] " << std::flush;
  std::string line;
  return std::getline(std::cin, line) && (line == "y" || line == "Y" || line == "yes");
}

bool may_move() { return agrees("The rig will move. Is it free, and is nobody's hand in it?"); }

Error unconfirmed() {
  return {ErrorCode::kUsage,
          "nothing moves unless somebody says so: answer y on a terminal, or give --yes"};
}

Result<std::optional<double>> ask_person(const std::string& text, const std::string& key) {
  if (::isatty(STDIN_FILENO) != 1)
    return fail(ErrorCode::kUsage, "'{}': nobody is there to answer; give --answers", text);
  std::cerr << '\n'
            << text << (key.empty() ? " [Enter] " : fmt::format(" {}: ", key)) << std::flush;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (key.empty()) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error == std::errc() && end == line.data() + line.size()) return value;
    std::cerr << "a number, please: " << std::flush;
  }
  return fail(ErrorCode::kCancelled, "no answer");
}

}  // namespace tactelier::cli

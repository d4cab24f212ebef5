#pragma once
// The device's end of a pseudo-terminal, made without any code of ours.

#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <string>

namespace tactelier::devices {

class PseudoTerminal {
 public:
  PseudoTerminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) ::abort();
    path_ = ::ptsname(master_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;
  ~PseudoTerminal() { close(); }

  const std::string& path() const { return path_; }
  void close() {
    if (master_ >= 0) ::close(master_);
    master_ = -1;
  }
  void write(const std::string& text) const {
    if (::write(master_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) ::abort();
  }
  /// Blocks until `size` bytes have come.
  std::string read(std::size_t size) const {
    std::string text(size, '\0');
    for (std::size_t have = 0; have < size;) {
      const auto got = ::read(master_, text.data() + have, size - have);
      if (got <= 0) ::abort();
      have += static_cast<std::size_t>(got);
    }
    return text;
  }
  termios settings() const {
    termios now{};
    if (::tcgetattr(master_, &now) != 0) ::abort();
    return now;
  }

 private:
  int master_;
  std::string path_;
};

}  // namespace tactelier::devices

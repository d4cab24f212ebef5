#pragma once
// Reading and writing a file descriptor with a timeout: what all links share.

#include <atomic>
#include <span>
#include <string>
#include <string_view>

#include "devices/link/link.hpp"

namespace tactelier::devices {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int get() const { return number_; }
  bool valid() const { return number_ >= 0; }
  int release();

 private:
  int number_ = -1;
};

/// The system's words for errno, "Permission denied".
std::string system_message(int error_number);

/// The error for a device that has never said a byte, with what helps. `cause`: the system's words;
/// may be empty.
tl::unexpected<Error> nothing_answers(const std::string& place, std::string_view cause);

/// The error for a hang-up: of a device that was heard and is gone, or of one that never was there.
tl::unexpected<Error> hung_up(const std::string& place, bool heard);

/// Waits for `events` (POLLIN, POLLOUT) and goes on after signals. Fails with kTimeout; with kIo
/// when the descriptor hung up and nothing is left to read.
Result<void> wait_for(int descriptor, short events, Timeout timeout, const std::string& place,
                      bool heard = true);

/// A stream of bytes through one descriptor: serial port, pseudo-terminal, TCP.
class StreamLink : public Link {
 public:
  StreamLink(Descriptor descriptor, std::string url)
      : descriptor_(std::move(descriptor)), url_(std::move(url)) {}

  Result<Received> receive(std::span<std::uint8_t> into, Timeout timeout) override;
  Result<void> send(ByteView bytes, Timeout timeout) override;
  const std::string& url() const override { return url_; }
  HostClock& clock() const override { return steady_host_clock(); }

 private:
  Descriptor descriptor_;
  std::string url_;
  std::atomic<bool> heard_ = false;  // a byte has come; stops are sent by other threads
};

}  // namespace tactelier::devices

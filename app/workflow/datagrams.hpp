#pragma once
// Text as UDP datagrams to one receiver, which may come and go.

#include <memory>
#include <string>
#include <string_view>

#include "devices/link/link.hpp"

namespace tactelier {

/// The most that an IPv4 datagram holds.
constexpr std::size_t kLargestDatagram = 65507;

class Datagrams {
 public:
  /// `place`: HOST:PORT. Fails with kUsage when it is none, with kIo when the host isn't known.
  static Result<Datagrams> to(const std::string& place);

  /// One datagram. Never waits for the receiver; a datagram that nobody takes is counted.
  void send(std::string_view text);
  std::int64_t sent() const { return sent_; }
  std::int64_t refused() const { return refused_; }

 private:
  std::unique_ptr<devices::Link> link_;
  std::int64_t sent_ = 0, refused_ = 0;
};

}  // namespace tactelier

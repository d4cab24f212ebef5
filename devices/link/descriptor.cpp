#include "devices/link/descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace tactelier::devices {
namespace {

bool only_for_now(int error) { return error == EAGAIN || error == EINTR; }

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    if (valid()) ::close(number_);
    number_ = other.release();
  }
  return *this;
}

Descriptor::~Descriptor() {
  if (valid()) ::close(number_);
}

int Descriptor::release() { return std::exchange(number_, -1); }

tl::unexpected<Error> nothing_answers(const std::string& place, std::string_view cause) {
  return fail(ErrorCode::kIo, "nothing answers at {}{}{}{}: check power, cable and address", place,
              cause.empty() ? "" : " (", cause, cause.empty() ? "" : ")");
}

tl::unexpected<Error> hung_up(const std::string& place, bool heard) {
  if (!heard) return nothing_answers(place, "it closed without a byte");
  return fail(ErrorCode::kIo, "{}: the other end is gone (unplugged, switched off or closed)",
              place);
}

std::string system_message(int error_number) {
  return std::generic_category().message(error_number);
}

Result<void> wait_for(int descriptor, short events, Timeout timeout, const std::string& place,
                      bool heard) {
  auto& clock = steady_host_clock();
  const auto deadline_ns = clock.now_ns() + to_ns(timeout);
  while (true) {
    const auto left_ns = std::max<std::int64_t>(0, deadline_ns - clock.now_ns());
    const timespec left{left_ns / 1'000'000'000, left_ns % 1'000'000'000};
    pollfd waiting{descriptor, events, 0};
    const int ready = ::ppoll(&waiting, 1, &left, nullptr);
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return fail(ErrorCode::kIo, "{}: {}", place, system_message(errno));
    if (ready == 0)
      return fail(ErrorCode::kTimeout, "{}: no {} within {} ms", place,
                  events == POLLIN ? "data" : "room to send", timeout.count());
    if ((waiting.revents & events) != 0) return {};
    return hung_up(place, heard);
  }
}

Result<Received> StreamLink::receive(std::span<std::uint8_t> into, Timeout timeout) {
  const auto deadline_ns = clock().now_ns() + to_ns(timeout);
  while (true) {
    const auto left = time_left(deadline_ns, clock().now_ns());
    if (auto ready = wait_for(descriptor_.get(), POLLIN, left, url_, heard_); !ready)
      return fail(ready.error());
    const auto size = ::read(descriptor_.get(), into.data(), into.size());
    if (size > 0) heard_ = true;
    if (size > 0) return Received{static_cast<std::size_t>(size), clock().now_ns(), 0};
    if (size == 0) return hung_up(url_, heard_);
    if (only_for_now(errno)) continue;
    if (errno == EIO || errno == ECONNRESET || errno == ENXIO) return hung_up(url_, heard_);
    return fail(ErrorCode::kIo, "{}: {}", url_, system_message(errno));
  }
}

Result<void> StreamLink::send(ByteView bytes, Timeout timeout) {
  const auto deadline_ns = clock().now_ns() + to_ns(timeout);
  while (!bytes.empty()) {
    auto sent = ::send(descriptor_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == ENOTSOCK)
      sent = ::write(descriptor_.get(), bytes.data(), bytes.size());
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    } else if (sent < 0 && !only_for_now(errno)) {
      if (errno == EIO || errno == EPIPE || errno == ECONNRESET || errno == ENXIO)
        return hung_up(url_, heard_);
      return fail(ErrorCode::kIo, "{}: {}", url_, system_message(errno));
    } else {
      const auto left = time_left(deadline_ns, clock().now_ns());
      if (auto ready = wait_for(descriptor_.get(), POLLOUT, left, url_, heard_); !ready)
        return ready;
    }
  }
  return {};
}

Result<void> discard_input(Link& link, Timeout quiet, Timeout most) {
  Bytes bin(4096);
  const auto deadline_ns = link.clock().now_ns() + to_ns(most);
  while (link.clock().now_ns() < deadline_ns) {
    const auto got = link.receive(bin, quiet);
    if (got || got.error().code == ErrorCode::kProtocol) continue;
    if (got.error().code == ErrorCode::kTimeout) return {};
    return fail(got.error());
  }
  return {};
}

}  // namespace tactelier::devices

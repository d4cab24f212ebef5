#include "devices/xela/socketcan.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

static_assert(std::endian::native == std::endian::little, "ids are read as they lie");

constexpr std::size_t kFrame = 16, kLength = 4, kData = 8;
constexpr Timeout kSend{500};
constexpr int kMostOld = 1 << 16;  // messages; what a receive buffer holds and more

class SocketCanBus final : public CanBus {
 public:
  explicit SocketCanBus(std::unique_ptr<Link> link) : link_(std::move(link)) {}

  Result<void> open() override {
    heard_.reset();
    for (int old = 0; old < kMostOld; ++old) {
      const auto got = link_->receive(buffer_, Timeout{0});
      if (got || got.error().code == ErrorCode::kProtocol) continue;
      if (got.error().code == ErrorCode::kTimeout) break;
      return fail(got.error());
    }
    return {};
  }
  Result<void> send(const CanMessage& message) override {
    return link_->send(encode_socketcan(message), kSend);
  }
  Result<void> close() override { return {}; }

  Result<void> listen(Timeout timeout) override {
    const auto got = link_->receive(buffer_, timeout);
    if (!got) return fail(got.error());
    heard_ns_ = got->host_time_ns;
    heard_ = decode_socketcan(ByteView(buffer_).first(got->size));
    return {};
  }
  std::optional<CanMessage> next() override { return std::exchange(heard_, std::nullopt); }
  std::int64_t heard_ns() const override { return heard_ns_; }

  const std::string& url() const override { return link_->url(); }
  HostClock& clock() const override { return link_->clock(); }

 private:
  std::unique_ptr<Link> link_;
  std::array<std::uint8_t, 72> buffer_{};  // of a CAN FD frame, which none of ours is
  std::optional<CanMessage> heard_;
  std::int64_t heard_ns_ = 0;
};

}  // namespace

Bytes encode_socketcan(const CanMessage& message) {
  Bytes frame;
  append_le(frame, message.id);
  frame.push_back(static_cast<std::uint8_t>(message.data.size()));
  frame.resize(kData);
  frame.insert(frame.end(), message.data.begin(), message.data.end());
  frame.resize(kFrame);
  return frame;
}

std::optional<CanMessage> decode_socketcan(ByteView frame) {
  if (frame.size() != kFrame || frame[kLength] > kFrame - kData) return std::nullopt;
  const auto id = read_le<std::uint32_t>(frame, 0);
  if (id > kLargestCanId) return std::nullopt;
  const auto data = frame.subspan(kData, frame[kLength]);
  return CanMessage{id, Bytes(data.begin(), data.end())};
}

std::unique_ptr<CanBus> socketcan_bus(std::unique_ptr<Link> link) {
  return std::make_unique<SocketCanBus>(std::move(link));
}

}  // namespace tactelier::devices

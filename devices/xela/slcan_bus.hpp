#pragma once
// The bus behind an adapter that speaks slcan.

#include "devices/xela/can_bus.hpp"
#include "devices/xela/slcan.hpp"

namespace tactelier::devices {

class SlcanBus final : public CanBus {
 public:
  /// Closes the adapter's channel and sets its speed.
  static Result<std::unique_ptr<CanBus>> create(std::unique_ptr<Link> link);

  Result<void> open() override;
  Result<void> send(const CanMessage& message) override { return ask(encode_slcan(message)); }
  Result<void> close() override;
  Result<void> listen(Timeout timeout) override;
  std::optional<CanMessage> next() override;
  std::int64_t heard_ns() const override { return heard_ns_; }
  const std::string& url() const override { return link_->url(); }
  HostClock& clock() const override { return link_->clock(); }

 private:
  explicit SlcanBus(std::unique_ptr<Link> link) : link_(std::move(link)), buffer_(4096) {}

  Result<void> close_channel();
  Result<void> ask(std::string_view line);

  std::unique_ptr<Link> link_;
  SlcanReader reader_;
  Bytes buffer_;
  std::int64_t heard_ns_ = 0;
};

}  // namespace tactelier::devices

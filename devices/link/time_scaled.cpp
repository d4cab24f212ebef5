#include "devices/link/time_scaled.hpp"

#include <cmath>
#include <utility>

namespace tactelier::devices {
namespace {

// A world that stood meanwhile is waited for; who listens for a moment only comes back at once.
constexpr Timeout kShort{5};
constexpr int kMaxTimes = 20;

class ScaledLink final : public Link {
 public:
  ScaledLink(std::unique_ptr<Link> link, WorldClock& clock)
      : link_(std::move(link)), clock_(clock) {}

  Result<Received> receive(std::span<std::uint8_t> into, Timeout timeout) override {
    const auto deadline_ns = clock_.now_ns() + to_ns(timeout);
    auto left = timeout;
    for (int times = 1;; ++times) {
      auto got = link_->receive(into, real(left));
      if (got) got->host_time_ns = clock_.from_base_ns(got->host_time_ns);
      const bool silent = !got && got.error().code == ErrorCode::kTimeout;
      left = time_left(deadline_ns, clock_.now_ns());
      if (!silent || timeout <= kShort || left == Timeout(0) || times == kMaxTimes) return got;
    }
  }
  Result<void> send(ByteView bytes, Timeout timeout) override {
    return link_->send(bytes, real(timeout));
  }
  bool readable() const override { return link_->readable(); }
  const std::string& url() const override { return link_->url(); }
  HostClock& clock() const override { return clock_; }

 private:
  Timeout real(Timeout timeout) const {
    const double ms = static_cast<double>(timeout.count()) / clock_.scale();
    return Timeout(static_cast<std::int64_t>(std::ceil(ms)));
  }

  std::unique_ptr<Link> link_;
  WorldClock& clock_;
};

}  // namespace

ScaledClock::ScaledClock(double scale, HostClock& base)
    : scale_(scale), base_(base), begin_ns_(base.now_ns()) {}

std::int64_t ScaledClock::from_base_ns(std::int64_t base_ns) const {
  return begin_ns_ + std::llround(static_cast<double>(base_ns - begin_ns_) * scale_);
}

std::int64_t ScaledClock::to_base_ns(std::int64_t scaled_ns) const {
  return begin_ns_ + std::llround(static_cast<double>(scaled_ns - begin_ns_) / scale_);
}

Connector time_scaled(Connector connect, WorldClock& clock) {
  return [connect = std::move(connect), &clock](std::string_view url,
                                                Timeout timeout) -> Result<std::unique_ptr<Link>> {
    auto link = connect(url, timeout);
    if (!link) return fail(link.error());
    return std::make_unique<ScaledLink>(std::move(*link), clock);
  };
}

}  // namespace tactelier::devices

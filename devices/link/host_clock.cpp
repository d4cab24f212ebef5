#include "devices/link/host_clock.hpp"

#include <thread>

namespace tactelier::devices {
namespace {

class SteadyHostClock final : public HostClock {
 public:
  std::int64_t now_ns() const override {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  void wait_until(std::int64_t time_ns) override {
    std::this_thread::sleep_until(
        std::chrono::steady_clock::time_point(std::chrono::nanoseconds(time_ns)));
  }
};

}  // namespace

HostClock& steady_host_clock() {
  static SteadyHostClock clock;
  return clock;
}

}  // namespace tactelier::devices

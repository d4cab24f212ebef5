// Answers of a device's web server.
#include <algorithm>

#include "devices/link/http_get.hpp"

using namespace tactelier;
using namespace tactelier::devices;

namespace {

/// Gives canned bytes and hangs up.
class CannedLink final : public Link {
 public:
  explicit CannedLink(ByteView bytes) : bytes_(bytes) {}
  Result<Received> receive(std::span<std::uint8_t> into, Timeout) override {
    if (bytes_.empty()) return fail(ErrorCode::kIo, "gone");
    const auto size = std::min(into.size(), bytes_.size());
    std::copy_n(bytes_.begin(), size, into.begin());
    bytes_ = bytes_.subspan(size);
    return Received{size, 0, 0};
  }
  Result<void> send(ByteView, Timeout) override { return {}; }
  const std::string& url() const override { return url_; }
  HostClock& clock() const override { return steady_host_clock(); }

 private:
  ByteView bytes_;
  std::string url_ = "tcp:canned:80";
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Connector connect = [&](std::string_view, Timeout) -> Result<std::unique_ptr<Link>> {
    return std::make_unique<CannedLink>(ByteView(data, size));
  };
  (void)http_get(connect, "http://box", "/page", Timeout(10));
  return 0;
}

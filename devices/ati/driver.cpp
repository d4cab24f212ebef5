#include "devices/ati/driver.hpp"

#include <array>

#include "devices/ati/netft.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kNetFtOptions{
    OptionInfo{"url", OptionKind::kText, "udp:192.168.1.1:49152", true},
    OptionInfo{"http", OptionKind::kText, "the box's web page, http://192.168.1.1", true},
    OptionInfo{"rate_hz", OptionKind::kWhole, "records per second; as the box is set when left out",
               false, 1, 7000}};

Result<std::unique_ptr<ForceSensor>> open_netft(const DriverOptions& options,
                                                const OpenContext& context) {
  NetFtOptions netft{options.text("url"), options.text("http"), {}};
  if (const auto rate_hz = options.number("rate_hz"); rate_hz && context.change_settings)
    netft.rate_hz = static_cast<int>(*rate_hz);
  netft.patience = context.patience;
  return NetFt::open(netft, context.connect);
}

}  // namespace

constinit const Driver<ForceSensor> kNetFtDriver{
    "net-ft", "ATI Net F/T box (Nano17 and relatives), six axes by UDP", kNetFtOptions, open_netft};

}  // namespace tactelier::devices

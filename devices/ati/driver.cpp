#include "devices/ati/driver.hpp"

#include <algorithm>
#include <array>

#include "devices/ati/netft.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kNetFtOptions{
    OptionInfo{"url", OptionKind::kText, "udp:192.168.1.1:49152", true},
    OptionInfo{"http", OptionKind::kText, "the box's web page, http://192.168.1.1"},
    OptionInfo{"rate_hz", OptionKind::kWhole, "records per second; as the box is set when left out",
               false, 1, 7000},
    OptionInfo{"command", OptionKind::kText,
               "tcp:192.168.1.1:49151, asked for the counts where the web page can't be had"},
    OptionInfo{"full_scale_N_Nm", OptionKind::kNumbers,
               "calibrated range Fx, Fy, Fz, Tx, Ty, Tz; needed with command", false, 1e-6, 1e5,
               6}};

Result<std::unique_ptr<ForceSensor>> open_netft(const DriverOptions& options,
                                                const OpenContext& context) {
  NetFtOptions netft{options.text("url"), options.text("http"), {}};
  if (const auto rate_hz = options.number("rate_hz")) netft.rate_hz = static_cast<int>(*rate_hz);
  netft.timeout_scale = context.timeout_scale;
  netft.command = options.text("command");
  const auto range = options.numbers("full_scale_N_Nm");
  std::copy(range.begin(), range.end(), netft.full_scale_SI.begin());
  netft.write_settings = context.change_settings;
  return NetFt::open(netft, context.connect);
}

}  // namespace

constinit const Driver<ForceSensor> kNetFtDriver{
    "net-ft", "ATI Net F/T box (Nano17 and relatives), six axes by UDP", kNetFtOptions, open_netft};

}  // namespace tactelier::devices

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
               "calibrated range Fx, Fy, Fz, Tx, Ty, Tz; needed with command and counts_per_N",
               false, 1e-6, 1e5, 6},
    OptionInfo{"counts_per_N", OptionKind::kNumber,
               "stated in place of http, for boxes without such a page; 10000 for an OnRobot HEX",
               false, 1e-6, 1e12},
    OptionInfo{"counts_per_Nm", OptionKind::kNumber, "beside it; 100000 for an OnRobot HEX", false,
               1e-6, 1e12},
    OptionInfo{"period_ms", OptionKind::kWhole,
               "OnRobot HEX: between records, set at the start; as the box is set when left out",
               false, 1, 1000}};

Result<std::unique_ptr<ForceSensor>> open_netft(const DriverOptions& options,
                                                const OpenContext& context) {
  NetFtOptions netft{options.text("url"), options.text("http"), {}};
  if (const auto rate_hz = options.number("rate_hz")) netft.rate_hz = static_cast<int>(*rate_hz);
  netft.timeout_scale = context.timeout_scale;
  netft.command = options.text("command");
  const auto range = options.numbers("full_scale_N_Nm");
  std::copy(range.begin(), range.end(), netft.full_scale_SI.begin());
  netft.counts_per_N = options.number("counts_per_N");
  netft.counts_per_Nm = options.number("counts_per_Nm");
  if (const auto period_ms = options.number("period_ms"))
    netft.period_ms = static_cast<int>(*period_ms);
  netft.write_settings = context.change_settings;
  return NetFt::open(netft, context.connect);
}

}  // namespace

constinit const Driver<ForceSensor> kNetFtDriver{
    "net-ft", "ATI Net F/T box (Nano17 and relatives) or OnRobot HEX, six axes by UDP",
    kNetFtOptions, open_netft};

}  // namespace tactelier::devices

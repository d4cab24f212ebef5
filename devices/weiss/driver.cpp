#include "devices/weiss/driver.hpp"

#include <array>

#include "devices/weiss/wts_array.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kWtsOptions{
    OptionInfo{"url", OptionKind::kText, "serial:/dev/ttyACM0?baud=115200", true},
    OptionInfo{"period_ms", OptionKind::kWhole,
               "time between frames; 0 or left out: as fast as it can, lost frames unknown", false,
               0, 65535},
    OptionInfo{"run_lengths", OptionKind::kFlag, "shorter frames while little is pressed"}};

Result<std::unique_ptr<TactileArray>> open_wts(const DriverOptions& options,
                                               const OpenContext& context) {
  return WtsArray::open({options.text("url"), static_cast<int>(options.number("period_ms", 0)),
                         options.flag("run_lengths", false)},
                        context.connect);
}

}  // namespace

constinit const Driver<TactileArray> kWtsDriver{"weiss-wts", "Weiss WTS 0614 and relatives",
                                                kWtsOptions, open_wts};

}  // namespace tactelier::devices

#include "devices/framed/driver.hpp"

#include <array>

#include "devices/framed/framed_array.hpp"
#include "devices/weiss/wts_array.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kWtsOptions{
    OptionInfo{"url", OptionKind::kText, "serial:/dev/ttyACM0?baud=115200", true},
    OptionInfo{"period_ms", OptionKind::kWhole,
               "time between frames; 0 or left out: as fast as it can, lost frames unknown", false,
               0, 65535},
    OptionInfo{"run_lengths", OptionKind::kFlag, "shorter frames while little is pressed"}};

constexpr std::array kFramedOptions{
    OptionInfo{"url", OptionKind::kText, "serial:/dev/ttyUSB0", true},
    OptionInfo{"device", OptionKind::kText,
               "description of its frames: a name of data/devices or a file", true}};

Result<std::unique_ptr<TactileArray>> open_wts(const DriverOptions& options,
                                               const OpenContext& context) {
  return WtsArray::open({options.text("url"), static_cast<int>(options.number("period_ms", 0)),
                         options.flag("run_lengths", false)},
                        context.connect);
}

Result<std::unique_ptr<TactileArray>> open_framed(const DriverOptions& options,
                                                  const OpenContext& context) {
  auto device = load_device_description(options.file("device"));
  if (!device) return fail(device.error(), options.where());
  return FramedArray::open(options.text("url"), std::move(*device), context.connect);
}

}  // namespace

constinit const Driver<TactileArray> kWtsDriver{"weiss-wts", "Weiss WTS 0614 and relatives",
                                                kWtsOptions, open_wts};
constinit const Driver<TactileArray> kFramedDriver{"framed", "any board that a description covers",
                                                   kFramedOptions, open_framed};

}  // namespace tactelier::devices

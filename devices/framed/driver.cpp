#include "devices/framed/driver.hpp"

#include <array>

#include "devices/framed/framed_array.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kFramedOptions{
    OptionInfo{"url", OptionKind::kText, "serial:/dev/ttyUSB0", true},
    OptionInfo{"device", OptionKind::kText,
               "description of its frames: a name of data/devices or a file", true}};

Result<std::unique_ptr<TactileArray>> open_framed(const DriverOptions& options,
                                                  const OpenContext& context) {
  auto device = load_device_description(options.file("device"));
  if (!device) return fail(device.error(), options.where());
  if (device->wrench)
    return fail(ErrorCode::kInvalidInput,
                "{}: device: '{}' describes a force sensor, not an array; its driver is "
                "framed-wrench, in the role force",
                options.where(), device->name);
  return FramedArray::open(options.text("url"), std::move(*device), context.connect);
}

}  // namespace

constinit const Driver<TactileArray> kFramedDriver{"framed", "any board that a description covers",
                                                   kFramedOptions, open_framed};

}  // namespace tactelier::devices

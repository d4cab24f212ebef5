#include "devices/zaber/driver.hpp"

#include <array>
#include <cmath>

#include "devices/zaber/zaber_stage.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kZaberOptionInfos{
    OptionInfo{"url", OptionKind::kText, "serial:/dev/ttyACM0?baud=115200, or tcp:HOST:55550",
               true},
    OptionInfo{"um_per_step", OptionKind::kNumbers,
               "way of a microstep of x, y, z by the data sheet; negative where counts go up "
               "against the rig's axis, as those of z must",
               true, -1e3, 1e3, 3},
    OptionInfo{"axes", OptionKind::kNumbers, "which axis of its device moves x, y, z (1, 2, 3)",
               false, 1, 9, 3},
    OptionInfo{"devices", OptionKind::kNumbers,
               "addresses of the devices that move x, y, z (1, 1, 1: one controller)", false, 1, 99,
               3},
    OptionInfo{"resolution", OptionKind::kWhole,
               "microsteps per step that um_per_step is stated for (64)", false, 1, 256},
    OptionInfo{"encoders", OptionKind::kFlag,
               "report what encoders measure, where all three axes have one (true)"},
    OptionInfo{"poll_hz", OptionKind::kNumber, "position reports per second, at rest", false, 1,
               20},
    OptionInfo{"safe_z_mm", OptionKind::kNumber,
               "where a stop raises the tool to, rig's stage frame", false, -1e4, 1e4},
    OptionInfo{"abort_raise_mm", OptionKind::kNumber, "how far an abort raises the tool", false, 0,
               100},
    OptionInfo{"retract_mm_s", OptionKind::kNumber, "speed of a retract", false, 0.02, 1000},
    OptionInfo{"machine_zero_mm", OptionKind::kNumbers,
               "where the counts of 0 lie in the rig's stage frame", false, -1e4, 1e4, 3}};

Result<void> take_whole(const DriverOptions& options, std::string_view key,
                        std::array<int, 3>& into) {
  const auto numbers = options.numbers(key);
  for (std::size_t axis = 0; axis < numbers.size(); ++axis) {
    if (numbers[axis] != std::floor(numbers[axis]))
      return fail(ErrorCode::kInvalidInput, "{}: {}: {} is no whole number", options.where(), key,
                  numbers[axis]);
    into[axis] = static_cast<int>(numbers[axis]);
  }
  return {};
}

Result<std::unique_ptr<MotionStage>> open_zaber(const DriverOptions& options,
                                                const OpenContext& context) {
  ZaberOptions zaber;
  zaber.url = options.text("url");
  // Of several devices each has one axis.
  if (options.has("devices") && !options.has("axes")) zaber.axis = {1, 1, 1};
  if (auto fine = take_whole(options, "axes", zaber.axis); !fine) return fail(fine.error());
  if (auto fine = take_whole(options, "devices", zaber.device); !fine) return fail(fine.error());
  const auto step_um = options.numbers("um_per_step"), zero_mm = options.numbers("machine_zero_mm");
  for (std::size_t axis = 0; axis < step_um.size(); ++axis)
    zaber.m_per_step[axis] = step_um[axis] * 1e-6;
  for (std::size_t axis = 0; axis < zero_mm.size(); ++axis)
    zaber.machine_zero_m[axis] = mm_to_m(zero_mm[axis]);
  zaber.resolution = static_cast<int>(options.number("resolution", zaber.resolution));
  zaber.encoders = options.flag("encoders", zaber.encoders);
  zaber.write_settings = context.change_settings;
  zaber.poll_hz = options.number("poll_hz", zaber.poll_hz);
  if (const auto safe_mm = options.number("safe_z_mm")) zaber.safe_z_m = mm_to_m(*safe_mm);
  if (const auto raise_mm = options.number("abort_raise_mm")) zaber.raise_m = mm_to_m(*raise_mm);
  if (const auto mm_s = options.number("retract_mm_s")) zaber.retract_m_per_s = mm_to_m(*mm_s);
  zaber.timeout_scale = context.timeout_scale;
  return ZaberStage::open(zaber, context.connect);
}

}  // namespace

constinit const Driver<MotionStage> kZaberDriver{
    "zaber", "Zaber axes of a controller or a chain, ASCII protocol, firmware 7.25 or later",
    kZaberOptionInfos, open_zaber};

}  // namespace tactelier::devices

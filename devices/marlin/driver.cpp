#include "devices/marlin/driver.hpp"

#include <array>

#include "devices/marlin/marlin_stage.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kMarlinOptions{
    OptionInfo{"url", OptionKind::kText, "serial:/dev/ttyUSB0?baud=115200", true},
    OptionInfo{"poll_hz", OptionKind::kNumber, "position reports per second, at rest", false, 1,
               20},
    OptionInfo{"safe_z_mm", OptionKind::kNumber,
               "where a stop raises the tool to, rig's stage frame", false, -1e4, 1e4},
    OptionInfo{"abort_raise_mm", OptionKind::kNumber, "how far an abort raises the tool", false, 0,
               100},
    OptionInfo{"retract_mm_s", OptionKind::kNumber, "speed of a retract", false, 0.02, 1000},
    OptionInfo{"machine_zero_mm", OptionKind::kNumbers,
               "where the printer's zero lies in the rig's stage frame", false, -1e4, 1e4, 3}};

Result<std::unique_ptr<MotionStage>> open_marlin(const DriverOptions& options,
                                                 const OpenContext& context) {
  MarlinOptions marlin;
  marlin.url = options.text("url");
  marlin.poll_hz = options.number("poll_hz", marlin.poll_hz);
  if (const auto safe_mm = options.number("safe_z_mm")) marlin.safe_z_m = mm_to_m(*safe_mm);
  if (const auto raise_mm = options.number("abort_raise_mm")) marlin.raise_m = mm_to_m(*raise_mm);
  if (const auto mm_s = options.number("retract_mm_s")) marlin.retract_m_per_s = mm_to_m(*mm_s);
  marlin.timeout_scale = context.timeout_scale;
  const auto zero_mm = options.numbers("machine_zero_mm");
  for (std::size_t axis = 0; axis < zero_mm.size(); ++axis)
    marlin.machine_zero_m[axis] = mm_to_m(zero_mm[axis]);
  return MarlinStage::open(marlin, context.connect);
}

}  // namespace

constinit const Driver<MotionStage> kMarlinDriver{
    "marlin", "a printer as stage: Marlin 2.1 built with EMERGENCY_PARSER, M114_REALTIME",
    kMarlinOptions, open_marlin};

}  // namespace tactelier::devices

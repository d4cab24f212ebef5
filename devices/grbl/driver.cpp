#include "devices/grbl/driver.hpp"

#include <array>

#include "devices/grbl/grbl_stage.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kGrblOptions{
    OptionInfo{"url", OptionKind::kText, "serial:/dev/ttyUSB0?baud=115200", true},
    OptionInfo{"poll_hz", OptionKind::kNumber, "status reports per second", false, 1, 20},
    OptionInfo{"write_settings", OptionKind::kFlag, "keep $1=255, $10=3 and soft limits on"},
    OptionInfo{"safe_z_mm", OptionKind::kNumber, "where a stop retracts to, rig's stage frame",
               false, -1e4, 1e4},
    OptionInfo{"abort_raise_mm", OptionKind::kNumber, "how far an abort raises the tool", false, 0,
               100},
    OptionInfo{"retract_mm_s", OptionKind::kNumber, "speed of a retract", false, 0.02, 1000},
    OptionInfo{"machine_zero_mm", OptionKind::kNumbers,
               "where the machine's zero lies in the rig's stage frame", false, -1e4, 1e4, 3}};

StagePosition place_m(const std::vector<double>& place_mm) {
  StagePosition place{};
  for (std::size_t axis = 0; axis < place_mm.size(); ++axis) place[axis] = mm_to_m(place_mm[axis]);
  return place;
}

Result<std::unique_ptr<MotionStage>> open_grbl(const DriverOptions& options,
                                               const OpenContext& context) {
  GrblOptions grbl;
  grbl.url = options.text("url");
  grbl.poll_hz = options.number("poll_hz", grbl.poll_hz);
  grbl.write_settings = context.change_settings && options.flag("write_settings", true);
  if (const auto safe_mm = options.number("safe_z_mm")) grbl.safe_z_m = mm_to_m(*safe_mm);
  if (const auto raise_mm = options.number("abort_raise_mm"))
    grbl.abort_raise_m = mm_to_m(*raise_mm);
  if (const auto mm_s = options.number("retract_mm_s")) grbl.retract_m_per_s = mm_to_m(*mm_s);
  grbl.timeout_scale = context.timeout_scale;
  grbl.machine_zero_m = place_m(options.numbers("machine_zero_mm"));
  return GrblStage::open(grbl, context.connect);
}

}  // namespace

constinit const Driver<MotionStage> kGrblDriver{
    "grbl", "three axes behind GRBL 1.1, grblHAL or FluidNC", kGrblOptions, open_grbl};

}  // namespace tactelier::devices

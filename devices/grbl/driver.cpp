#include "devices/grbl/driver.hpp"

#include <array>

#include "devices/grbl/grbl_stage.hpp"
#include "devices/manual/manual_stage.hpp"
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
  grbl.patience = context.patience;
  grbl.machine_zero_m = place_m(options.numbers("machine_zero_mm"));
  return GrblStage::open(grbl, context.connect);
}

constexpr std::array kManualOptions{
    OptionInfo{"low_mm", OptionKind::kNumbers, "lowest x, y, z of the rig's stage frame", true,
               -1e4, 1e4, 3},
    OptionInfo{"high_mm", OptionKind::kNumbers, "highest x, y, z", true, -1e4, 1e4, 3},
    OptionInfo{"most_off_mm", OptionKind::kNumber,
               "a dial further from what was asked for is asked again", false, 0.001, 10}};

constexpr double kByHand_m_per_s = 1e-3;
constexpr double kByHand_m_per_s2 = 1e-2;

Result<std::unique_ptr<MotionStage>> open_manual(const DriverOptions& options,
                                                 const OpenContext& context) {
  if (!context.person)
    return fail(ErrorCode::kUsage, "{}: a manual stage needs somebody to turn it; not here",
                options.where());
  ManualStageOptions manual;
  manual.travel.low_m = place_m(options.numbers("low_mm"));
  manual.travel.high_m = place_m(options.numbers("high_mm"));
  manual.travel.most_speed_m_per_s.fill(kByHand_m_per_s);
  manual.travel.acceleration_m_per_s2.fill(kByHand_m_per_s2);
  if (const auto off_mm = options.number("most_off_mm")) manual.most_off_m = mm_to_m(*off_mm);
  return std::make_unique<ManualStage>(manual, context.person, *context.clock);
}

}  // namespace

constinit const Driver<MotionStage> kGrblDriver{
    "grbl", "three axes behind GRBL 1.1, grblHAL or FluidNC", kGrblOptions, open_grbl};
constinit const Driver<MotionStage> kManualDriver{"manual", "turned by hand, depth read off a dial",
                                                  kManualOptions, open_manual};

}  // namespace tactelier::devices

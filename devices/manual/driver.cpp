#include "devices/manual/driver.hpp"

#include <array>

#include "devices/manual/manual_stage.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kManualOptions{
    OptionInfo{"low_mm", OptionKind::kNumbers, "lowest x, y, z of the rig's stage frame", true,
               -1e4, 1e4, 3},
    OptionInfo{"high_mm", OptionKind::kNumbers, "highest x, y, z", true, -1e4, 1e4, 3},
    OptionInfo{"most_off_mm", OptionKind::kNumber,
               "a dial further from what was asked for is asked again", false, 0.001, 10}};

constexpr double kByHand_m_per_s = 1e-3;
constexpr double kByHand_m_per_s2 = 1e-2;

StagePosition place_m(const std::vector<double>& place_mm) {
  StagePosition place{};
  for (std::size_t axis = 0; axis < place_mm.size(); ++axis) place[axis] = mm_to_m(place_mm[axis]);
  return place;
}

Result<std::unique_ptr<MotionStage>> open_manual(const DriverOptions& options,
                                                 const OpenContext& context) {
  if (!context.ask_operator)
    return fail(ErrorCode::kUsage, "{}: a manual stage needs somebody to turn it; not here",
                options.where());
  ManualStageOptions manual;
  manual.travel.low_m = place_m(options.numbers("low_mm"));
  manual.travel.high_m = place_m(options.numbers("high_mm"));
  manual.travel.most_speed_m_per_s.fill(kByHand_m_per_s);
  manual.travel.acceleration_m_per_s2.fill(kByHand_m_per_s2);
  if (const auto off_mm = options.number("most_off_mm")) manual.most_off_m = mm_to_m(*off_mm);
  return std::make_unique<ManualStage>(manual, context.ask_operator, *context.clock);
}

}  // namespace

constinit const Driver<MotionStage> kManualDriver{"manual", "turned by hand, depth read off a dial",
                                                  kManualOptions, open_manual};

}  // namespace tactelier::devices

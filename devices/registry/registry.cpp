#include "devices/registry/registry.hpp"

#include <array>

#include "devices/ati/driver.hpp"
#include "devices/contactile/driver.hpp"
#include "devices/framed/driver.hpp"
#include "devices/gauge/driver.hpp"
#include "devices/grbl/driver.hpp"
#include "devices/manual/driver.hpp"
#include "devices/marlin/driver.hpp"
#include "devices/replay/driver.hpp"
#include "devices/weiss/driver.hpp"
#include "devices/xela/driver.hpp"
#include "devices/zaber/driver.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kStages{&kGrblDriver, &kMarlinDriver, &kZaberDriver, &kManualDriver,
                             &kReplayStageDriver};
constexpr std::array kForces{&kNetFtDriver, &kOneAxisDriver, &kSixGagesDriver, &kFramedWrenchDriver,
                             &kReplayForceDriver};
constexpr std::array kTactiles{&kWtsDriver,         &kDsaDriver,    &kUskinDriver,
                               &kPapillArrayDriver, &kFramedDriver, &kReplayTactileDriver};
constexpr std::array kGauges{&kLengthGaugeDriver};

}  // namespace

std::span<const Driver<MotionStage>* const> stage_drivers() { return kStages; }
std::span<const Driver<ForceSensor>* const> force_drivers() { return kForces; }
std::span<const Driver<TactileArray>* const> tactile_drivers() { return kTactiles; }
std::span<const Driver<LengthGauge>* const> gauge_drivers() { return kGauges; }

}  // namespace tactelier::devices

#include "devices/weiss/driver.hpp"

#include <array>
#include <cmath>

#include "devices/weiss/dsa_array.hpp"
#include "devices/weiss/wts_array.hpp"

namespace tactelier::devices {
namespace {

constexpr OptionInfo kRunLengths{"run_lengths", OptionKind::kFlag,
                                 "shorter frames while little is pressed"};

constexpr std::array kWtsOptions{
    OptionInfo{"url", OptionKind::kText, "serial:/dev/ttyACM0?baud=115200", true},
    OptionInfo{"period_ms", OptionKind::kWhole,
               "time between frames; 0 or left out: as fast as it can, lost frames unknown", false,
               0, 65535},
    kRunLengths};

constexpr std::array kDsaOptions{
    OptionInfo{"url", OptionKind::kText,
               "tcp:192.168.1.42:13000, or serial:/dev/ttyUSB0?baud=115200", true},
    OptionInfo{"matrices", OptionKind::kNumbers,
               "the controller's numbers, from 0, of those that are read, as their tactels follow; "
               "left out: all",
               false, 0, 63},
    OptionInfo{"rate_hz", OptionKind::kWhole,
               "frames a second, 30 when left out; some firmwares send 30 whatever is asked for",
               false, 1, kDsaFastest_hz},
    kRunLengths,
    OptionInfo{"threshold", OptionKind::kWhole,
               "readings below it are sent as 0; until power is switched off. Left out: as it is",
               false, 0, kDsaFullScale},
    OptionInfo{"sensitivity", OptionKind::kNumber,
               "of these matrices, until power is switched off. Left out: as it is", false, 0, 1}};

Result<std::unique_ptr<TactileArray>> open_wts(const DriverOptions& options,
                                               const OpenContext& context) {
  return WtsArray::open({options.text("url"), static_cast<int>(options.number("period_ms", 0)),
                         options.flag("run_lengths", false)},
                        context.connect);
}

Result<std::unique_ptr<TactileArray>> open_dsa(const DriverOptions& options,
                                               const OpenContext& context) {
  DsaOptions dsa;
  dsa.url = options.text("url");
  for (const double number : options.numbers("matrices")) {
    if (number != std::floor(number))
      return fail(ErrorCode::kInvalidInput, "{}: matrices: {} is no whole number", options.where(),
                  number);
    dsa.matrices.push_back(static_cast<int>(number));
  }
  dsa.rate_hz = static_cast<int>(options.number("rate_hz", kDsaFastest_hz));
  dsa.run_lengths = options.flag("run_lengths", false);
  if (const auto threshold = options.number("threshold"))
    dsa.threshold = static_cast<int>(*threshold);
  dsa.sensitivity = options.number("sensitivity");
  dsa.change_settings = context.change_settings;
  return DsaArray::open(dsa, context.connect);
}

}  // namespace

constinit const Driver<TactileArray> kWtsDriver{"weiss-wts", "Weiss WTS 0614 and relatives",
                                                kWtsOptions, open_wts};
constinit const Driver<TactileArray> kDsaDriver{
    "weiss-dsa", "Weiss DSACON32-m: DSA 9200, Schunk's SDH hand", kDsaOptions, open_dsa};

}  // namespace tactelier::devices

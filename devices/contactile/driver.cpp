#include "devices/contactile/driver.hpp"

#include <array>

#include "devices/contactile/papillarray_array.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kPapillArrayOptions{
    OptionInfo{"url", OptionKind::kText, "serial:/dev/ttyACM0, of the controller", true},
    OptionInfo{"array", OptionKind::kWhole,
               "which of the controller's arrays, from 0; the first when left out", false, 0, 15},
    OptionInfo{"displacements", OptionKind::kFlag,
               "mm of each pillar's tip in place of the controller's newtons"},
    OptionInfo{"rate_hz", OptionKind::kWhole,
               "100, 250, 500 or 1000 packets a second; left out: as the controller is set", false,
               100, 1000}};

Result<std::unique_ptr<TactileArray>> open_papillarray(const DriverOptions& options,
                                                       const OpenContext& context) {
  PapillArrayOptions papillarray;
  papillarray.url = options.text("url");
  papillarray.array = static_cast<int>(options.number("array", papillarray.array));
  papillarray.displacements = options.flag("displacements", false);
  papillarray.rate_hz = static_cast<int>(options.number("rate_hz", papillarray.rate_hz));
  papillarray.change_settings = context.change_settings;
  return PapillArray::open(papillarray, context.connect);
}

}  // namespace

constinit const Driver<TactileArray> kPapillArrayDriver{"contactile-papillarray",
                                                        "PapillArrays on Contactile's controller",
                                                        kPapillArrayOptions, open_papillarray};

}  // namespace tactelier::devices

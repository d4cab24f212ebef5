#include "devices/gauge/driver.hpp"

#include <algorithm>
#include <array>

#include "devices/gauge/framed_force.hpp"

namespace tactelier::devices {
namespace {

constexpr OptionInfo kUrl{"url", OptionKind::kText, "serial:/dev/ttyUSB0?baud=115200", true};
constexpr OptionInfo kDevice{"device", OptionKind::kText,
                             "description of its frames: a name of data/devices or a file", true};
constexpr OptionInfo kRate{"rate_hz", OptionKind::kNumber, "readings per second", true, 0.01, 1e5};
constexpr OptionInfo kLowest{"lowest_reading", OptionKind::kNumber,
                             "the converter's lower end, no force"};
constexpr OptionInfo kHighest{"highest_reading", OptionKind::kNumber, "its upper end"};

constexpr std::array kOneAxisOptions{
    kUrl,
    kDevice,
    kRate,
    OptionInfo{"N_per_reading", OptionKind::kNumber,
               "newtons per count; negative when pressing reads negative", true},
    OptionInfo{"full_scale_N", OptionKind::kNumber, "calibrated range, +-", false, 0},
    OptionInfo{"step", OptionKind::kNumber, "resolution of the readings, 1 for integers", false,
               1e-12},
    kLowest,
    kHighest};

constexpr std::array kSixGagesOptions{
    kUrl,
    kDevice,
    kRate,
    OptionInfo{"cal", OptionKind::kText, "the transducer's .cal file", true},
    OptionInfo{"V_per_reading", OptionKind::kNumber, "volts per count", false},
    OptionInfo{"bias_V", OptionKind::kNumbers, "gage voltages without load", false, -100, 100, 6},
    kLowest,
    kHighest};

constexpr std::array kFramedWrenchOptions{
    kUrl, kDevice, kRate,
    OptionInfo{"full_scale_N_Nm", OptionKind::kNumbers,
               "calibrated range Fx, Fy, Fz, Tx, Ty, Tz by the data sheet; needed where the "
               "description leaves it open",
               false, 1e-6, 1e5, 6}};

constexpr std::array kLengthGaugeOptions{
    kUrl, kDevice,
    OptionInfo{"um_per_reading", OptionKind::kNumber,
               "micrometres per count; negative when it counts up on the way down", true}};

/// `readings_of`: what the description's readings are worth.
template <class ReadingsOf>
Result<std::unique_ptr<ForceSensor>> open_framed_force(const DriverOptions& options,
                                                       const OpenContext& context,
                                                       ReadingsOf readings_of) {
  const auto device = load_device_description(options.file("device"));
  if (!device) return fail(device.error(), options.where());
  auto readings = readings_of(*device);
  if (!readings) return fail(readings.error(), options.where());
  FramedForceOptions force;
  force.url = options.text("url");
  force.rate_hz = options.number("rate_hz", force.rate_hz);
  force.readings = std::move(*readings);
  force.lowest_reading = options.number("lowest_reading");
  force.highest_reading = options.number("highest_reading");
  return FramedForce::open(force, *device, context.connect);
}

Result<std::unique_ptr<ForceSensor>> open_one_axis(const DriverOptions& options,
                                                   const OpenContext& context) {
  return open_framed_force(options, context, [&](const DeviceDescription&) {
    return one_axis_readings(options.number("N_per_reading", 0), options.number("full_scale_N", 0),
                             options.number("step", 1));
  });
}

Result<std::unique_ptr<ForceSensor>> open_six_gages(const DriverOptions& options,
                                                    const OpenContext& context) {
  const auto calibration = load_cal_file(options.file("cal"));
  if (!calibration) return fail(calibration.error(), options.where());
  return open_framed_force(options, context, [&](const DeviceDescription&) {
    GageVolts bias_V{};
    const auto given_V = options.numbers("bias_V");
    std::copy(given_V.begin(), given_V.end(), bias_V.begin());
    return six_gage_readings(*calibration, options.number("V_per_reading", 1), bias_V);
  });
}

Result<std::unique_ptr<ForceSensor>> open_framed_wrench(const DriverOptions& options,
                                                        const OpenContext& context) {
  return open_framed_force(options, context, [&](const DeviceDescription& device) {
    std::optional<std::array<double, 6>> full_scale_SI;
    if (const auto range = options.numbers("full_scale_N_Nm"); !range.empty())
      std::copy(range.begin(), range.end(), full_scale_SI.emplace().begin());
    return wrench_readings(device, full_scale_SI);
  });
}

Result<std::unique_ptr<LengthGauge>> open_length_gauge(const DriverOptions& options,
                                                       const OpenContext& context) {
  const auto device = load_device_description(options.file("device"));
  if (!device) return fail(device.error(), options.where());
  return LengthGauge::open({options.text("url"), options.number("um_per_reading", 0) * 1e-6},
                           *device, context.connect);
}

}  // namespace

constinit const Driver<ForceSensor> kOneAxisDriver{
    "one-axis", "one-axis cell on a converter (HX711 type)", kOneAxisOptions, open_one_axis};
constinit const Driver<ForceSensor> kSixGagesDriver{
    "six-gages", "six gage voltages behind a DAQ bridge, wrench by .cal file", kSixGagesOptions,
    open_six_gages};
constinit const Driver<ForceSensor> kFramedWrenchDriver{
    "framed-wrench", "six-axis sensor that a description covers: Bota, Robotiq FT 300, Resense",
    kFramedWrenchOptions, open_framed_wrench};
constinit const Driver<LengthGauge> kLengthGaugeDriver{
    "length-gauge", "encoder, LVDT or dial gauge with a data line", kLengthGaugeOptions,
    open_length_gauge};

}  // namespace tactelier::devices

#include "app/workflow/watched_devices.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using devices::Timeout;
using Reading = WatchedDevice::Reading;

constexpr Timeout kShort{50};     // a stage's poll comes back after that
constexpr Timeout kSilence{500};  // longer is worth a word, whatever the rate
constexpr double kPeriods = 5;

std::string_view word_of(devices::StageState state) {
  constexpr std::array<std::string_view, 10> kWords{
      "idle", "running", "holding", "hold", "jog", "alarm", "door", "check", "homing", "sleep"};
  return kWords[static_cast<std::size_t>(state)];
}

/// Patience for a stream of that rate.
Timeout patience(double rate_hz) {
  if (!(rate_hz > 0)) return kSilence;
  return std::max(kSilence, Timeout(static_cast<std::int64_t>(1000 * kPeriods / rate_hz)));
}

/// "18 to 113 counts"; of three channels "x 30000 to 30012, y 31000 to 31009, z ... counts".
std::string ranges_of(const std::vector<double>& counts, int channels) {
  const auto step = static_cast<std::size_t>(channels == 3 ? 3 : 1);
  std::string text;
  for (std::size_t first = 0; first < step; ++first) {
    double low = counts[first], high = low;
    for (auto i = first; i < counts.size(); i += step) {
      low = std::min(low, counts[i]);
      high = std::max(high, counts[i]);
    }
    const auto axis = step == 3 ? fmt::format("{}{} ", first > 0 ? ", " : "", "xyz"[first]) : "";
    text += fmt::format("{}{:.6g} to {:.6g}", axis, low, high);
  }
  return text + " counts";
}

}  // namespace

WatchedDevice watched(std::shared_ptr<devices::MotionStage> stage) {
  const auto& travel = stage->travel();
  WatchedDevice device;
  for (std::size_t axis = 0; axis < 3; ++axis)
    device.detail += fmt::format("{}{} {:.6g} to {:.6g} mm", axis > 0 ? ", " : "", "xyz"[axis],
                                 m_to_mm(travel.low_m[axis]), m_to_mm(travel.high_m[axis]));
  device.start = [] { return Result<void>{}; };
  device.stop = [] {};
  device.read = [stage = std::move(stage)](Reading& reading) {
    std::vector<devices::StageSample> samples;
    auto read = stage->poll(samples, kShort);
    reading.position_trusted = stage->position_trusted();
    reading.samples = static_cast<std::int64_t>(samples.size());
    if (samples.empty()) return read;
    const auto& last = samples.back();
    reading.latest_ns = last.host_time_ns;
    reading.values =
        fmt::format("{:.3f}, {:.3f}, {:.3f} mm, {}", m_to_mm(last.position_m[0]),
                    m_to_mm(last.position_m[1]), m_to_mm(last.position_m[2]), word_of(last.state));
    if (!last.trusted) reading.values += fmt::format("; {}", stage->position_doubt());
    return read;
  };
  return device;
}

WatchedDevice watched(std::shared_ptr<devices::ForceSensor> sensor) {
  WatchedDevice device;
  const auto& range = sensor->scale().full_scale_SI;
  device.detail = range[2] > 0 ? fmt::format("to {:.4g} N along z", range[2]) : "range unknown";
  device.nominal_hz = sensor->rate_hz();
  device.start = [sensor] { return sensor->start(); };
  device.stop = [sensor] { (void)sensor->stop(); };
  device.read = [sensor, wait = patience(sensor->rate_hz())](Reading& reading) {
    std::vector<devices::ForceSample> samples;
    auto read = sensor->read(samples, wait);
    reading.counters = sensor->counters();
    reading.samples = static_cast<std::int64_t>(samples.size());
    if (samples.empty()) return read;
    const auto& last = samples.back();
    reading.latest_ns = last.host_time_ns;
    const auto& scale = sensor->scale();
    const auto wrench = scale.wrench_SI(last);
    reading.values = fmt::format("{:.3f}, {:.3f}, {:.3f} N", wrench[0], wrench[1], wrench[2]);
    if (last.valid) reading.force_N = std::hypot(wrench[0], wrench[1], wrench[2]);
    if (!last.valid || last.status != 0) reading.trouble = sensor->describe_status(last.status);
    if (last.valid && devices::combined_load(wrench, scale) > devices::kOverload)
      reading.trouble = "overloaded: take the load off";
    for (const auto& sample : samples) reading.unusable.add(sample, *sensor);
    return read;
  };
  return device;
}

WatchedDevice watched(std::shared_ptr<devices::TactileArray> array) {
  const auto& shape = array->shape();
  WatchedDevice device;
  device.detail = fmt::format("{} x {} tactels", shape.rows, shape.columns);
  if (shape.channels > 1) device.detail += fmt::format(" of {} channels", shape.channels);
  device.start = [array] { return array->start(); };
  device.stop = [array] { (void)array->stop(); };
  device.read = [array](Reading& reading) {
    std::vector<devices::TactileFrame> frames;
    auto read = array->read(frames, kSilence);
    reading.counters = array->counters();
    reading.samples = static_cast<std::int64_t>(frames.size());
    if (frames.empty()) return read;
    reading.latest_ns = frames.back().host_time_ns;
    const auto& counts = frames.back().counts;
    reading.values = ranges_of(counts, array->shape().channels);
    return read;
  };
  return device;
}

WatchedDevice watched(std::shared_ptr<devices::LengthGauge> gauge) {
  WatchedDevice device;
  device.start = [gauge] { return gauge->start(); };
  device.stop = [gauge] { (void)gauge->stop(); };
  device.read = [gauge](Reading& reading) {
    std::vector<devices::LengthSample> samples;
    auto read = gauge->read(samples, kSilence);
    reading.counters = gauge->counters();
    reading.samples = static_cast<std::int64_t>(samples.size());
    if (samples.empty()) return read;
    reading.latest_ns = samples.back().host_time_ns;
    reading.values = fmt::format("{:.4f} mm", m_to_mm(samples.back().position_m));
    return read;
  };
  return device;
}

}  // namespace tactelier

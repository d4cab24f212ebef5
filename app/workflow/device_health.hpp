#pragma once
// How a device is doing, as `devices test` and the Bench page show it.

#include <cstdint>
#include <optional>
#include <string>

#include "app/workflow/stream_check.hpp"
#include "devices/interface/force_sensor.hpp"

namespace tactelier {

enum class HealthState {
  kConnecting,
  kGood,
  kLook,  // works, but something was lost or can't be used
  kBad,   // silent, refused or gone
};

struct DeviceHealth {
  std::string role;    // "stage", "force", "tactile", "aux 1"
  std::string driver;  // name in the device file
  std::string place;   // URL or file
  HealthState state = HealthState::kConnecting;
  std::string words;   // "good", "3 frames lost", "tcp:...: Connection refused; ..."
  std::string detail;  // what answered: "14 x 6 tactels", "x -70 to 0 mm, ..."
  std::string values;  // the latest: "Fz -0.012 N"
  std::optional<double> nominal_hz;
  std::optional<double> stated_hz;  // by the device file
  double rate_hz = 0;               // of the last second or so
  double mean_rate_hz = 0;          // since the first sample
  std::int64_t samples = 0;
  devices::StreamCounters counters;
  UnusableRecords unusable;              // of a force sensor
  std::optional<std::int64_t> begin_ns;  // when its first sample arrived
  std::optional<double> sent_rate_hz;    // with what was lost; of the last unbroken part
  bool rate_as_stated = true;
  double longest_pause_s = 0;             // between arrivals
  std::optional<std::int64_t> sample_ns;  // when the latest arrived, on the devices' clock
  std::optional<bool> position_trusted;   // stages
  std::optional<double> force_N;          // force sensors: the latest |F|, as the device is zeroed
};

/// Silent, refused or gone; or it works, and what it sends isn't what the device file promises.
bool device_failed(const DeviceHealth& health);

/// What the counters say that a reader must not miss: "12 samples lost, 1 damaged"; empty when
/// nothing happened.
std::string counter_words(const devices::StreamCounters& counters);

}  // namespace tactelier

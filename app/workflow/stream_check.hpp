#pragma once
// What a stream must show before `devices test` calls it good: records that mean something, at the
// rate that the device file states.

#include <cstdint>
#include <optional>
#include <string>

#include "devices/interface/force_sensor.hpp"

namespace tactelier {

/// Force records that can't be used: saturated, or beyond the calibrated range.
struct UnusableRecords {
  std::int64_t count = 0;
  std::int64_t first_ns = 0, last_ns = 0;  // arrival
  std::string cause;                       // of the first: "transducer saturation or A/D error"
  std::string axis;                        // "Fz": nearest to its end, of all of them
  double axis_load = 0;                    // of its calibrated range; in SI where that is unknown

  void add(const devices::ForceSample& sample, const devices::ForceSensor& sensor);
  void add(const UnusableRecords& later);
};

/// "20 records can't be used, 1.502 to 1.521 s after the first: transducer saturation ...; largest
/// axis Fz"; empty without any. `begin_ns`: arrival of the stream's first record.
std::string words_of(const UnusableRecords& unusable, std::int64_t begin_ns);

/// Records per second of the last unbroken part of a stream, by arrival; those that were lost
/// count, since the device sent them. Against a stated rate it may be off by
///   2 % of it: a microcontroller's internal oscillator, trimmed by its maker, is good to that, a
///              crystal to 0.01 %
///   2 J / T:   the first and the last arrival may each be late by J, 20 ms (a USB adapter keeps
///              bytes for up to 16 ms) or the longest pause if that is more, of a part of T seconds
class StreamRate {
 public:
  /// `samples` came, the latest at `latest_ns`. A silence or a restart begins a new part.
  void add(std::int64_t samples, std::int64_t latest_ns, const devices::StreamCounters& counters);

  /// Nothing before the second arrival.
  std::optional<double> rate_hz() const;
  double tolerance_hz(double stated_hz) const;
  /// "sends 500.0 records/s, the device file states 1000 (+-24.5 allowed: ...)"; empty when the
  /// rate is as stated.
  std::string words(double stated_hz) const;

 private:
  double span_s() const;

  std::int64_t first_ns_ = 0, latest_ns_ = 0, longest_pause_ns_ = 0;
  std::int64_t records_ = 0;  // sent after the first arrival
  std::int64_t lost_ = 0, breaks_ = 0;
  bool begun_ = false;
};

}  // namespace tactelier

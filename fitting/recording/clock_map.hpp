#pragma once
// From a stream's own time to the host's and back: straight pieces between knots, so that a crystal
// may drift with the room.

#include <span>
#include <vector>

namespace tactelier {

class ClockMap {
 public:
  struct Knot {
    double device_s;
    double host_s;
  };

  ClockMap() = default;  // the host's own time
  /// At least two knots, both times rising. Outside, the first and last pieces go on.
  explicit ClockMap(std::vector<Knot> knots);

  double to_host_s(double device_s) const;
  double to_device_s(double host_s) const;
  void to_host(std::span<double> time_s) const;
  bool identity() const { return knots_.empty() && shift_s_ == 0; }
  /// The same clock, `earlier_s` earlier on the host's: takes out a latency.
  ClockMap advanced(double earlier_s) const;
  const std::vector<Knot>& knots() const { return knots_; }

 private:
  std::vector<Knot> knots_;
  double shift_s_ = 0;  // added on the way to the host
};

}  // namespace tactelier

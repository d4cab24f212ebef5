#pragma once
// Is a new zero of the force believable? A tare taken in contact hides that contact for good: the
// search that follows begins inside the pad. The first one after homing, or after another tip, is
// taken at the top, where nothing can be touched; each later one may differ from the last by
//   30 mN + 3 mN/min + 0.5 N/m times the way between their places
// (warm-up and drift of six-axis sensors, the pull of their cable; docs/safety.md). Pure.

#include <array>
#include <cstdint>
#include <optional>

namespace tactelier::rig {

struct RefusedTare {
  double shift_N = 0, allowed_N = 0, after_s = 0;
};

class TareHistory {
 public:
  /// Another tip, or homed: the next tare is taken as it is.
  void forget() { last_.reset(); }
  bool known() const { return last_.has_value(); }
  /// Takes a tare into the history, or says why not.
  /// `at_m`: where the stage stood.
  std::optional<RefusedTare> add(double zero_N, const std::array<double, 3>& at_m,
                                 std::int64_t time_ns);

 private:
  struct Tare {
    double zero_N;
    std::array<double, 3> at_m;
    std::int64_t time_ns;
  };
  std::optional<Tare> last_;
};

}  // namespace tactelier::rig

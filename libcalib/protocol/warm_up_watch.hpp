#pragma once
// The warm-up gate: drifts of a force's three axes and, where one is told, of the array's
// temperature, while the tip rests in the air. Samples go in as they come.

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "libcalib/protocol/drift_watch.hpp"
#include "libcalib/protocol/plan.hpp"

namespace tactelier {

class WarmUpWatch {
 public:
  explicit WarmUpWatch(const StillGate& gate);

  void add_force(double t_s, const std::array<double, 3>& force_N);
  void add_temperature(double t_s, double temperature_degC);
  /// Every drift is below its limit beyond doubt.
  bool still() const;
  /// "force zero drifts 4.1 ± 0.8 mN/min (limit 2), about 6 min left"; the half-width is that of
  /// still().
  std::string describe() const;
  /// Of the event `warm_up`.
  std::string event_data(double waited_s) const;

 private:
  /// Means of a second of a quantity.
  class Blocks {
   public:
    /// The mean that has just ended, if one has.
    std::optional<std::pair<double, double>> add(double t_s, double value);

   private:
    double begun_s_ = 0, sum_ = 0;
    int count_ = 0;
  };
  const DriftWatch& worst_axis() const;
  std::string force_words() const;

  StillGate gate_;
  std::array<DriftWatch, 3> force_;
  std::array<Blocks, 3> force_blocks_;
  DriftWatch temperature_;
  Blocks temperature_blocks_;
  bool has_temperature_ = false;
};

}  // namespace tactelier

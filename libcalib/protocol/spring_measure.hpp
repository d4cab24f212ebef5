#pragma once
// Stiffness of a leaf spring from heights at rest under rising forces, behind the rig's own
// compliance c, by a line through them:
//   z = z0 - (1/k + c) F
// and how it compares with the stiffness that is stated: the deviation over the root of the sum of
// both expanded uncertainties squared (E_n, at most 1 where they agree). u(k) holds the line's
// slope by its residuals, 5 % of c, and the force sensor's gain by its certificate.

#include <optional>
#include <string>
#include <vector>

#include "libcalib/protocol/plan.hpp"

namespace tactelier {

struct SpringBasis {
  LeafSpring spring;
  double rig_m_per_N = 0;                // as the rig file states it
  std::optional<double> gain_u_percent;  // standard, of the force sensor's certificate
};

struct SpringFinding {
  double stiffness_N_per_m = 0, u_N_per_m = 0;  // standard
  double stated_N_per_m = 0, stated_u_N_per_m = 0;
  double rig_m_per_N = 0;
  int points = 0;
  double en = 0;

  bool agrees() const { return en <= 1; }
  std::string describe() const;
  /// Of the event `spring`.
  std::string event_data() const;
};

class SpringMeasure {
 public:
  void add(double z_m, double force_N) { points_.push_back({z_m, force_N}); }
  void clear() { points_.clear(); }
  /// Empty where fewer than four points, or no force, tell no line.
  std::optional<SpringFinding> find(const SpringBasis& basis) const;

 private:
  struct Point {
    double z_m, force_N;
  };
  std::vector<Point> points_;
};

}  // namespace tactelier

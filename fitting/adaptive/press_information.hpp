#pragma once
// What presses tell: from each, whether made or only thought of, the gains, thresholds, spread,
// registration and stiffness that it narrows, by how much. Linearised at what is believed.
//
// A press of peak force F at p gives of every tactel that answers its slope over the load and its
// threshold, reading = s_i (w_i(p) F' - h_i) for F' up to F: two numbers with the covariance of a
// regression over the frames of the way down. Their common scatter (of the whole press) couples the
// tactels; scatter of their own and the tip's place add to it. With J their derivatives by
//   ln s_i, ln h_i, ln sigma, shift x, y, turn, ghosting, ln k
// and S their covariance, a press takes  C J' (S + J C J')^-1 J C  from the covariance C.
// docs/theory/adaptive.md

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "fitting/adaptive/press_beliefs.hpp"
#include "libcalib/models/psf.hpp"

namespace tactelier::adaptive {

struct PressThought {
  double x_m = 0, y_m = 0;
  std::optional<int> tactel;  // on whose centre
  double force_N = 0;         // peak
  double depth_m = 0;
  double speed_m_per_s = 0;
  bool ramp = true;  // else one of a block: it says nothing of gains

  bool operator==(const PressThought&) const = default;
};

/// What one press would tell.
struct PressSays {
  std::vector<Eigen::Index> columns;  // of PressInformation, those that it touches
  Eigen::MatrixXd by;                 // rows by columns
  Eigen::MatrixXd covariance;         // of the rows
};

/// What is known before anything is pressed: standard, relative but for places.
struct PressPriors {
  double gain = 0.3, threshold = 0.5, sigma = 0.3, stiffness = 0.5;
  double shift_pitch = 0.2, turn_rad = 0.02;
  double ghosting = 0.02;
};

class PressInformation {
 public:
  /// Fails with kUnidentifiable on sensors without a point spread (curved, irregular without
  /// pitches) and tips whose contact grows with depth.
  static Result<PressInformation> create(const SensorDescription& sensor, const Indenter& tip,
                                         PressBeliefs beliefs, const PressPriors& priors = {});

  PressSays says(const PressThought& press) const;
  void add(const PressThought& press);
  /// By how much it lowers the variance of each parameter: what narrows the spread narrows all
  /// gains, also of tactels far away.
  Eigen::VectorXd would_lower(const PressSays& says) const;

  Eigen::Index gain_column(int tactel) const { return kShared + 2 * tactel; }
  Eigen::Index sigma_column() const { return kSigma; }
  Eigen::Index stiffness_column() const { return covariance_.rows() - 1; }
  /// Relative, of ln of the parameter.
  double variance(Eigen::Index column) const { return covariance_(column, column); }
  /// Nothing is known of that tactel after all.
  void forget(int tactel);

  const PressBeliefs& beliefs() const { return beliefs_; }
  const SensorDescription& sensor() const { return sensor_; }

 private:
  enum Shared : Eigen::Index { kSigma, kShiftX, kShiftY, kTurn, kGhosting, kShared };

  PressInformation(SensorDescription sensor, PsfLayout layout, PressFootprint footprint,
                   PressBeliefs beliefs, const PressPriors& priors);

  SensorDescription sensor_;
  PsfLayout layout_;
  PressFootprint footprint_;
  PressBeliefs beliefs_;
  double gain_prior_ = 0;
  std::array<double, 2> middle_m_{};
  Eigen::MatrixXd covariance_;
  std::vector<bool>
      pressed_;  // by tactel: k differs from place to place more than from press to press
};

}  // namespace tactelier::adaptive

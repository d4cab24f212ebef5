#pragma once
// From fits to the parameters of the model file: standard errors from repeats where there are any,
// from the scatter of other tactels' repeats or from within the press where there are none.

#include <cstdint>
#include <span>

#include "fitting/response/response_tactel.hpp"
#include "fitting/statistics/refusal.hpp"

namespace tactelier {

/// How much presses on the same tactel differ, all tactels with repeats together.
struct PressScatter {
  double gain_relative = 0;  // variance between presses beyond what each press's own noise explains
  double threshold_N2 = 0;
  double dof = 0;                 // 0: no tactel was pressed twice
  double threshold_relative = 0;  // variance over threshold squared, from the joint fit
  bool joint = false;             // holds what the joint fit of all presses shows

  /// Too few to tell how large the scatter is: its own t quantile widens the interval.
  bool few() const { return dof < 5; }
  double threshold_variance(double threshold_N) const {
    return threshold_N2 + threshold_relative * threshold_N * threshold_N;
  }
};
PressScatter pool_scatter(std::span<const TactelFit> fits);

struct ReportSettings {
  PressScatter scatter;
  double gain_u_percent = 0;    // of force sensor, temperature and creep, standard
  double force_offset_N = 0;    // by which forces were told too low while they rose,
  double u_force_offset_N = 0;  // its standard uncertainty
  int bootstrap_resamples = 1000;
  std::uint64_t seed = 1;
  const SensorDescription* sensor = nullptr;
  int fitted = 1;                               // tactels
  double largest_threshold_N = 0;               // of the tactels that answered; 0 when none did
  double median_offset = 0, offset_spread = 0;  // counts, of all tactels with free air
  std::map<int, Misplaced> misplaced;           // tactels that read presses on others
};
/// What has to be known of all tactels before one can be judged.
ReportSettings report_settings(std::span<const TactelFit> fits, const SensorDescription& sensor);

struct TactelReport {
  TactelResponse response;
  std::optional<CovarianceBlock> covariance;
  Warnings warnings;
  bool descriptive_only = false;  // ID-07
  bool rest_from_rows = false;    // its offset is where its line meets force 0
  std::string method;             // where the interval comes from
};

TactelReport report_tactel(const TactelFit& fit, const ReportSettings& settings, const Job& job);

}  // namespace tactelier

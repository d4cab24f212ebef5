#pragma once
// Which rate model, and may its number be reported?

#include <optional>
#include <string>

#include "fitting/damping/rate_data.hpp"
#include "fitting/statistics/identified.hpp"

namespace tactelier {

struct DampingEstimate {
  std::optional<RateFit> kelvin_voigt, hunt_crossley;
  RateModel chosen = RateModel::kElastic;
  bool decided = false;      // the other one is worse by more than chance
  Estimate value;            // c_n or d of the chosen one
  double half_sample = 0;    // what half a sample of the speed's timing makes of the value
  double within = 0;         // standard error from within the presses alone
  double effect = 0;         // of the force at the highest speed
  double repeatability = 0;  // of the force, from press to press at one speed
  double speed_m_per_s = 0;  // highest
  double force_N = 0;        // mean
  std::size_t presses = 0;
  Estimate delay_s;            // of force behind command, where the path is computed
  double delay_scatter_s = 0;  // of single lines about that
  bool planned = false;        // the protocol decides what is released, not the value
  std::string method;
  std::string refusal;  // of both numbers: code and words
  Warnings warnings;
};

DampingEstimate estimate_damping(const RateData& data);

}  // namespace tactelier

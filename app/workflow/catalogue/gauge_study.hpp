#pragma once
// Gauge repeatability and reproducibility: how much of the spread between sensors is the
// measurement's own, and how much of that is who measures. The crossed study of AIAG, Measurement
// Systems Analysis, 4th ed. 2010, chapter III: two-way analysis of variance with random effects.
//   x_ijk = mean + part_i + operator_j + (part x operator)_ij + repeat_ijk

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

/// values[part][operator][trial]: every operator measures every part equally often.
using GaugeTable = std::vector<std::vector<std::vector<double>>>;

/// A row of the table of variances.
struct VarianceSource {
  double sum_of_squares = 0;
  int degrees = 0;

  double mean_square() const { return degrees > 0 ? sum_of_squares / degrees : 0; }
};

/// With its 95 % interval.
struct GaugeEstimate {
  double value = 0, low = 0, high = 0;
};

struct GaugeStudy {
  std::size_t parts = 0, operators = 0, trials = 0;
  VarianceSource part, who, interaction, repeat;
  double interaction_p = 1;  // of its F test against the repeats
  bool pooled = false;       // p above 0.25: the interaction counts as repeats, as AIAG has it

  /// Standard deviations, in the parameter's unit.
  GaugeEstimate repeatability;     // EV: one operator, one part, again
  GaugeEstimate reproducibility;   // AV: between operators, their interaction with parts included
  GaugeEstimate gauge;             // GRR: both
  GaugeEstimate part_to_part;      // PV
  GaugeEstimate total;             // TV
  GaugeEstimate percent_of_total;  // %GRR = 100 GRR / TV
  int distinct_categories = 0;     // ndc = 1.41 PV / GRR, rounded down
};

/// Fails with kInvalidInput with fewer than 2 parts, operators or trials, where a cell has another
/// number of trials, or where nothing varies. A negative component of variance counts as 0. The
/// intervals are generalized confidence intervals (Burdick, Borror, Montgomery: Design and Analysis
/// of Gauge R&R Studies, SIAM 2005, chapter 3), from draws by `seed`.
Result<GaugeStudy> gauge_study(const GaugeTable& values, std::uint64_t seed = 1);

/// AIAG's words: "acceptable" below 10 %, "may be acceptable" to 30 %, else "not acceptable".
std::string gauge_verdict(const GaugeStudy& study);

}  // namespace tactelier

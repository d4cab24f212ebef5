#pragma once
// tactelier catalogue randomize: from a fleet to the distribution of sensors that domain
// randomisation draws from.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/workflow/catalogue/fleet_report.hpp"

namespace tactelier {

/// Mean and covariance of chosen parameters over the sensors in which all of them are identified.
/// Parameters that are positive in the whole fleet are taken by their logarithm, so that no drawn
/// stiffness is negative.
struct FleetDistribution {
  std::vector<std::string> paths;
  std::vector<std::string> units;
  std::vector<bool> logarithmic;
  std::vector<double> mean;        // of the value or its logarithm
  std::vector<double> covariance;  // row by row, n x n
  std::vector<double> measured;    // share of each variance that is the fits' own uncertainty
  std::vector<std::array<double, 2>> range;  // 5 % to 95 % of the fleet, in the unit
  std::size_t sensors = 0;
};

/// Fails with kUnidentifiable when too few sensors hold all paths: a covariance of n parameters
/// takes at least n + 2, and kMinFleet in any case. Earlier fits of a sensor don't count.
Result<FleetDistribution> fleet_distribution(const Catalogue& catalogue,
                                             const std::vector<std::string>& paths);

/// `count` x n values, drawn from the normal distribution of that mean and covariance; within the
/// fleet's control limits no bound is set.
std::vector<std::vector<double>> draw_sensors(const FleetDistribution& fleet, std::size_t count,
                                              std::uint64_t seed);

/// The model with the drawn values assumed from "catalogue"; of tactels each is scaled by the
/// drawn value over the median of its own.
Result<SensorModel> drawn_model(const SensorModel& base, const FleetDistribution& fleet,
                                const std::vector<double>& values);

struct RandomizeRequest {
  std::vector<std::string> paths;
  std::size_t draws = 0;
  std::uint64_t seed = 1;
  std::filesystem::path target;            // the distribution and the draws (.json)
  std::filesystem::path base{}, models{};  // a model and a folder: a model file per draw
};

struct RandomizeOutcome {
  FleetDistribution fleet;
  std::vector<std::filesystem::path> models;
};

Result<RandomizeOutcome> randomize_fleet(const Catalogue& catalogue,
                                         const RandomizeRequest& request);

}  // namespace tactelier

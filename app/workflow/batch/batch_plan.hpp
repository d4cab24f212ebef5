#pragma once
// A plan of many fits, one per sensor: which sessions go together, with which options, and what
// they were made to find. A file of its own (data/schemas/batch-plan.schema.json), so that a person
// can read and change it before anything is fitted, and so that every later call means the same.

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

/// What every fit of a plan is made with; as in FitRequest.
struct BatchOptions {
  std::vector<std::string> stages;    // empty: all
  std::vector<std::string> required;  // stages without which a sensor counts as incomplete
  std::vector<std::string> exports;   // formats written beside each model
  std::string sensor;                 // name or file; empty: the sessions' own
  std::uint64_t seed = 1;
  double holdout = 0;
};

/// A stage that the sessions were not recorded for.
struct MissingRecording {
  std::string stage;     // "psf"
  std::string protocol;  // "P8"
};

struct PlannedSensor {
  std::string id;      // names the folder of its results; unique within the plan
  std::string sensor;  // of the description
  std::string serial;  // "" when the sessions name none
  std::vector<std::filesystem::path> sessions;
  std::vector<std::string> stages;  // that the sessions were recorded for
  std::vector<MissingRecording> missing;
  std::string problem;  // why a session could not be looked at; it is tried all the same
};

/// Which stages a sensor's recordings were made for, by their protocols, and what is missing for
/// the others.
void plan_stages(const std::set<std::string>& protocols, const SensorDescription& description,
                 PlannedSensor& sensor);

struct BatchPlan {
  std::filesystem::path file;
  BatchOptions options;
  std::vector<PlannedSensor> sensors;

  /// "fleet.json" keeps its results in "fleet.results" beside it, one folder per sensor.
  std::filesystem::path results() const;
  std::filesystem::path results_of(const PlannedSensor& sensor) const;
  /// Locks and what is not whole yet; whatever stands here may be removed when nothing runs.
  std::filesystem::path work() const;
  /// A plan of that sensor alone, with the same results: a plan that lies in `work()`. What a
  /// worker is given, so that a sensor costs as much among thousands as among ten.
  std::filesystem::path part_of(const PlannedSensor& sensor) const;
};

/// Paths of sessions stand relative to the plan's folder where they lie below it.
Result<void> write_plan(const BatchPlan& plan);
Result<BatchPlan> read_plan(const std::filesystem::path& file);

/// The sensor of that id, or an error with "did you mean".
Result<const PlannedSensor*> find_sensor(const BatchPlan& plan, const std::string& id);

/// As the plan's file and the hash of a result's inputs hold them.
std::string options_text(const BatchOptions& options);

}  // namespace tactelier

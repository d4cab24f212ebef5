#pragma once
// A map as far as it is guessed: what was seen, what was answered, what is proposed already. The
// steps of a guess (columns, set-up, events) read and complete it, in this order.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/import/guess/guess_map.hpp"
#include "libcalib/import/guess/signals.hpp"
#include "libcalib/import/guess/table.hpp"
#include "libcalib/import/table_files.hpp"

namespace tactelier {

/// Of the load's range: a rise and a fall by so much are a cycle.
inline constexpr double kCycleShare = 0.1;

struct MapDraft {
  LookedAt table;  // a force in counts scaled, once it is known how
  const std::vector<TableFile>& tables;
  const GuessAnswers& answers;
  GuessedMap out = {};  // columns in the order of the table's
  nlohmann::json map = nlohmann::json::object();
  int tactels = 0;
  std::vector<double> time_s = {};  // of a time series
  bool static_readings = false;
  bool sled = false;    // moved sideways under load
  bool turned = false;  // the force falls when something presses

  /// The column that was given this role, nullptr: none was.
  const LookedAt::Column* column_of(std::string_view target) const;
  std::string unit_of(std::string_view target) const;
  /// Factor from that column's unit to SI; of a mass to its weight in newtons.
  double to_si(std::string_view target) const;
  /// The role of the column that says how much was pressed: "mass" or "force".
  std::string load_target() const;

  /// A joint that turns, and nothing that presses.
  bool of_joints() const;
  /// Rows of speed and friction, and no tactel; the load stands beside them or is stated.
  bool of_friction() const;

  /// What the load reads where nothing presses; 0 of readings at rest, each under its own load.
  double unloaded(const LookedAt::Column& load) const;
  /// How far the load goes below and above that.
  Swing swing(std::string_view target) const;
  /// Mean of all readings, row by row.
  std::vector<double> mean_reading() const;
  /// The load, rising when something presses.
  std::vector<double> pressing(const LookedAt::Column& load) const;

  void understood(std::string text);
  void ask(std::string key, std::string text, std::string otherwise);
};

// Each step fails with kUsage on an answer that makes no sense.

/// What each column is and in which unit; fails with kInvalidInput where none is a reading.
Result<void> guess_columns(MapDraft& draft);

/// Sampling, sensor, indenter, load and direction of the readings.
Result<void> guess_setup(MapDraft& draft);

/// Presses, slides, weights, rest and holds.
Result<void> guess_events(MapDraft& draft);

/// Whether places count from the middle of the array.
Result<void> guess_places(MapDraft& draft);

}  // namespace tactelier

#pragma once
// Writes small session folders for tests of the command line. The pad it describes is the plainest
// there is: force proportional to depth, counts on a straight line between trigger and saturation.

#include <string>
#include <vector>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {

struct PlainPad {
  double stiffness_N_per_mm = 2.0;
  double trigger_N = 0.2;
  double counts_per_N = 2400;
  double saturation_counts = 3840;
  double force_noise_N = 0;  // standard deviation
  double count_noise = 0;
  double offset_counts = 0;  // not 0: readings rest there, noise and all
};

struct PlainPress {
  int number = 1;
  int tactel = 0;
  double peak_N = 2.0;
  double gain_factor = 1.0;  // press-to-press scatter of the reading
};

/// A sensor of `rows` x `columns` (pitch 3.4 mm), pressed by a 1 mm pin: per press 1 s of free air,
/// a ramp up in 4 s, down in 4 s, 1 s of free air. Force at 200 Hz, stage and tactile at 100 Hz.
struct PlainSession {
  int rows = 2;
  int columns = 3;
  std::string sensor_json;  // instead of rows x columns
  std::string extra_json;   // further members of session.json: "\"rig\": {...},"
  std::string created = "2026-11-20T10:00:00Z";
  double pin_mm = 1.0;
  std::vector<std::string> extra_events;  // further lines of events.csv
  PlainPad pad;
  std::vector<PlainPress> presses;
  unsigned seed = 1;

  /// Writes NAME/session.json, force.csv, stage.csv, tactile.csv, events.csv.
  void write(const TestFolder& folder, const std::string& name) const;
};

}  // namespace tactelier::test

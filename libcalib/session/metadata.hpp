#pragma once
// session.json: what is known about a recording besides its samples (docs/session-format.md).

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"
#include "libcalib/sensor/indenter.hpp"
#include "libcalib/sensor/press_axis.hpp"
#include "libcalib/sensor/sensor_description.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

/// Which way each row of a stream is stamped; offset means host - device.
enum class Clock { kShared, kHost, kOwn };

/// Where the tip touches, in the stage frame.
struct Surface {
  double z0_m = 0;
  double tilt_x_rad = 0;
  double tilt_y_rad = 0;
};

/// p_S = R(rz) * M * p_G + (x, y), M = diag(-1, 1) when mirrored.
struct StageToSensor {
  double x_m = 0;
  double y_m = 0;
  double rz_rad = 0;
  bool mirror = false;
};

struct ForceSensor {
  std::string model;
  std::string calibration;
  std::string serial;
  PressAxis press_axis;
  double rz_rad = 0;
  Vector3 tip_m{0, 0, 0};
  std::string certificate_date;
  std::optional<double> gain_u_percent;  // standard uncertainty of its gain, from the certificate
};

/// How a single table became a session (import --map); absent for folders and recordings.
struct ImportedTable {
  std::string file;
  bool static_readings = false;    // row_is "press": each row is one reading at rest
  bool depth_from_contact = true;  // depth_reference "contact": stage z = 0 is the first touch
};

struct SessionMetadata {
  std::string document;  // canonical JSON text (sorted keys, no spaces): what is stored and hashed
  std::string created;   // UTC, "" when unknown
  SensorDescription sensor;
  std::string sensor_name;  // as written; "" when inline
  std::string sensor_serial;
  std::string mount;
  std::string operator_name;
  std::optional<Indenter> indenter;
  std::optional<ForceSensor> force_sensor;
  bool rig_described = false;  // a rig stands in session.json, with or without its compliance
  std::optional<double> compliance_m_per_N;
  double backlash_m = 0;                          // of the stage's z, as the rig file states it
  std::optional<double> plate_stiffness_N_per_m;  // of the rigid plate itself
  std::optional<StageToSensor> stage_to_sensor;
  std::optional<Surface> surface;
  double gravity_m_per_s2 = 9.80665;
  std::optional<double> temperature_degC;
  std::map<StreamKind, Clock> clocks;  // empty: all streams share one clock
  std::optional<ImportedTable> imported;
  std::string notes;

  Clock clock(StreamKind kind) const;
  /// The force sensor's; "z" where none is described.
  PressAxis press_axis() const { return force_sensor ? force_sensor->press_axis : PressAxis{}; }
};

/// Checks against data/schemas/session.schema.json and for sense. `where` stands in front of
/// messages, e.g. "session.json". A sensor is the name of a shipped description or inline, never a
/// file, so that a session means the same everywhere.
Result<SessionMetadata> parse_session_metadata(std::string_view json_text, std::string_view where);

}  // namespace tactelier

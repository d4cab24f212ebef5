#pragma once
// One writer per format a simulator reads. A value that is not identified is left out and listed;
// nothing is ever filled in silently.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// What the target could not be given: not identified, or nowhere to put it.
struct Loss {
  std::string path;       // "friction.mu_s"
  std::string reason;     // "unidentifiable: ..." or "OpenRAVE has no slot for it"
  bool has_slot = false;  // the target waits for it: a value may be assumed
};

/// A further file, to stand in the same folder as the main one, which may refer to it.
struct Sidecar {
  std::string name;  // the exporter's, of sensor and serial: "acme_pad_A_7_press.xml"
  std::string text;
};

struct Exported {
  std::string text;  // of the main file, whose name the user gives
  std::vector<Loss> losses;
  Warnings warnings;
  std::vector<Sidecar> sidecars{};
};

class Exporter {
 public:
  virtual ~Exporter() = default;
  virtual std::string_view id() const = 0;         // "openrave": as in --to
  virtual std::string_view title() const = 0;      // "OpenRAVE / OpenGRASP SimTactileSensor"
  virtual std::string_view extension() const = 0;  // ".xml"
  /// Fails with kInvalidInput when the model can't be written at all (k <= 0, mu_s < mu_d ...).
  virtual Result<Exported> write(const SensorModel& model) const = 0;
};

std::span<const Exporter* const> exporters();
/// By id; unknown ones fail with kUsage and "did you mean".
Result<const Exporter*> exporter(std::string_view id);

}  // namespace tactelier

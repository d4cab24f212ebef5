#pragma once
// In which registration the place of a press is stated: how the pad lies under the stage is found
// anew for each mounting, and whenever the stage was homed or the tip changed in between (event
// `register`, session.md). Each is right to a part of a tactel only, so that places before and
// after one differ by a shift and a turn that nobody states.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fitting/psf/psf_problem.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

class Registrations {
 public:
  explicit Registrations(double pitch_m) : pitch_m_(pitch_m) {}

  /// Number of that in which places at `time_s` are stated, counted as they are asked for. The
  /// same for sessions of one mounting that state the same stage_to_sensor.
  std::uint32_t at(const Session& session, double time_s);
  std::uint32_t count() const { return static_cast<std::uint32_t>(all_.size()); }
  /// Each with the first of its mounting.
  std::vector<PsfFrameTie> ties() const;

 private:
  struct Registration {
    std::string mount;
    StageToSensor frame;
  };
  double pitch_m_;
  std::vector<Registration> all_;
};

}  // namespace tactelier

#pragma once
// What a person looks at to believe the pressure field: force over depth of presses with balls,
// wedges and wide flat ends beside the field's, and the shares that the receptive radius comes
// from.

#include <optional>
#include <string>
#include <vector>

#include "fitting/engine/stage.hpp"
#include "fitting/views/psf_curve.hpp"

namespace tactelier {

/// Mean over a short stretch of a press.
struct HydroPoint {
  double depth_m = 0;  // from the contact point that fits all presses at the place
  double force_N = 0;
  double model_N = 0;
  bool inwards = true;
};

struct HydroPressCurve {
  std::size_t session = 0;  // index into the sessions given
  int press = 0;
  std::string indenter, site;
  double speed_m_per_s = 0;        // median while loading
  double modulus_Pa_per_m = 0;     // K_f at its place
  std::vector<HydroPoint> points;  // in time
};

struct HydroCurve {
  std::vector<HydroPressCurve> presses;
  std::string no_presses;  // why there are none
  std::optional<PsfCurve> spread;
  std::string no_spread;  // why there is none
};

/// Fails for damage and cancellation only.
Result<HydroCurve> hydro_curve(std::vector<FitSession> sessions, std::vector<SessionClocks> clocks,
                               const SensorModel& model, const Job& job);
/// Its presses alone, in a context that has its contacts.
Result<HydroCurve> hydro_presses_in(const FitContext& context);

}  // namespace tactelier

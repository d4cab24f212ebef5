#pragma once
// What a person looks at to believe the point spread: the share of the force that each tactel got
// of each press, by where the press stood, beside the model's kernel. Read by the code that fits.

#include <optional>
#include <string>
#include <vector>

#include "fitting/engine/stage.hpp"

namespace tactelier {

/// One tactel in one press.
struct PsfAnswer {
  std::size_t press = 0;  // index into PsfCurve::presses
  int tactel = 0;
  double x_m = 0, y_m = 0;  // of the press from the tactel's centre, registration applied
  double share = 0;         // of the press's force; 0 where the tactel stayed silent
  double u_share = 0;       // standard uncertainty from the readings' noise
  bool silent = false;      // below its threshold: its share is only known to be small
  double model = 0;         // the fitted share of the press where it stood
  double distance_m() const;
};

struct PsfCurvePress {
  std::size_t session = 0;  // index into the sessions given
  int number = 0;
  int tactel = 0;  // the nearest
};

/// Alternatives that the fit tried, with what the present form wins over them by.
struct PsfAlternative {
  std::string name;  // "anisotropic", "renormalised", "touching", "sampled"
  double delta_bic = 0;
  bool chosen = false;
};

struct PsfCurve {
  std::vector<PsfCurvePress> presses;
  std::vector<PsfAnswer> answers;
  /// Presses no further from a tactel's axis count as on it.
  double near_axis_m = 0;
  double pitch_x_m = 0, pitch_y_m = 0;
  double scatter = 0;  // of a share from press to press, relative
  /// The kernel through a tactel's centre: shares of presses that far along x and along y.
  std::vector<double> at_m, along_x, along_y;
  std::vector<PsfAlternative> alternatives;

  /// Index into presses; of the press given or, when it says nothing, of the one nearest to tactel.
  std::size_t press_to_show(std::optional<int> number, std::optional<int> tactel) const;
};

/// Fails for damage and cancellation, with kUnidentifiable and the reason while no spread is
/// identified.
Result<PsfCurve> psf_curve(std::vector<FitSession> sessions, std::vector<SessionClocks> clocks,
                           const SensorModel& model, const Job& job);
/// The same in a context that has its contacts.
Result<PsfCurve> psf_curve_in(FitContext& context);

}  // namespace tactelier

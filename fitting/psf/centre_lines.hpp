#pragma once
// What the point spread says of presses on tactels' centres.

#include <optional>
#include <vector>

#include "fitting/psf/psf_data.hpp"
#include "fitting/psf/psf_uncertainty.hpp"
#include "fitting/response/joint_line.hpp"

namespace tactelier {

/// Share of the calibration indenter's force that each tactel gets on its centre.
std::vector<double> centre_shares(const FitContext& context, const PsfData& data, const PsfFit& fit,
                                  const LogSpread& spread);

/// press_gain = gain/w and press_threshold = threshold/w, w the share on the centre, by tactel;
/// uncertainties with what gain and w have in common. Empty where presses have no scales of their
/// own, since then a tactel's own presses know as much, and on a strip, where w hangs on what falls
/// beside it.
std::vector<std::optional<JointLine>> centre_lines(const FitContext& context, const PsfData& data,
                                                   const PsfFit& fit,
                                                   const PsfUncertainty& uncertainty);

}  // namespace tactelier

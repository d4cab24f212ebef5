#pragma once
// Which presses speak for which tactel.

#include <cstddef>
#include <vector>

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

struct SelectedPress {
  std::size_t row = 0;  // index into context.contacts and model.presses
  bool held_out = false;
};

/// selection[tactel]: presses on its centre with the calibration indenter (press_indenter.hpp).
/// Presses left out are marked so in model.presses. Kinds speed, chirp, hold and cycle count only
/// for tactels that have no other press. Of presses at several places on one tactel only
/// those nearest to its centre count. options.holdout of all presses are held out, drawn by seed
/// from tactels pressed more than once, so that every tactel keeps one.
std::vector<std::vector<SelectedPress>> select_presses(FitContext& context, Warnings& warnings);

}  // namespace tactelier

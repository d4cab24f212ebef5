#pragma once
// The one edge between the simulated pad and the rest: a sensor model file says what is true of a
// pad, and a pad's truth is written as one, beside a recording, for comparison with what was
// fitted.

#include "libcalib/pad/effects.hpp"
#include "libcalib/pad/pad_truth.hpp"
#include "libcalib/result.hpp"

namespace tactelier {
struct SensorModel;
}

namespace tactelier::pad {

struct TruthFromModel {
  PadTruth truth;
  Warnings warnings;  // "TRUTH": what the file leaves open and what was taken for it
};

/// null means absent. Needs a stiffness (foundation_modulus, k or k_punch), a frame rate and, for
/// every tactel, gain or press_gain; tactels without are dead. The indenter that k_punch and
/// press_gain refer to must be described as in "cylinder 1 mm".
Result<TruthFromModel> truth_from_model(const SensorModel& model);

/// All values with status `assumed`, from "truth". press_gain and press_threshold are what a press
/// on the tactel's centre shows: with the ghosting of its readings. Curves are without.
Result<SensorModel> model_from_truth(const PadTruth& truth, const ReadingEffects& reading = {});

}  // namespace tactelier::pad

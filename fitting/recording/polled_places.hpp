#pragma once
// Beside an encoder a stage's rows come at the encoder's samples, and its places are what the stage
// said last: a thousand rows a second that hold a place for a tenth of one. Taken as they stand
// they are a motion in jerks that nobody measured.

#include "libcalib/session/session.hpp"

namespace tactelier {

/// One row for each answer of the stage: where a column changes, and while none does one at the
/// usual distance between changes before each change and before the end. Rows whose columns change
/// all the time stay as they are.
Samples polled_places(const Samples& rows);

}  // namespace tactelier

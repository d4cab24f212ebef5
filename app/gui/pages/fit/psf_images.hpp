#pragma once
// What the point spread's plot shows beside its slice: images of one press, the kernel, and the
// other forms that the fit tried.

#include "app/gui/widgets/image_tiles.hpp"
#include "fitting/views/psf_curve.hpp"

namespace tactelier::gui {

/// Measured, model, difference and kernel around the tactel under a press.
std::vector<ImageTile> psfImages(const PsfCurve& curve, std::size_t press,
                                 const SensorModel& model);

/// Form and BIC over that of the form chosen; `curve` and `model` may be nullptr.
TableContent psfAlternatives(const PsfCurve* curve, const SensorModel* model);

/// Which form was chosen, and what speaks against it.
QString psfVerdict(const SensorModel& model);

}  // namespace tactelier::gui

#pragma once
// The course of an image press that a stage made, out of its recording.

#include <optional>

#include "app/workflow/image_course.hpp"
#include "fitting/recording/session_clocks.hpp"
#include "libcalib/job.hpp"
#include "libcalib/session/image_press.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

/// Between `after_s` and `before_s`, the neighbouring presses. Empty where the session has no
/// force, or the press no free air before it.
Result<std::optional<ImageCourse>> recorded_course(const Session& session,
                                                   const SessionClocks& clocks,
                                                   const ImagePress& press, TimeRange neighbours,
                                                   const TactelReadout& readout, const Job& job);

/// Largest force until then.
double crest_N(const ImageCourse& course, double until_s);

}  // namespace tactelier

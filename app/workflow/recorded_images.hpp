#pragma once
// The image presses of a session as they were measured, for predictions to be compared with.

#include <string>
#include <vector>

#include "app/workflow/image_course.hpp"
#include "app/workflow/open_session.hpp"
#include "libcalib/forward/tactel_readout.hpp"
#include "libcalib/session/image_press.hpp"

namespace tactelier {

struct RecordedImage {
  std::string session;  // its name
  std::string mount;
  ImagePress press;
  double load_N = 0;
  bool load_measured = false;  // by the force sensor, else as stated
  std::vector<double> counts;  // above rest, mean of the readings; NaN where there are none
  std::size_t readings = 0;    // that each mean is of
  double under_load_s = 0;     // in the middle of those readings
  double crest = 1;            // largest force of the press until then over load_N, where measured
  std::optional<ImageCourse> course{};  // of a press by the stage

  bool by_hand() const { return press.mass_kg.has_value(); }
};

struct RecordedImages {
  std::vector<RecordedImage> images;
  Warnings warnings;  // of presses that could not be read
};

/// Means over the last second of each image press. Rest is the mean of the nearest `zero` interval,
/// else the model's offset; the load that of the force sensor, tared there too, else what the
/// event states. Fails with kInvalidInput when the session is of another sensor.
Result<RecordedImages> recorded_images(const OpenSession& opened, const SensorModel& model,
                                       const TactelReadout& readout, const Job& job);

}  // namespace tactelier

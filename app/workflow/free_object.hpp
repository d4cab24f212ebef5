#pragma once
// tactelier simulate --free: a rigid body that falls, settles, sticks and slides on the sensor
// (docs/theory/forward.md 11).

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "libcalib/forward/image_file.hpp"
#include "libcalib/forward/object_on_sensor.hpp"
#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

struct FreeObjectRequest {
  std::filesystem::path model;  // of a model that is at hand its name, for messages
  std::string indenter;         // its shape: JSON or file
  /// Where the tip begins. Unlike those of a press the tilts are true turns, after rz.
  PressPose pose;
  double mass_kg = 0;
  double height_m = 0;                      // of flat-ended shapes and wedges
  double drop_m = 0;                        // from there; 0: laid on
  double slope_x_rad = 0, slope_y_rad = 0;  // turns of the sensor, so that gravity leans
  double gravity_m_per_s2 = kStandardGravity_m_per_s2;
  double time_s = 2, step_s = 1e-4;
  bool counts = false;           // the image in what the device would report, else newtons
  std::filesystem::path course;  // CSV of the motion; empty: none
  bool overwrite = false;
};

/// How the body stands and what the sensor feels then.
struct ObjectState {
  double time_s = 0;
  ObjectMotion motion;
  double load_N = 0;  // along the normals
  Vector3 friction_N{0, 0, 0};
};

struct FreeObjectOutcome {
  ImageFile image;  // at the end
  ObjectState end;
  std::vector<ObjectState> course;  // up to the end, 2000 states at most
  ContactWrench wrench;
  double weight_N = 0;
  Warnings warnings;  // FW-11, FW-12
};

/// Turns about x, y (of S) and z (its own) that `motion` is made of, in rad.
Vector3 turns_of(const ObjectMotion& motion);

/// Fails with kUnidentifiable, FW-05, where the model has no stiffness; FW-06 where the pad can't
/// carry the body or it falls off; FW-07 on numbers that are none.
Result<FreeObjectOutcome> settle_object(const FreeObjectRequest& request, const Job& job);
/// The same with a model that is at hand.
Result<FreeObjectOutcome> settle_object(const SensorModel& model, const FreeObjectRequest& request,
                                        const Job& job);

}  // namespace tactelier

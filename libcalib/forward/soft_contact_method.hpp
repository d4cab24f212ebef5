#pragma once
// Forward model `soft-contact` at rest: a spring under each tactel, as deep as the tactel's ray
// finds the indenter (docs/theory/forward.md 10).
//   f_i = k H(d_i) + c_n v (n_i . z),   load = sum of f_i (n_i . z),
//   torque = sum of p_i x (-f_i n_i)
// v is the approach speed of the tip, 0 at rest. The indenter comes down along -z of S and tilts by
// adding a plane to its underside, as PressPose has it; nothing drags along the surface. What the
// readings make of f_i is the response's to say. In time, with friction: object_on_sensor.hpp.
//
// Samples points: a body that fits between tactels' centres touches nothing (FW-01), and an edge is
// a row off at most. Valid for flat arrays and for curved ones with normals. Frame: S.

#include <optional>
#include <vector>

#include "libcalib/forward/forward_method.hpp"
#include "libcalib/forward/foundation_column.hpp"
#include "libcalib/forward/tactel_ray.hpp"

namespace tactelier {

/// Area of the layer that belongs to one tactel of the first array.
double cell_area_m2(const SensorDescription& sensor);

class SoftContactMethod : public ForwardMethod {
 public:
  /// Never fails for want of stiffness: a level face under a force needs none.
  static Result<SoftContactMethod> create(const SensorModel& model);

  /// depth_m is that of the tip below the surface; on a curved array, from where the first tactel
  /// is touched. Fails with FW-01 where no tactel's ray meets the indenter, FW-06 where the load or
  /// the depth goes beyond the range, kUnidentifiable, FW-05, where the load has no stiffness to
  /// meet.
  Result<PressImage> press(const StaticPress& press) const override;

 private:
  struct Contact;
  PressImage image_at(const StaticPress& press, const Contact& contact, double depth_m) const;
  void warn(const StaticPress& press, const IndenterSurface& surface, double depth_m,
            Warnings& warnings) const;

  SensorDescription sensor_;
  std::vector<TactelRay> rays_;
  bool flat_ = true;
  double range_m_ = 0;
  std::optional<FoundationColumn> column_;
};

}  // namespace tactelier

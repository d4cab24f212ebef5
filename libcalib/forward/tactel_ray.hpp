#pragma once
// Where a rigid body dents a sensor, felt along one ray per tactel: the point model of Moisio et
// al. (docs/theory/forward.md 10). The ray of tactel i comes from inside the pad,
//   p(t) = x_i - t n_i,   t from the range down to 0,
// along the surface's normal n_i through the tactel's centre x_i; the t at which it first meets the
// body is the indentation depth of the tactel, 0 where it meets none.
//
// Frame: S, metres. Flat arrays, and curved ones by the normals of their description.
// Source: Moisio, Leon, Korkealaakso, Morales: Model of tactile sensors using soft contacts and its
// application in robot grasping simulation, Robotics and Autonomous Systems 61(1), 2013, Algorithm
// 1.

#include <vector>

#include "libcalib/forward/foundation_contact.hpp"
#include "libcalib/forward/indenter_surface.hpp"
#include "libcalib/forward/vector3.hpp"

namespace tactelier {

struct TactelRay {
  Vector3 centre_m;  // of the tactel, on the undeformed surface
  Vector3 normal;    // out of the pad, length 1
};

/// One for each tactel, by its index in the sensor.
std::vector<TactelRay> tactel_rays(const SensorDescription& sensor);

/// All tactels in one plane z = constant.
bool is_flat(const std::vector<TactelRay>& rays);

/// Where an indenter stands: a point p of S has the local coordinates local_from_S (p - tip).
struct IndenterFrame {
  Vector3 tip_m{0, 0, 0};
  Matrix3 local_from_S = kNoTurn;

  /// The tip at z = 0; it comes down along -z, turned by rz and sheared by its tilt.
  static IndenterFrame of(const PressPose& pose);
};

/// Depth at which the ray meets the underside, at most `range_m`; that means "there or deeper".
/// Exact for level faces, meshes and rays along the local z; else found by steps of range/128, so
/// that a thinner body can be missed by a slanting ray.
double depth_along_m(const TactelRay& ray, const IndenterSurface& surface,
                     const IndenterFrame& frame, double range_m);

}  // namespace tactelier

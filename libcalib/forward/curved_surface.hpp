#pragma once
// Samples of a curved array's surface, from nothing but its tactels' places: rows and columns are
// joined by parabolas (docs/theory/forward.md 12). Between tactels that lie on a cylinder of radius
// R, pitch h apart, it is off by less than h^3/(15 R^2).
//
// Frame: S, metres.

#include <vector>

#include "libcalib/forward/tactel_ray.hpp"

namespace tactelier {

struct SurfaceSample {
  TactelRay ray;  // place and normal
  double area_m2 = 0;
};

/// `per_cell` squared samples for each tactel, tactel after tactel, at the midpoints of its cell,
/// which reaches half way to its neighbours and as far beyond the border. Normals are turned to the
/// side of the tactels'. An array of one row is as wide as its pitch across its normals.
std::vector<SurfaceSample> surface_samples(const SensorDescription& sensor, int per_cell);

}  // namespace tactelier

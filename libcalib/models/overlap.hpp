#pragma once
// How much of a flat elastic layer a rigid indenter takes up. On a pressure-field pad the pressure
// is K_f times the local depth, so the force of any shape is K_f times this volume
// (docs/theory/pressure-field.md 2), and volumes alone tell shapes apart.

#include <optional>

#include "libcalib/sensor/indenter.hpp"

namespace tactelier {

struct Overlap {
  double volume_m3 = 0;
  double area_m2 = 0;  // d(volume)/d(depth): of the contact seen from above
};

/// At `depth_m` of the tip below the undeformed surface; zero above it. Empty for shapes without a
/// closed form (meshes, compounds) and for plates, whose area is the array's.
std::optional<Overlap> slab_overlap(const Indenter& indenter, double depth_m);

/// Whether the layer's shear beside the contact may be left out: the contact grows from a point or
/// a line, or the flat face is at least twice as wide as the layer is thick.
bool follows_foundation(const Indenter& indenter, double thickness_m);

}  // namespace tactelier

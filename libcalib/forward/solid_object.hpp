#pragma once
// A solid body of even density in the shape of an indenter: where its mass is and how hard it
// turns.

#include "libcalib/forward/rigid_object.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// `height_m`: of shapes that state none, flat-ended ones and wedges; not looked at by others.
/// Parts of a compound are of one density. Products of inertia are left out, so a body should be
/// symmetric about its x-z or y-z plane. Fails with kInvalidInput, FW-07, on a mass that is not
/// positive and a height that is missing, and on a plate, whose size nobody knows; on meshes as
/// read_mesh() does.
Result<RigidObject> solid_object(const Indenter& shape, double mass_kg, double height_m);

}  // namespace tactelier

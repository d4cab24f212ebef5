#pragma once
// What indenters over an exported pad are made of, in MJCF: bodies that slide, under a load to
// a rest or as they are driven, shapes that press and don't rub.

#include <pugixml.hpp>
#include <string>

#include "libcalib/result.hpp"
#include "reports/export/mujoco_pad.hpp"

namespace tactelier::mjcf {

/// Half of a plate's thickness.
inline constexpr double kPlateHalf_m = 0.005;
inline constexpr double kBesidePad_m = 0.05;  // of plates beyond the pad

/// The exported file, in which nothing falls and the solver works as exactly as it does there,
/// whatever is added. Fails with kInvalidInput when it is no MJCF.
Result<void> read_pad(const std::string& mjcf, const MujocoPad& pad, pugi::xml_document& document);

/// Along z, coming to rest without swinging on springs of this stiffness in all; the inertia keeps
/// the damping stable.
void add_resting_slide(pugi::xml_node body, const char* name, double stiffness_N_per_m,
                       double time_step_s);
/// What moves at the speeds that it is given and doesn't mind the pad.
void add_driven_slide(pugi::xml_node body, const char* name, const char* axis);

pugi::xml_node add_body(pugi::xml_node world, const char* name, const std::string& position);
/// `size` as the type has it.
pugi::xml_node add_shape(pugi::xml_node body, const char* type, const std::string& size);
/// Without friction: where contacts lean it would make tips tremble (MuJoCo 2), and at rest it
/// carries nothing. What tips' contacts are like otherwise is taken from the exported file.
void make_slippery(pugi::xml_node geom);

/// Nothing of the pad is farther from its middle, along x or along y.
double reach_m(const MujocoPad& pad);

}  // namespace tactelier::mjcf

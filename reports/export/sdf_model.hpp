#pragma once
// A pad as elements of SDFormat 1.9.

#include <pugixml.hpp>

#include "reports/export/sdf_pad.hpp"

namespace tactelier {

/// <model> in `parent`, a root or a world.
pugi::xml_node add_sdf_model(const SensorModel& model, const SlotContents& contents,
                             const SdfPad& pad, pugi::xml_node parent);

/// A world in which a weight lies on the pad; <model> of the pad stands in it.
pugi::xml_node add_sdf_world(const SdfPad& pad, const PadWeight& weight, pugi::xml_node root);

inline constexpr double kSdfGravity_m_per_s2 = 9.81;

}  // namespace tactelier

#pragma once
// A pad in URDF: a link "pad", and fixed to it a link with a sphere per tactel.

#include <functional>
#include <pugixml.hpp>

#include "reports/export/tactel_pad.hpp"

namespace tactelier {

inline constexpr double kUrdfPad_kg = 0.1;   // a pad's mass is not known: this stands for it
inline constexpr double kUrdfTip_kg = 1e-3;  // fixed to it

/// The link "pad", then link and joint of each tactel. `first` adds what a reader wants in front of
/// a tactel's other elements.
void add_urdf_links(const TactelPad& pad, pugi::xml_node robot,
                    const std::function<void(pugi::xml_node link)>& first);

}  // namespace tactelier

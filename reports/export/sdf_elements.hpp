#pragma once
// What every file in SDFormat is made of, whoever reads it.

#include <pugixml.hpp>
#include <string>

#include "reports/export/tactel_places.hpp"

namespace tactelier {

/// <sdf version="1.9"> with a name space of its own beside SDFormat's: "xmlns:drake".
pugi::xml_node add_sdf_root(pugi::xml_document& document, const char* prefix, const char* uri);

/// "x y z roll pitch yaw"
std::string sdf_pose_text(const Vector3& position_m, const Vector3& rpy_rad);

/// Centre of a tactel's tip in the pad's frame, turned as the tactel is.
std::string sdf_tip_pose(const TactelPlace& place);

/// A solid of that mass, the same about all axes.
void add_sdf_inertial(pugi::xml_node link, double mass_kg, double radius_m);

/// <pose> and the sphere of a tactel's tip.
void add_sdf_sphere(pugi::xml_node node, const TactelPlace& place, const std::string& pose);

}  // namespace tactelier

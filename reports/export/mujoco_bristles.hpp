#pragma once
// A pad on bristles in MuJoCo: two joints per tactel along the surface with LuGre's friction each,
// and the loop that it wants after each step, as a module for Python. The loop scales each tactel's
// friction by the load on it, which MJCF can't say, makes both joints one friction alike in all
// directions, and puts each tip back on its place: of a tip that sticks to what slides, the speed
// alone matters.

#include <pugixml.hpp>
#include <span>
#include <string>

#include "reports/export/mujoco_pad.hpp"

namespace tactelier {

/// "acme_pad_A_7_lugre.xml", the pad, and "acme_pad_A_7_lugre.py", its loop.
std::string bristle_file_name(const TactelPad& pad);
std::string bristle_loop_name(const TactelPad& pad);

/// `opening`: lines of the comment at the top. The pad has bristles.
std::string bristle_loop_text(const MujocoPad& pad, std::span<const std::string> opening);

/// The class "bristle" of joints and motors, under <default>.
void add_bristle_default(const MujocoBristles& bristles, const SlotContents& contents,
                         pugi::xml_node defaults);
/// "NAME_x" and "NAME_y", before the joint along the normal.
void add_bristle_joints(const std::string& name, pugi::xml_node body);
/// Under <mujoco>: a motor for each of them.
void add_bristle_motors(const MujocoPad& pad, pugi::xml_node root);

}  // namespace tactelier

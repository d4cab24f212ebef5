#pragma once
// An exported pad under one indenter as a recording has it: where it stood, how it was turned and
// tilted. Without gravity; the indenter slides along z alone, as the stage or a level hand has it.

#include <string>

#include "libcalib/forward/press_image.hpp"
#include "libcalib/result.hpp"
#include "reports/export/mujoco_pad.hpp"

namespace tactelier {

inline constexpr const char* kRecordedPress = "tactelier_indenter_z";

/// Frame S; at rest the tip touches the surface of a level pad. Balls and lying cylinders are a
/// tip's radius smaller, since tips of the pad feel them grown by as much (pad_shapes.hpp); what
/// has flat faces stands as it is, since tips feel rims no farther beside their middles than that.
/// Fails with kUnidentifiable for shapes that can't be put there: wedges, ellipsoids, meshes, and
/// what is rounder than the tips.
Result<std::string> recorded_press_scene(const std::string& mjcf, const MujocoPad& pad,
                                         const Indenter& indenter, const PressPose& pose);

}  // namespace tactelier

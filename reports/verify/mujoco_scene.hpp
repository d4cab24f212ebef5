#pragma once
// An exported pad with what presses it, parked above until it is needed: a plate that lies on it, a
// ram (a plate too heavy to be slowed down, along z and along x), and a ball; where images are
// compared, a large ball and a strip. Without gravity.

#include <string>

#include "libcalib/result.hpp"
#include "reports/export/mujoco_pad.hpp"
#include "reports/verify/pad_shapes.hpp"

namespace tactelier {

inline constexpr const char* kPlateBody = "tactelier_plate";
inline constexpr const char* kPlatePress = "tactelier_plate_z";
inline constexpr const char* kRamBody = "tactelier_ram";
inline constexpr const char* kRamSlide = "tactelier_ram_x";
inline constexpr const char* kRamPress = "tactelier_ram_z";
inline constexpr const char* kBallBody = "tactelier_ball";
inline constexpr const char* kBallPress = "tactelier_ball_z";
inline constexpr const char* kLargeBallBody = "tactelier_large_ball";
inline constexpr const char* kLargeBallPress = "tactelier_large_ball_z";
inline constexpr const char* kStripBody = "tactelier_strip";
inline constexpr const char* kStripPress = "tactelier_strip_z";

inline constexpr double kParked_m = 1;
/// Of the ball: its body stands so far above what it touches.
double ball_radius_m(const MujocoPad& pad);

/// `mjcf`: the main file as it was exported. Fails with kInvalidInput when it is no MJCF.
Result<std::string> mujoco_scene(const std::string& mjcf, const MujocoPad& pad,
                                 const std::optional<PadShapes>& shapes);

}  // namespace tactelier

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

/// Half of the plate's thickness and the ball's radius: where their bodies stand when they touch.
inline constexpr double kPlateHalf_m = 0.005;
inline constexpr double kSlideRoom_m = 0.05;  // of plates beyond the pad
inline constexpr double kParked_m = 1;
/// Of the large ball and the strip: a lighter one dances with single tips (MuJoCo 2).
inline constexpr double kShapeInertia_kg = 0.2;
double ball_radius_m(const MujocoPad& pad);

/// `mjcf`: the main file as it was exported. Fails with kInvalidInput when it is no MJCF.
Result<std::string> mujoco_scene(const std::string& mjcf, const MujocoPad& pad,
                                 const std::optional<PadShapes>& shapes);

}  // namespace tactelier

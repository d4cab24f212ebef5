#pragma once
// What a press is for: `kind` of press_begin in event.schema.json.

#include <array>
#include <optional>
#include <string_view>

namespace tactelier {

enum class PressKind {
  kRamp,       // to a force or depth and back
  kStaircase,  // with rests on the way
  kRepeat,     // a ramp where one was before
  kHold,       // of a force or a depth: creep, relaxation
  kCycle,      // loaded and unloaded several times
  kSpeed,      // as fast as stated: damping
  kChirp,      // small oscillation of rising frequency about a depth
  kRaster,     // one of a grid of places
  kArea,       // a plate over the whole array
};

inline constexpr std::array kPressKinds{
    PressKind::kRamp,  PressKind::kStaircase, PressKind::kRepeat,
    PressKind::kHold,  PressKind::kCycle,     PressKind::kSpeed,
    PressKind::kChirp, PressKind::kRaster,    PressKind::kArea};

std::string_view to_string(PressKind kind);
std::optional<PressKind> press_kind_from(std::string_view name);

/// Loads one place slowly: the stiffness of a loading and an unloading branch.
constexpr bool has_slow_branches(PressKind kind) {
  return kind == PressKind::kRamp || kind == PressKind::kStaircase || kind == PressKind::kRepeat;
}

/// Shows how the force depends on the rate.
constexpr bool shows_rate(PressKind kind) {
  return kind == PressKind::kSpeed || kind == PressKind::kChirp;
}

/// Made for what changes with time; a static reading or spread comes second.
constexpr bool is_dynamic(PressKind kind) {
  return shows_rate(kind) || kind == PressKind::kHold || kind == PressKind::kCycle;
}

}  // namespace tactelier

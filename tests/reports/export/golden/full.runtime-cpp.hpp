#pragma once
// Raw readings of a tactile sensor to newtons.
//
// Sensor: Acme Pad 2x3, serial A-7
// Fitted: 2026-11-20T10:00:00Z by tactelier 0.1.0
// Model: sha256 ...
// Recording: monday.tact, content aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, edited
// Valid for normal force 0 .. 1.5 N
// Valid for indentation depth 0 .. 0.001 m
// Indenters: cylinder 1 mm
// Assumed: sensor.thickness_m=0.006 (user); stiffness.k=58.5 (user); friction.mu_s=0.435 (user); friction.mu_d=0.23 (user)
// Tactels: numbered row by row, array after array, from 0; columns go along +x, rows along +y
// Array 0: tactels 0 .. 5, 2 rows x 3 columns
// Force: of the calibration indenter (cylinder 1 mm) over a tactel's centre that gives this reading;
//   not a tactel's own share, and nothing is said outside the range of validity
// Uncalibrated: 1 of 6 tactels
//
//   const auto newtons = tactelier_Pad_2x3_A_7::newtons(tactel, reading);
//   if (newtons.flag == tactelier_Pad_2x3_A_7::Flag::kOk) ... newtons.force_N
//
// No force is NaN: don't compile with -ffast-math.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace tactelier_Pad_2x3_A_7 {

enum class Flag : unsigned char {
  kOk,
  kBelow,         // within the dead zone, or below the curve: no force
  kSaturated,     // at least this force
  kUncalibrated,  // the model knows no newtons for this tactel: no force
  kMissing        // the reading is NaN: no force
};

inline const char* to_string(Flag flag) {
  constexpr const char* kNames[] = {"ok", "below", "saturated", "uncalibrated", "missing"};
  return kNames[static_cast<std::size_t>(flag)];
}

struct Newtons {
  double force_N;  // NaN: no force
  Flag flag;
};

constexpr std::size_t kTactels = 6;

namespace detail {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

enum class Kind : unsigned char { kNothing, kLine, kKnots, kLaw };

/// Counts that rise with the force; kNone: the tactel has no such thing.
struct Tactel {
  Kind kind;
  double offset, dead, threshold_N, gain_N_per_count, ceiling, saturation;
  std::size_t curve;
};

// kind, offset, dead zone above it, threshold [N], gain [N/count], ceiling, saturation, curve
constexpr Tactel kTactel[kTactels] = {
    {Kind::kKnots, 60, 12, 0.1, 0.00125, 3836, 3840, 0},  // 0
    {Kind::kKnots, 61, 12, 0.1, 0.00125, 3836, 3840, 1},  // 1
    {Kind::kKnots, 62, 12, 0.1, 0.00125, 3836, 3840, 2},  // 2
    {Kind::kNothing, kNone, kNone, kNone, kNone, kNone, kNone, 0},  // 3
    {Kind::kLine, 64, 12, 0.1, 0.00125, 3836, 3840, 0},  // 4
    {Kind::kLine, 65, 12, 0.1, 0.00125, 3836, 3840, 0},  // 5
};

/// Ends in counts, and where its `size` knots or coefficients begin.
struct Curve {
  double below, lowest, highest, beyond;
  std::size_t first, size;
};

// below, lowest, highest, beyond [counts], first, size
constexpr Curve kCurves[] = {
    {48, 60, 960, 972, 0, 3},
    {48, 60, 961, 973, 3, 3},
    {48, 60, 962, 974, 6, 3},
};

// force [N], counts
constexpr double kKnots[][2] = {
    {0.1, 60},
    {0.5, 460},
    {1.5, 960},
    {0.1, 60},
    {0.5, 460},
    {1.5, 961},
    {0.1, 60},
    {0.5, 460},
    {1.5, 962},
};

inline double between_knots(const Curve& curve, double counts) {
  const double(*knots)[2] = kKnots + curve.first;
  std::size_t left = 0;
  for (std::size_t more = curve.size - 1; more > 1; more -= more / 2)
    left = knots[left + more / 2][1] <= counts ? left + more / 2 : left;
  const double* low = knots[left];
  const double* high = knots[left + 1];
  return low[0] + (high[0] - low[0]) / (high[1] - low[1]) * (counts - low[1]);
}

inline Newtons on_curve(const Tactel& tactel, double counts, Flag flag) {
  const Curve& curve = kCurves[tactel.curve];
  if (counts < curve.below) return {kNone, Flag::kBelow};
  if (counts > curve.beyond) flag = Flag::kSaturated;
  const double inside = std::min(std::max(counts, curve.lowest), curve.highest);
  return {between_knots(curve, inside), flag};
}

}  // namespace detail

/// `tactel` < kTactels; `reading` as the sensor gives it.
inline Newtons newtons(std::size_t tactel, double reading) {
  const detail::Tactel& line = detail::kTactel[tactel];
  if (std::isnan(reading)) return {detail::kNone, Flag::kMissing};
  if (line.kind == detail::Kind::kNothing) return {detail::kNone, Flag::kUncalibrated};
  const double counts = reading;
  const bool saturated = counts >= line.ceiling;
  const double held = saturated ? line.saturation : counts;
  const double above = held - line.offset;
  if (above <= line.dead) return {detail::kNone, Flag::kBelow};
  const Flag flag = saturated ? Flag::kSaturated : Flag::kOk;
  if (line.kind != detail::Kind::kLine) return detail::on_curve(line, held, flag);
  return {line.threshold_N + line.gain_N_per_count * above, flag};
}

/// `readings`: frames x kTactels, frame after frame; forces and flags get as many places.
template <class Reading>
void newtons(const Reading* readings, std::size_t frames, double* forces_N, Flag* flags) {
  for (std::size_t frame = 0; frame < frames; ++frame)
    for (std::size_t tactel = 0; tactel < kTactels; ++tactel) {
      const std::size_t at = frame * kTactels + tactel;
      const Newtons result = newtons(tactel, static_cast<double>(readings[at]));
      forces_N[at] = result.force_N;
      flags[at] = result.flag;
    }
}

}  // namespace tactelier_Pad_2x3_A_7

#include "tests/libcalib/protocol/plan_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "libcalib/session/events.hpp"

namespace tactelier {
namespace {

constexpr double kTiny_m = 1e-10;

double norm(const Vector3& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

bool in_contact(Phase phase) {
  return phase == Phase::kLoad || phase == Phase::kHold || phase == Phase::kUnload ||
         phase == Phase::kSlide || phase == Phase::kOscillate;
}

/// Speeds by differences of positions, so that the closed form is checked too.
std::string limits_kept(const Segment& s, const StageLimits& stage) {
  constexpr int kSamples = 40;
  constexpr double kSlack = 1 + 1e-6;
  const double step_s = s.motion.duration_s() / kSamples;
  if (step_s <= 0) return "";
  for (int i = 0; i < kSamples; ++i) {
    const auto a_m = s.motion.position_m(i * step_s);
    const auto b_m = s.motion.position_m((i + 1) * step_s);
    const double xy = std::hypot(b_m[0] - a_m[0], b_m[1] - a_m[1]) / step_s;
    const double z = std::abs(b_m[2] - a_m[2]) / step_s;
    if (xy > stage.xy_speed_m_per_s * kSlack + 1e-9) return fmt::format("{} m/s along x, y", xy);
    if (z > stage.z_speed_m_per_s * kSlack + 1e-9) return fmt::format("{} m/s along z", z);
    const auto v0 = s.motion.velocity_m_per_s(i * step_s);
    const auto v1 = s.motion.velocity_m_per_s((i + 1) * step_s);
    const double a = norm({v1[0] - v0[0], v1[1] - v0[1], v1[2] - v0[2]}) / step_s;
    if (a > stage.acceleration_m_per_s2 * kSlack + 1e-9) return fmt::format("{} m/s2", a);
  }
  return "";
}

std::string path_kept(const Segment& s, const StageLimits& stage) {
  const auto from_m = s.motion.from_m();
  const bool across = std::hypot(s.end_m[0] - from_m[0], s.end_m[1] - from_m[1]) > kTiny_m;
  const double height_m = std::min(from_m[2], s.end_m[2]) - s.surface_z_m;
  if (across && s.phase != Phase::kSlide && height_m < stage.safe_height_m - kTiny_m)
    return fmt::format("crosses at {} m", height_m);
  const double end_height_m = s.end_m[2] - s.surface_z_m;
  if (!in_contact(s.phase) && end_height_m < stage.air_gap_m - kTiny_m)
    return fmt::format("is {} m high in free air", end_height_m);
  return "";
}

/// Pairs of events, and the free air around presses.
class EventCheck {
 public:
  std::string take(const Segment& s) {
    for (const auto& event : s.at_begin)
      if (auto broken = one(event, s, s.begin_s); !broken.empty()) return broken;
    if (in_contact(s.phase) && s.touch != Touch::kAir && !s.by_hand && !touched_) {
      touched_ = true;
      const double free_s = s.begin_s - air_since_s_;
      if (press_ && free_s < 1 - 1e-9) return fmt::format("only {} s of free air", free_s);
    }
    for (const auto& event : s.at_end)
      if (auto broken = one(event, s, s.end_s()); !broken.empty()) return broken;
    return "";
  }
  std::string finish() const {
    return open_.empty() ? "" : fmt::format("{} never ends", open_.begin()->first);
  }

 private:
  std::string one(const PlannedEvent& event, const Segment& s, double t_s) {
    const auto valid =
        make_event(decimal_from(std::round(t_s * 1e6) / 1e6), event.name, event.data, "plan");
    if (!valid) return valid.error().message;
    const auto data = nlohmann::json::parse(event.data);
    const auto split = event.name.rfind('_');
    const auto base = event.name.substr(0, split);
    if (event.name.ends_with("_begin")) {
      if (!open_.emplace(base, data).second) return event.name + " twice";
      if (base == "press") {
        if (s.phase != Phase::kWait) return "press begins in contact";
        if (data["press"].get<int>() != ++number_) return "press number out of order";
        press_ = true;
        touched_ = false;
        air_since_s_ = t_s;
      }
      if (base == "hold" && !press_) return "hold outside a press";
    } else if (event.name.ends_with("_end")) {
      const auto begun = open_.find(base);
      if (begun == open_.end()) return event.name + " without begin";
      for (const char* key : {"press", "slide", "image"})
        if (data.contains(key) && data[key] != begun->second[key])
          return event.name + " of another";
      open_.erase(begun);
      if (base == "press") {
        if (s.phase != Phase::kWait) return "press ends in contact";
        if (!touched_) return "press without touch";
        press_ = false;
      }
    }
    return "";
  }

  std::map<std::string, nlohmann::json> open_;
  bool press_ = false;
  bool touched_ = false;
  double air_since_s_ = 0;
  int number_ = 0;
};

}  // namespace

std::string broken_rule(const Plan& plan, const PlanSetup& setup) {
  EventCheck events;
  Vector3 at_m = plan.start_m;
  double now_s = 0;
  for (std::size_t i = 0; i < plan.segments.size(); ++i) {
    const auto& s = plan.segments[i];
    const auto tell = [&](const std::string& what) {
      return fmt::format("segment {} ({}): {}", i, plan.steps[s.step].name, what);
    };
    if (distance_m(s.motion.from_m(), at_m) > kTiny_m) return tell("jumps");
    if (std::abs(s.begin_s - now_s) > 1e-6) return tell("leaves a gap in time");
    if (s.duration_s < 0) return tell("lasts a negative time");
    if (s.after_until <= i) return tell("goes back after an early end");
    if (auto broken = limits_kept(s, setup.stage); !broken.empty()) return tell(broken);
    if (auto broken = path_kept(s, setup.stage); !broken.empty()) return tell(broken);
    if (auto broken = events.take(s); !broken.empty()) return tell(broken);
    at_m = s.end_m;
    now_s = s.end_s();
  }
  if (std::abs(plan.duration_s - now_s) > 1e-6) return "duration is not the sum";
  return events.finish();
}

}  // namespace tactelier

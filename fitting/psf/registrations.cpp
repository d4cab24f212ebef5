#include "fitting/psf/registrations.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/session/event_order.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kSameShift_m = 1e-6, kSameTurn_rad = 1e-6;
// How far two registrations of one mounting may differ, standard: each is the centroid of what a
// few tactels answer to nine presses (devices/motion/registration.cpp). Some presses say more.
constexpr double kTieShift = 0.1;  // pitches
constexpr double kTieTurn_rad = 0.02;

StageToSensor frame_of(const std::string& data) {
  const auto object = nlohmann::json::parse(data);
  return {mm_to_m(object.value("x_mm", 0.0)), mm_to_m(object.value("y_mm", 0.0)),
          deg_to_rad(object.value("rz_deg", 0.0)), object.value("mirror", false)};
}

StageToSensor stated_at(const Session& session, double time_s) {
  auto frame = session.metadata().stage_to_sensor.value_or(StageToSensor{});
  for (const auto* event : in_time_order(session.events())) {
    if (event->t_s.value() > time_s) break;
    if (event->name == "register") frame = frame_of(event->data);
  }
  return frame;
}

bool same(const StageToSensor& one, const StageToSensor& other) {
  return std::hypot(one.x_m - other.x_m, one.y_m - other.y_m) < kSameShift_m &&
         std::abs(one.rz_rad - other.rz_rad) < kSameTurn_rad && one.mirror == other.mirror;
}

}  // namespace

std::uint32_t Registrations::at(const Session& session, double time_s) {
  const auto frame = stated_at(session, time_s);
  const auto& mount = session.metadata().mount;
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Registration& known) {
    return known.mount == mount && same(known.frame, frame);
  });
  const auto number = static_cast<std::uint32_t>(found - all_.begin());
  if (found == all_.end()) all_.push_back({mount, frame});
  return number;
}

std::vector<PsfFrameTie> Registrations::ties() const {
  std::map<std::string, std::uint32_t> first;
  std::vector<PsfFrameTie> ties;
  for (std::uint32_t i = 0; i < count(); ++i) {
    const auto [found, is_new] = first.try_emplace(all_[i].mount, i);
    if (!is_new) ties.push_back({found->second, i, kTieShift * pitch_m_, kTieTurn_rad});
  }
  return ties;
}

}  // namespace tactelier

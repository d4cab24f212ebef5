#include "app/gui/state/rig_status.hpp"

#include "app/gui/state/json_words.hpp"

namespace tactelier::gui {
namespace {

std::int64_t whole(const nlohmann::json& answer, const char* key) {
  return static_cast<std::int64_t>(numberIn(answer, key));
}

std::optional<std::array<double, 3>> threeIn(const nlohmann::json& answer, const char* key) {
  const auto* list = memberIn(answer, key);
  if (list == nullptr || !list->is_array() || list->size() != 3) return std::nullopt;
  std::array<double, 3> three{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(*list)[axis].is_number()) return std::nullopt;
    three[axis] = (*list)[axis].get<double>();
  }
  return three;
}

}  // namespace

RigStatus rigStatus(const nlohmann::json& answer) {
  RigStatus status;
  status.task = textIn(answer, "task");
  status.paused = yesIn(answer, "paused");
  status.resting = yesIn(answer, "resting");
  status.jog_refused = textIn(answer, "jog_refused");
  status.position_trusted = yesIn(answer, "position_trusted");
  status.surface_found = yesIn(answer, "surface_found");
  status.registered = yesIn(answer, "registered");
  status.stage = textIn(answer, "stage");
  status.position_mm = threeIn(answer, "position_mm").value_or(status.position_mm);
  status.zero_N = threeIn(answer, "zero_N");
  status.force_N = numberIn(answer, "force_N");
  status.peak_N = numberIn(answer, "peak_N");
  status.latency_ms = numberIn(answer, "latency_ms");
  status.tared = yesIn(answer, "tared");
  status.force_samples = whole(answer, "force_samples");
  status.frames = whole(answer, "frames");
  status.force_lost = whole(answer, "force_lost");
  status.frames_lost = whole(answer, "frames_lost");
  if (const auto* stop = memberIn(answer, "emergency_stop"); stop && stop->is_boolean())
    status.emergency_stop = stop->get<bool>();
  status.trip = textIn(answer, "trip");
  status.trip_cause_gone =
      memberIn(answer, "trip_cause_gone") == nullptr || yesIn(answer, "trip_cause_gone");
  status.trip_waits_for = textIn(answer, "trip_waits_for");
  status.recording = textIn(answer, "recording");
  status.recorded_s = numberIn(answer, "recorded_s");
  status.committed_rows = whole(answer, "committed_rows");
  return status;
}

bool stoppedByHand(const RigStatus& status) {
  return status.trip == QStringLiteral("stopped by hand");
}

}  // namespace tactelier::gui

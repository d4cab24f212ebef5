#include "libcalib/session/moves.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr double kPerMillimetre = 1e6;  // nanometres
constexpr double kPerSecond = 1e6;      // microseconds

double rounded(double value, double per_unit) { return std::round(value * per_unit) / per_unit; }

json in_mm(const Vector3& at_m) {
  json at_mm = json::array();
  for (const double m : at_m) at_mm.push_back(rounded(m_to_mm(m), kPerMillimetre));
  return at_mm;
}

Vector3 in_m(const json& at_mm) {
  return {mm_to_m(at_mm[0].get<double>()), mm_to_m(at_mm[1].get<double>()),
          mm_to_m(at_mm[2].get<double>())};
}

Decimal microseconds(double t_s) { return {std::llround(t_s * kPerSecond), -6}; }

Move move_from(const json& data, double queued_s) {
  Move move;
  move.line = data["line"].get<int>();
  move.from_m = in_m(data["from_mm"]);
  move.to_m = in_m(data["to_mm"]);
  move.speed_m_per_s = mm_to_m(data["speed_mm_s"].get<double>());
  move.acceleration_m_per_s2 = mm_to_m(data["acceleration_mm_s2"].get<double>());
  move.queued_s = queued_s;
  move.answered_s = get_number(data, "answered_s");
  return move;
}

}  // namespace

Result<Event> move_event(const Move& move) {
  json data{{"line", move.line},
            {"from_mm", in_mm(move.from_m)},
            {"to_mm", in_mm(move.to_m)},
            {"speed_mm_s", rounded(m_to_mm(move.speed_m_per_s), kPerMillimetre)},
            {"acceleration_mm_s2", rounded(m_to_mm(move.acceleration_m_per_s2), kPerMillimetre)}};
  if (move.answered_s) data["answered_s"] = rounded(*move.answered_s, kPerSecond);
  return make_event(microseconds(move.queued_s), "move", data.dump(), "move");
}

Result<Event> move_stop_event(int line, double t_s) {
  return make_event(microseconds(t_s), "move_stop", json{{"line", line}}.dump(), "move_stop");
}

Result<std::vector<Move>> moves(std::span<const Event> events) {
  std::vector<Move> moves;
  for (const auto& event : events) {
    if (event.name != "move" && event.name != "move_stop") continue;
    const auto data = parse_json(event.data, event.name);
    if (!data) return fail(data.error());
    if (event.name == "move") {
      moves.push_back(move_from(*data, event.t_s.value()));
      continue;
    }
    const int line = (*data)["line"].get<int>();
    const auto stopped =
        std::find_if(moves.rbegin(), moves.rend(), [&](const Move& m) { return m.line == line; });
    if (stopped == moves.rend())
      return fail(ErrorCode::kInvalidInput, "line {} is stopped at {} s, but was not sent", line,
                  event.t_s.value());
    stopped->stopped_s = event.t_s.value();
  }
  return moves;
}

}  // namespace tactelier

#include "fitting/recording/planned_moves.hpp"

#include <cmath>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/pad_frame.hpp"
#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/rig.hpp"

namespace tactelier {
namespace {

// A line that something may end early did not, where both its ends are marked and this far from
// the planned duration at most.
constexpr double kWholeWithin_s = 0.02;

std::optional<RigFile> rig_of(const SessionMetadata& metadata, const nlohmann::json& document) {
  if (!document.contains("rig")) return std::nullopt;
  auto rig = parse_rig(document["rig"].dump(), "rig");
  if (!rig) return std::nullopt;
  if (metadata.surface) rig->surface = *metadata.surface;
  if (metadata.stage_to_sensor) rig->stage_to_sensor = *metadata.stage_to_sensor;
  return std::move(*rig);
}

std::optional<Plan> plan_of(const SessionMetadata& metadata, const nlohmann::json& document,
                            const RigFile& rig) {
  if (!document.contains("protocol")) return std::nullopt;
  const auto protocol = parse_protocol(document["protocol"].dump(), "protocol");
  if (!protocol) return std::nullopt;
  auto plan = plan_protocol(*protocol, metadata.sensor, setup_for(rig, bench_setup()));
  return plan ? std::optional(std::move(*plan)) : std::nullopt;
}

/// Times of recorded events, each given out once, in their order.
class EventTimes {
 public:
  explicit EventTimes(const std::vector<Event>& events) {
    for (const auto& event : events) times_[event.name + event.data].push_back(event.t_s.value());
  }
  std::optional<double> take(const std::vector<PlannedEvent>& planned) {
    std::optional<double> found;
    for (const auto& event : planned) {
      const auto at = times_.find(event.name + event.data);
      if (at == times_.end() || at->second.empty()) continue;
      found = at->second.front();
      at->second.pop_front();
    }
    return found;
  }

 private:
  std::map<std::string, std::deque<double>> times_;
};

struct Marked {
  std::optional<double> begin_s, end_s;
};

std::vector<Marked> marked_segments(const Plan& plan, const std::vector<Event>& events) {
  EventTimes times(events);
  std::vector<Marked> marked(plan.segments.size());
  for (std::size_t i = 0; i < marked.size(); ++i) {
    marked[i].begin_s = times.take(plan.segments[i].at_begin);
    marked[i].end_s = times.take(plan.segments[i].at_end);
  }
  for (std::size_t i = 0; i + 1 < marked.size(); ++i) {
    if (!marked[i].end_s) marked[i].end_s = marked[i + 1].begin_s;
    if (!marked[i + 1].begin_s) marked[i + 1].begin_s = marked[i].end_s;
  }
  return marked;
}

/// Feedback decides where the tip is afterwards.
bool ends_anywhere(const Segment& segment) {
  return segment.until.any() || segment.aim_N || segment.regulate_N;
}

/// Feedback or a person decides when it ends.
bool ends_anytime(const Segment& segment) {
  return ends_anywhere(segment) || segment.rest_after || segment.by_hand ||
         segment.phase == Phase::kPrompt;
}

std::optional<double> begin_of(const Segment& segment, Marked marked) {
  const double lasts_s = segment.motion.duration_s();
  const bool both = marked.begin_s && marked.end_s;
  if (ends_anywhere(segment) &&
      !(both && std::abs(*marked.end_s - *marked.begin_s - lasts_s) < kWholeWithin_s))
    return std::nullopt;
  if (marked.end_s) return *marked.end_s - lasts_s;
  return marked.begin_s;
}

/// Goes through a plan with what events tell, and keeps the lines that went as planned.
class Replay {
 public:
  Replay(const Plan& plan, const PadFrame& frame, const std::vector<Event>& events)
      : plan_(plan), frame_(frame), marked_(marked_segments(plan, events)) {}

  std::vector<Move> moves() {
    for (std::size_t i = 0; i < marked_.size(); ++i) follow(i);
    return std::move(moves_);
  }

 private:
  void follow(std::size_t i) {
    const auto& segment = plan_.segments[i];
    auto& marked = marked_[i];
    if (i > 0 && !marked.begin_s) marked.begin_s = marked_[i - 1].end_s;
    const bool line = segment.motion.is_line() && segment.motion.duration_s() > 0;
    const bool from_elsewhere = line && astray_;
    if (line && !astray_) marked.begin_s = begin_of(segment, marked);
    const bool as_planned = marked.begin_s && !from_elsewhere;
    if (line && as_planned) add(i, segment, *marked.begin_s);
    if (as_planned && !marked.end_s && !ends_anytime(segment))
      marked.end_s = *marked.begin_s + segment.motion.duration_s();
    if (line && !segment.keeps_displacement) astray_ = false;
    if (ends_anywhere(segment) && !(line && as_planned)) astray_ = true;
  }

  void add(std::size_t i, const Segment& segment, double begin_s) {
    Move move;
    move.line = static_cast<int>(i);
    move.from_m = frame_.stage_from_plan_m(segment.motion.from_m());
    move.to_m = frame_.stage_from_plan_m(segment.motion.end_m());
    move.speed_m_per_s = segment.speed_m_per_s;
    move.acceleration_m_per_s2 = plan_.acceleration_m_per_s2;
    move.queued_s = begin_s;
    moves_.push_back(move);
  }

  const Plan& plan_;
  const PadFrame& frame_;
  std::vector<Marked> marked_;
  std::vector<Move> moves_;
  bool astray_ = false;  // feedback decided where the tip is
};

}  // namespace

std::vector<Move> planned_moves(const Session& session) {
  const auto& metadata = session.metadata();
  const auto document = parse_json(metadata.document, "session");
  if (!document) return {};
  const auto rig = rig_of(metadata, *document);
  const auto plan = rig ? plan_of(metadata, *document, *rig) : std::nullopt;
  if (!plan) return {};
  const PadFrame frame(*rig, metadata.sensor);
  return Replay(*plan, frame, session.events()).moves();
}

}  // namespace tactelier

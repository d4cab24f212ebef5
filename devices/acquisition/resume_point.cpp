#include "devices/acquisition/resume_point.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "devices/acquisition/live_recording.hpp"
#include "devices/acquisition/open_events.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/session/event_order.hpp"
#include "libcalib/session/json_get.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

struct Piece {
  std::string what;         // the begin's name and data without its number
  std::size_t segment = 0;  // of the plan, where it begins
  std::string outcome;      // of the recording: ok, aborted, repeated; "" when it never ended
  int press = 0;            // its number, where it is one
};

std::string describe(std::string_view name, const std::string& data) {
  auto shown = json::parse(data);
  for (const auto* key : {"press", "slide", "image", "compression_mm"}) shown.erase(key);
  return fmt::format("{} {}", name, canonical(shown));
}

/// Pieces in the order in which they begin.
class Pieces {
 public:
  void see(const std::string& name, const std::string& data, std::size_t segment) {
    if (name == "weight") pieces_.push_back({describe(name, data), segment, "ok"});
    const bool outermost = open_.empty();
    open_.see(name, data);
    if (pair_of(name).empty()) return;
    if (begins_pair(name) && outermost)
      pieces_.push_back({describe(name, data), segment, "", json::parse(data).value("press", 0)});
    if (!begins_pair(name) && !outermost && open_.empty() && !pieces_.empty())
      pieces_.back().outcome = json::parse(data).value("outcome", "ok");
  }
  const std::vector<Piece>& all() const { return pieces_; }

 private:
  OpenEvents open_;
  std::vector<Piece> pieces_;
};

std::vector<Piece> planned(const Plan& plan) {
  Pieces pieces;
  for (std::size_t i = 0; i < plan.segments.size(); ++i) {
    for (const auto& event : plan.segments[i].at_begin) pieces.see(event.name, event.data, i);
    for (const auto& event : plan.segments[i].at_end) pieces.see(event.name, event.data, i);
  }
  return pieces.all();
}

std::vector<Piece> recorded(std::span<const Event> events) {
  Pieces pieces;
  for (const auto* event : in_time_order(events)) pieces.see(event->name, event->data, 0);
  return pieces.all();
}

bool withdrawn(int press, std::span<const Edit> edits) {
  return std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) {
    return edit.kind == Edit::Kind::kExclude && edit.press == press && edit.note == kWithdrawn;
  });
}

}  // namespace

std::optional<std::size_t> behind_same_tip(const Plan& plan, std::size_t segment,
                                           const Plan& moved) {
  if (moved.presses != plan.presses) return {};
  auto tips = std::count_if(plan.segments.begin(),
                            plan.segments.begin() + static_cast<std::ptrdiff_t>(segment),
                            [](const Segment& each) { return each.indenter.has_value(); });
  for (std::size_t i = 0; i < moved.segments.size(); ++i)
    if (moved.segments[i].indenter && --tips == 0) return i + 1;
  return {};
}

std::size_t way_to(const Plan& plan, std::size_t segment) {
  while (segment > 0 && plan.segments[segment].phase != Phase::kTravel) --segment;
  return segment;
}

Result<Protocol> protocol_of(const Session& session) {
  const auto document = json::parse(session.metadata().document);
  const auto* protocol = get_member(document, "protocol");
  if (protocol == nullptr || !protocol->is_object())
    return fail(ErrorCode::kInvalidInput,
                "{}: holds no protocol: only what 'tactelier record' began can go on",
                session.file().string());
  auto whole = *protocol;
  for (const auto* event : in_time_order(session.events())) {
    if (event->name != "steps") continue;
    const auto data = json::parse(event->data);
    for (const auto& step : data["steps"]) whole["steps"].push_back(step);
  }
  return parse_protocol(whole.dump(), session.file().string() + ", protocol");
}

Result<ResumePoint> resume_point(const Plan& plan, std::span<const Event> events,
                                 std::span<const Edit> edits) {
  const auto wanted = planned(plan);
  const auto done = recorded(events);
  std::size_t next = 0;
  bool owing = false;  // `next` was withdrawn and has not been done again yet
  for (const auto& before : done) {
    const auto from = wanted.begin() + static_cast<std::ptrdiff_t>(next);
    const auto found = std::find_if(from, wanted.end(),
                                    [&](const Piece& piece) { return piece.what == before.what; });
    if (found == wanted.end())
      return fail(ErrorCode::kInvalidInput,
                  "what was recorded ({}) isn't what its protocol plans next: another protocol, or "
                  "another sensor description?",
                  before.what);
    // One that was aborted may have been done again, or left for the next.
    const auto& outcome = before.outcome;
    const bool again =
        outcome.empty() || outcome == "repeated" || outcome == "aborted" || outcome == "undone";
    const auto index = static_cast<std::size_t>(found - wanted.begin());
    // The run went back to it; what else it had done before that, it does again too.
    if (withdrawn(before.press, edits)) {
      if (!owing) next = index;
      owing = true;
      continue;
    }
    if (owing && index != next) continue;
    owing = false;
    next = index + (again ? 0 : 1);
  }
  ResumePoint point;
  point.pieces = static_cast<int>(wanted.size());
  point.pieces_done = static_cast<int>(next);
  point.segment = next < wanted.size() ? way_to(plan, wanted[next].segment) : plan.segments.size();
  for (const auto& event : events)
    if (event.name == "press_begin")
      point.presses = std::max(point.presses, json::parse(event.data).value("press", 0));
  point.indenter = plan.indenter;
  for (std::size_t i = 0; i < point.segment; ++i)
    if (plan.segments[i].indenter) point.indenter = plan.segments[i].indenter;
  return point;
}

}  // namespace tactelier::rig

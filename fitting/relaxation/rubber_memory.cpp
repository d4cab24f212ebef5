#include "fitting/relaxation/rubber_memory.hpp"

#include <cmath>

#include "fitting/contact/contact.hpp"
#include "fitting/recording/computed_travel.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxBefore = 3;  // presses remembered, however long ago
constexpr double kRemembers_s = 600;
constexpr double kHistoryStep_s = 0.01;
constexpr double kHistoryRest_s = 2;
constexpr double kStays_m = 0.5e-6;
constexpr double kSamePlace_m = 0.5e-3;

}  // namespace

void add_path(std::span<const double> time_s, std::span<const double> depth_m, HoldTrace& trace) {
  const auto add = [&](std::size_t i) {
    trace.time_s.push_back(time_s[i]);
    trace.depth_m.push_back(std::max(0.0, depth_m[i]));
    trace.force_N.push_back(0);
    trace.sigma_N.push_back(0);
  };
  std::size_t last = 0;
  add(0);
  for (std::size_t i = 1; i < time_s.size(); ++i) {
    const bool moved = std::abs(std::max(0.0, depth_m[i]) - trace.depth_m.back()) > kStays_m;
    if (time_s[i] - time_s[last] < (moved ? kHistoryStep_s : kHistoryRest_s)) continue;
    if (moved && i > last + 1 && time_s[i - 1] - time_s[last] > kHistoryStep_s) add(i - 1);
    add(i);
    last = i;
  }
}

bool same_place(const Press& a, const Press& b) {
  if (a.indenter.has_value() != b.indenter.has_value() ||
      (a.indenter && a.indenter->describe() != b.indenter->describe()))
    return false;
  if (a.tactel && b.tactel) return *a.tactel == *b.tactel;
  return a.x_m && b.x_m && a.y_m && b.y_m &&
         std::hypot(*a.x_m - *b.x_m, *a.y_m - *b.y_m) < kSamePlace_m;
}

PressContact at_rest(const FitContext& context, std::size_t s, std::size_t p,
                     const PressContact& own) {
  PressContact contact = own;
  for (std::size_t q = 0; q < p; ++q) {
    const auto* earlier = find_contact(context, s, q);
    if (!earlier || !earlier->ok || !context.sessions[s].presses[q].usable() ||
        !same_place(context.sessions[s].presses[q], context.sessions[s].presses[p]))
      continue;
    contact.z0_m = earlier->z0_m;
    break;
  }
  return contact;
}

Result<void> add_history(const FitContext& context, std::size_t s, std::size_t p, HoldTrace& trace,
                         double back_s, const StageLines* lines) {
  const auto& presses = context.sessions[s].presses;
  std::vector<std::size_t> before;
  for (std::size_t q = p; q-- > 0;) {
    const double ago_s = presses[p].begin_s - presses[q].end_s;
    if (ago_s >= (before.size() < kMaxBefore ? kRemembers_s : back_s)) break;
    if (same_place(presses[q], presses[p])) before.push_back(q);
  }
  for (auto q = before.rbegin(); q != before.rend(); ++q) {
    const auto* contact = find_contact(context, s, *q);
    if (!contact || !contact->ok) continue;
    auto data = load_press(context, s, *q, {}, PressBase::kForce);
    if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
    if (!data || !data->has_force() || !data->has_travel()) continue;
    if (lines)
      if (auto computed = compute_travel(context, s, *q, lines->path, lines->late_s, *data);
          !computed)
        return fail(computed.error());
    const auto depth = depth_m(context, at_rest(context, s, *q, *contact), *data);
    add_path(data->time_s, depth, trace);
  }
  if (!trace.time_s.empty()) trace.begin_s = trace.time_s.front();
  return {};
}

}  // namespace tactelier

// When targets are met, when presses bring them no nearer, and which tactels give no gain.

#include <algorithm>
#include <cmath>

#include "fitting/adaptive/adaptive_session.hpp"
#include "fitting/adaptive/press_steps.hpp"

namespace tactelier::adaptive {
namespace {

constexpr int kLeastRepeats = 10;
constexpr double kTriesAtCentre = 2;  // presses on a tactel that gave it no gain
constexpr double kNear = 0.75;        // pitches
constexpr double kSamePlace_m = 0.1e-3;
constexpr std::size_t kPatience = 6;  // batches without progress
constexpr int kBlockPatience = 2;     // blocks without progress

}  // namespace

void AdaptiveSession::give_up(const SensorModel& model) {
  if (!model.psf.sigma.identified()) return;  // nobody's gain is known yet
  // Between tactels a press reaches two or four of them; such ones count half.
  std::map<int, double> tried;
  for (const auto& press : recorded_presses(model.presses, sensor_, settings_.speed_m_per_s)) {
    if (press.force_N <= 0.5 * settings_.most_force_N) continue;
    for (int t = 0; t < sensor_.tactels(); ++t) {
      const double away_m = std::hypot(press.x_m - range_.places_m[static_cast<std::size_t>(t)][0],
                                       press.y_m - range_.places_m[static_cast<std::size_t>(t)][1]);
      if (away_m < kSamePlace_m)
        tried[t] += 1;
      else if (away_m < kNear * sensor_.arrays.front().pitch_x_m)
        tried[t] += 0.5;
    }
  }
  for (const auto& tactel : model.response.tactels) {
    const bool silent =
        tactel.status == TactelStatus::kDead || tactel.status == TactelStatus::kStuck;
    if (tactel.gain.identified() || (!silent && tried[tactel.index] < kTriesAtCentre)) continue;
    state_.given_up.insert(tactel.index);
  }
}

void AdaptiveSession::say_why(const SensorModel& model) {
  state_.why_given_up.clear();
  for (const auto& tactel : model.response.tactels) {
    if (state_.given_up.count(tactel.index) == 0 || tactel.gain.identified()) continue;
    const auto& reason = tactel.gain.reason;
    state_.why_given_up.push_back(
        fmt::format("gain of tactel {}: {}", tactel.index,
                    reason.empty() ? "no press tells it; it is taken from the others" : reason));
  }
  // What was left may be met by presses for the others since.
  for (const auto& standing : state_.targets)
    if (const auto left = left_.find(standing.target.kind); left != left_.end() && !standing.met())
      state_.why_given_up.push_back(left->second);
}

void AdaptiveSession::look_at(const SensorModel& model) {
  give_up(model);
  state_.targets = standings(model, settings_.targets, state_.given_up);
  state_.gain_half_width.clear();
  for (const auto& tactel : model.response.tactels)
    state_.gain_half_width.push_back(relative_half_width(tactel.gain));
  const auto presses = recorded_presses(model.presses, sensor_, settings_.speed_m_per_s);
  state_.presses = static_cast<int>(presses.size());
  state_.repeats = 0;
  for (std::size_t i = 0; i < presses.size(); ++i)
    for (std::size_t before = 0; before < i; ++before)
      if (std::hypot(presses[i].x_m - presses[before].x_m, presses[i].y_m - presses[before].y_m) <
          kSamePlace_m) {
        ++state_.repeats;
        break;
      }
  history_.push_back(state_.targets);
  for (std::size_t i = 0; i < state_.targets.size(); ++i)
    if (!state_.targets[i].met() && stalled(i)) give_up_target(i);
  say_why(model);
  const bool met =
      state_.repeats >= kLeastRepeats &&
      std::all_of(state_.targets.begin(), state_.targets.end(), [&](const Standing& standing) {
        return standing.met() || left_.count(standing.target.kind) > 0;
      });
  met_in_a_row_ = met ? met_in_a_row_ + 1 : 0;
}

/// No narrower, and no more of them within the target, than some batches ago; of blocks than before
/// the last ones.
bool AdaptiveSession::stalled(std::size_t target) const {
  const auto kind = state_.targets[target].target.kind;
  std::size_t patience = kPatience;
  if (by_blocks(kind)) {
    const auto done = blocks_.find(kind);
    if (done == blocks_.end() || done->second <= kBlockPatience) return false;
    patience = 2 * kBlockPatience;  // a batch with one, a batch that sees it
  }
  if (history_.size() <= patience) return false;
  const auto& now = history_.back()[target];
  const auto& before = history_[history_.size() - 1 - patience][target];
  if (!now.worst) return !before.worst;
  return before.worst && *now.worst > kNarrower * *before.worst && now.reached <= before.reached &&
         now.missing >= before.missing;
}

void AdaptiveSession::give_up_target(std::size_t i) {
  const auto& standing = state_.targets[i];
  const auto [left, first] = left_.try_emplace(standing.target.kind);
  if (!first) return;
  const auto name = name_of(standing.target.kind);
  if (!standing.worst || standing.missing > 0) {
    const auto& where = standing.missing_where;
    left->second =
        fmt::format("{}: {}{}{}", name, where, where.empty() ? "" : ": ", standing.reason);
    return;
  }
  const bool blocks = by_blocks(standing.target.kind);
  left->second = fmt::format(
      "{}: stays at {:.2g} %{}{} where {:.3g} % was wanted: the last {} {} did not narrow it", name,
      100 * *standing.worst, standing.worst_where.empty() ? "" : " on ", standing.worst_where,
      100 * standing.target.relative,
      blocks ? kBlockPatience : settings_.batch * static_cast<int>(kPatience),
      blocks ? "rounds of it" : "presses");
}

bool AdaptiveSession::open(const Standing& standing) const {
  return !standing.met() && left_.count(standing.target.kind) == 0;
}

}  // namespace tactelier::adaptive

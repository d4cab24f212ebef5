#include "fitting/adaptive/adaptive_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fitting/adaptive/foresight.hpp"
#include "fitting/adaptive/press_steps.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/session/press_kind.hpp"
#include "libcalib/units.hpp"

namespace tactelier::adaptive {
namespace {

using nlohmann::json;

constexpr int kMetInARow = 2;
constexpr double kHalfWidths = 2;  // standard uncertainties in a half-width
constexpr double kZero_s = 15, kLastZero_s = 10;
// At 0.1 steps of 2.5 um keep in time with 1000 forces a second, and their edges show nothing.
constexpr double kPlateSpeed_mm_s = 0.09;
constexpr int kPlatesForDelay = 4;
constexpr double kHold_s = 40;
constexpr double kMostScale = 9;    // of one tactel's over the array's
constexpr double kMostBlocks = 20;  // that are foreseen
constexpr std::size_t kRecent = 3;  // batches by which the time that is left is judged

bool wants(const std::vector<Target>& targets, TargetKind kind) {
  return std::any_of(targets.begin(), targets.end(),
                     [&](const Target& target) { return target.kind == kind; });
}

double square(double value) { return value * value; }

/// Deep enough that what presses differ by with their speed is no noise.
bool usable_block_depth(const AdaptiveSettings& settings) {
  constexpr double kLeastDepth_m = 0.3e-3;
  return settings.most_depth_m >= kLeastDepth_m;
}

}  // namespace

AdaptiveSession::AdaptiveSession(const SensorDescription& sensor, MountedIndenter tip,
                                 RigQuality quality, AdaptiveSettings settings)
    : sensor_(sensor),
      tip_(std::move(tip)),
      quality_(std::move(quality)),
      settings_(std::move(settings)),
      range_(press_range(sensor, tip_.indenter, settings_.most_force_N)),
      choice_(range_, settings_.seed) {}

Result<AdaptiveSession> AdaptiveSession::create(const SensorDescription& sensor,
                                                const MountedIndenter& tip,
                                                const RigQuality& quality,
                                                const AdaptiveSettings& settings) {
  const auto usable = PressInformation::create(sensor, tip.indenter,
                                               press_beliefs(sensor, quality, ExpectedSensor{}));
  if (!usable) return fail(usable.error());
  for (const auto& target : settings.targets)
    if (by_blocks(target.kind) && !usable_block_depth(settings))
      return fail(ErrorCode::kUsage,
                  "target '{}': presses may go {:.2g} mm deep here, too little for it",
                  name_of(target.kind), m_to_mm(settings.most_depth_m));
  AdaptiveSession session(sensor, tip, quality, settings);
  session.range_.speed_m_per_s = settings.speed_m_per_s;
  session.range_.rest_s = settings.rest_s;
  session.range_.travel_m_per_s = settings.travel_m_per_s;
  session.choice_ = PressChoice(session.range_, settings.seed);
  for (const auto& target : settings.targets)
    if (by_blocks(target.kind)) session.blocks_[target.kind] = 1;  // of the opening
  return session;
}

Protocol AdaptiveSession::opening() const {
  const int anchor = range_.anchor;
  json steps = json::array({{{"do", "zero"}, {"time_s", kZero_s}}});
  const bool damping = wants(settings_.targets, TargetKind::kDamping);
  const bool relaxation = wants(settings_.targets, TargetKind::kRelaxation);
  if (wants(settings_.targets, TargetKind::kStiffness) || damping || relaxation)
    steps.push_back({{"do", "plate"},
                     {"force_N", settings_.plate_force_N},
                     {"speed_mm_s", kPlateSpeed_mm_s},
                     {"repeats", damping ? kPlatesForDelay : 2}});
  bool first = true;
  for (const auto& target : settings_.targets) {
    if (!by_blocks(target.kind)) continue;
    for (const auto& step : block_steps(target.kind, block_settings(), first))
      steps.push_back(step);
    first = false;
  }
  if (wants(settings_.targets, TargetKind::kStiffness) && !relaxation) {
    // Rubber that relaxes is stiffer the faster it is pressed: without holds k isn't its own.
    for (const double share : {0.35, 0.7})
      steps.push_back({{"do", "hold"},
                       {"sites", json::array({anchor})},
                       {"depth_mm", tidy_mm(share * settings_.most_depth_m)},
                       {"ramp_s", 0.2},
                       {"time_s", kHold_s}});
  }
  steps.push_back({{"do", "scan"},
                   {"tactels", json::array({anchor})},
                   {"speed_mm_s", tidy_mm(settings_.speed_m_per_s)},
                   {"until", press_until(range_.forces_N.back(), settings_)},
                   {"repeats", 2},
                   {"discard_first", 1},
                   {"rest_s", 5}});
  const json document{
      {"format", "tactelier/protocol"},
      {"version", 1},
      {"name", "adaptive"},
      {"description", fmt::format("Begins with zero, rig and rubber; what follows is chosen while "
                                  "it is recorded, for {}.",
                                  to_string(settings_.targets))},
      {"indenter", json::parse(tip_.json)},
      {"targets", to_string(settings_.targets)},
      {"target_minutes", settings_.most_s / 60},
      {"steps", steps}};
  return parse_protocol(document.dump(), "adaptive").value();
}

json AdaptiveSession::steps_in_need() const {
  return json::array({{{"do", "scan"},
                       {"tactels", "all"},
                       {"order", "random"},
                       {"seed", settings_.seed},
                       {"speed_mm_s", tidy_mm(settings_.speed_m_per_s)},
                       {"until", press_until(range_.forces_N.back(), settings_)}}});
}

PressInformation AdaptiveSession::informed(const SensorModel* model) const {
  auto beliefs = model != nullptr ? press_beliefs(*model, quality_)
                                  : press_beliefs(sensor_, quality_, ExpectedSensor{});
  beliefs.saturation_N = std::max(beliefs.saturation_N, settings_.most_force_N);
  auto information = PressInformation::create(sensor_, tip_.indenter, std::move(beliefs)).value();
  if (model != nullptr)
    for (const auto& press : recorded_presses(model->presses, sensor_, settings_.speed_m_per_s))
      information.add(press);
  return information;
}

std::vector<Wanted> AdaptiveSession::wanted(const SensorModel* model,
                                            const PressInformation& recorded) const {
  std::map<Eigen::Index, double> scales;
  double usual = 1;
  if (model != nullptr) {
    std::vector<double> ratios;
    const auto ratio = [&](std::optional<double> half_width,
                           Eigen::Index column) -> std::optional<double> {
      if (!half_width) return std::nullopt;
      return square(*half_width / kHalfWidths) / recorded.variance(column);
    };
    for (const auto& tactel : model->response.tactels)
      if (const auto found =
              ratio(relative_half_width(tactel.gain), recorded.gain_column(tactel.index))) {
        scales[recorded.gain_column(tactel.index)] = *found;
        ratios.push_back(*found);
      }
    if (!ratios.empty()) usual = median(ratios);
    for (auto& [column, scale] : scales)
      scale = std::clamp(scale, usual / kMostScale, usual * kMostScale);
    if (const auto found = ratio(relative_half_width(model->psf.sigma), recorded.sigma_column()))
      scales[recorded.sigma_column()] = *found;
    if (const auto own = relative_half_width(model->stiffness.k_punch))
      scales[recorded.stiffness_column()] =
          *ratio(std::hypot(*own, places_half_width(*model)), recorded.stiffness_column());
  }
  std::vector<Wanted> all;
  const auto add = [&](Eigen::Index column, const Target& target, double otherwise) {
    const auto found = scales.find(column);
    all.push_back(
        {column, target.relative / kHalfWidths, found != scales.end() ? found->second : otherwise});
  };
  for (const auto& target : settings_.targets) {
    if (left_.count(target.kind) > 0) continue;
    if (target.kind == TargetKind::kSigma) add(recorded.sigma_column(), target, 1);
    if (target.kind == TargetKind::kStiffness) add(recorded.stiffness_column(), target, 1);
    // Blocks see to the others.
    if (target.kind != TargetKind::kGain) continue;
    for (int t = 0; t < sensor_.tactels(); ++t)
      if (state_.given_up.count(t) == 0) add(recorded.gain_column(t), target, usual);
  }
  return all;
}

BlockSettings AdaptiveSession::block_settings() const {
  return {range_.anchor, settings_.most_depth_m, settings_.most_speed_m_per_s, settings_.rest_s};
}

/// Those whose target is open though the fit has seen all of theirs.
std::vector<TargetKind> AdaptiveSession::blocks_now(const SensorModel* model) {
  std::vector<TargetKind> now;
  if (model == nullptr) return now;
  for (const auto& standing : state_.targets) {
    const auto kind = standing.target.kind;
    if (!by_blocks(kind) || !open(standing)) continue;
    // What a batch brings is recorded once the next but one is asked for.
    const auto last = last_block_.find(kind);
    if (last != last_block_.end() && batches_ < last->second + 2) continue;
    last_block_[kind] = batches_;
    ++blocks_[kind];
    now.push_back(kind);
  }
  return now;
}

std::string AdaptiveSession::words(const std::vector<ChosenPress>& presses) const {
  std::vector<std::string> told;
  for (const auto& standing : state_.targets) {
    if (standing.of > 1)
      told.push_back(fmt::format("{}: {} of {} within {:.3g} %", name_of(standing.target.kind),
                                 standing.reached, standing.of, 100 * standing.target.relative));
    else if (standing.worst)
      told.push_back(fmt::format("{}: {:.2g} % of {:.3g} %", name_of(standing.target.kind),
                                 100 * *standing.worst, 100 * standing.target.relative));
    else
      told.push_back(fmt::format("{}: not yet", name_of(standing.target.kind)));
  }
  std::vector<std::string> reasons;
  for (const auto& press : presses)
    if (std::find(reasons.begin(), reasons.end(), press.why) == reasons.end())
      reasons.push_back(press.why);
  return fmt::format(
      "{}; next: {}",
      told.empty() ? "nothing recorded yet" : fmt::format("{}", fmt::join(told, ", ")),
      fmt::join(reasons, ", "));
}

NextSteps AdaptiveSession::closing(std::string outcome) {
  state_.done = true;
  state_.outcome = std::move(outcome);
  state_.left_s = {0, 0};
  const json steps = json::array({{{"do", "zero"}, {"time_s", kLastZero_s}}});
  return {canonical(steps), true, state_.outcome, {}};
}

/// Goes on with choosing, each press believed, until all is met.
void AdaptiveSession::foresee(const PressInformation& information,
                              const std::vector<Wanted>& wanted, std::vector<PressThought> presses,
                              double allowed_s) {
  double blocks_s = 0;
  for (const auto& standing : state_.targets) {
    const auto kind = standing.target.kind;
    if (!by_blocks(kind) || standing.met() || left_.count(kind) > 0) continue;
    // Each half-width shrinks with the root of the blocks.
    const double done = blocks_.at(kind);
    const double wanted_blocks =
        standing.worst ? done * square(*standing.worst / standing.target.relative) : done + 1;
    blocks_s +=
        std::clamp(wanted_blocks - done, 1.0, kMostBlocks) * block_s(kind, block_settings());
  }
  const auto foreseen = adaptive::foresee(information, choice_, wanted, std::move(presses),
                                          settings_, blocks_s, allowed_s);
  const auto& ahead = foreseen.information;
  state_.foreseen.clear();
  for (const auto& one : wanted) {
    const auto kind = one.column == ahead.sigma_column()       ? TargetKind::kSigma
                      : one.column == ahead.stiffness_column() ? TargetKind::kStiffness
                                                               : TargetKind::kGain;
    const double half_width = kHalfWidths * std::sqrt(ahead.variance(one.column) * one.scale);
    const auto same = std::find_if(state_.foreseen.begin(), state_.foreseen.end(),
                                   [&](const Target& target) { return target.kind == kind; });
    if (same == state_.foreseen.end())
      state_.foreseen.push_back({kind, half_width});
    else
      same->relative = std::max(same->relative, half_width);
  }
  state_.left_s.reset();
  // Where the last batches brought less than was expected of them nobody knows.
  for (std::size_t i = 0; i < state_.targets.size(); ++i) {
    if (history_.size() <= kRecent || state_.targets[i].met()) continue;
    const auto& before = history_[history_.size() - 1 - kRecent][i];
    const auto& now = state_.targets[i];
    if (before.worst && now.worst && *now.worst > kNarrower * *before.worst &&
        now.reached <= before.reached)
      return;
  }
  if (!foreseen.open)
    state_.left_s = {kForesight[0] * foreseen.further_s, kForesight[1] * foreseen.further_s};
}

std::optional<NextSteps> AdaptiveSession::next(const SensorModel* model, double planned_s) {
  if (state_.done) return std::nullopt;
  if (model != nullptr) look_at(*model);
  if (met_in_a_row_ >= kMetInARow)
    return closing(std::all_of(state_.targets.begin(), state_.targets.end(),
                               [](const Standing& standing) { return standing.met(); })
                       ? "all targets are met"
                       : "what presses can give is reached, not all targets");
  if (planned_s >= settings_.most_s)
    return closing(fmt::format("its {:.3g} minutes are over", settings_.most_s / 60));
  auto information = informed(model);
  const auto wished = wanted(model, information);
  if (model != nullptr)
    for (const auto& tactel : model->response.tactels)
      if (!tactel.gain.identified() && state_.given_up.count(tactel.index) == 0)
        information.forget(tactel.index);
  const auto known = model != nullptr ? model->presses.size() : 0;
  std::vector<PressThought> ramps;
  for (std::size_t i = 0; i < ordered_.size(); ++i) {
    if (!ordered_[i].ramp) continue;
    ramps.push_back(ordered_[i]);
    if (i >= known) information.add(ordered_[i]);
  }
  ++batches_;
  const auto blocks = blocks_now(model);
  const bool pressing =
      state_.targets.empty() || blocks.empty() ||
      std::any_of(state_.targets.begin(), state_.targets.end(), [&](const Standing& standing) {
        return !by_blocks(standing.target.kind) && open(standing);
      });
  std::vector<ChosenPress> presses;
  if (pressing) presses = choice_.batch(information, wished, ramps, settings_.batch);
  if (presses.empty() && blocks.empty()) return closing("no press would tell more");
  foresee(information, wished, ramps, settings_.most_s - planned_s);
  auto steps = press_steps(presses, settings_);
  auto why = words(presses);
  for (const auto kind : blocks) {
    for (const auto& step : block_steps(kind, block_settings(), false)) steps.push_back(step);
    why += fmt::format("{}{}, round {}", presses.empty() && kind == blocks.front() ? "" : ", ",
                       name_of(kind), blocks_.at(kind));
  }
  return NextSteps{canonical(steps), false, why, presses};
}

}  // namespace tactelier::adaptive

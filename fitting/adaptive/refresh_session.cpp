#include "fitting/adaptive/refresh_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fitting/adaptive/foresight.hpp"
#include "fitting/adaptive/press_steps.hpp"
#include "fitting/refresh/refreshed_model.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/units.hpp"

namespace tactelier::adaptive {
namespace {

using nlohmann::json;

constexpr double kZero_s = 10, kLastZero_s = 5;
constexpr double kChange = 0.1;       // of a gain, believed beforehand
constexpr double kHalfWidths = 2;     // standard uncertainties in a half-width
constexpr double kLikely = 1;         // standard uncertainty that a tactel which holds looks off by
constexpr double kCloser = 0.7;       // than it is known to, where that has not decided it
constexpr double kMostScale = 9;      // of what is believed over what is found
constexpr int kSameInARow = 2;        // looks that agree on what changed
constexpr std::size_t kPatience = 8;  // looks without progress
constexpr double kNearer = 0.9;

double square(double value) { return value * value; }

double relative_u(const Parameter& parameter, double otherwise) {
  if (!parameter.value || *parameter.value == 0 || !parameter.std) return otherwise;
  return *parameter.std / std::abs(*parameter.value);
}

/// Half-width, relative: how well the model knows its gains in the median, all told.
double usual_accuracy(const SensorModel& earlier, double least) {
  std::vector<double> relative;
  for (const auto& tactel : earlier.response.tactels)
    if (tactel.gain.identified() && tactel.gain.u_total)
      relative.push_back(std::abs(*tactel.gain.u_total / *tactel.gain.value));
  return relative.empty() ? least : std::max(least, median(relative));
}

PressPriors priors_of(const SensorModel& earlier) {
  constexpr double kThreshold = 0.1, kSigma = 0.01, kGhosting = 0.003;
  std::vector<double> thresholds;
  for (const auto& tactel : earlier.response.tactels)
    if (tactel.threshold.identified())
      thresholds.push_back(relative_u(tactel.threshold, kThreshold));
  PressPriors priors;
  priors.gain = kChange;
  priors.threshold = thresholds.empty() ? kThreshold : std::max(0.02, median(thresholds));
  priors.sigma = relative_u(earlier.psf.sigma, kSigma);
  priors.ghosting = kGhosting;
  priors.stiffness = 1e-3;  // nobody asks for it
  return priors;
}

}  // namespace

RefreshSession::RefreshSession(const SensorModel& earlier, std::string file, MountedIndenter tip,
                               PressInformation nothing_pressed, AdaptiveSettings settings,
                               refresh::ChangeSettings changes)
    : file_(std::move(file)),
      tip_(std::move(tip)),
      nothing_pressed_(std::move(nothing_pressed)),
      settings_(std::move(settings)),
      changes_(changes),
      choice_({}, settings_.seed) {
  auto range = press_range(earlier.sensor, tip_.indenter, settings_.most_force_N);
  range.speed_m_per_s = settings_.speed_m_per_s;
  range.rest_s = settings_.rest_s;
  range.travel_m_per_s = settings_.travel_m_per_s;
  range.anchor_every = range.repeat_every = 0;
  anchor_ = range.anchor;
  choice_ = PressChoice(std::move(range), settings_.seed);
  for (const auto& tactel : earlier.response.tactels)
    if (tactel.gain.identified() && tactel.threshold.usable()) tactels_.push_back(tactel.index);
  accuracy_ = usual_accuracy(earlier, changes_.tolerance);
  for (const auto& target : settings_.targets)
    if (target.kind == TargetKind::kGain) accuracy_ = target.relative;
  settings_.targets = {{TargetKind::kGain, accuracy_}};
  state_.refreshing = true;
}

Result<RefreshSession> RefreshSession::create(const SensorModel& earlier, std::string file,
                                              const MountedIndenter& tip, const RigQuality& quality,
                                              const AdaptiveSettings& settings,
                                              const refresh::ChangeSettings& changes) {
  if (!earlier.psf.sigma.usable() && !earlier.psf.sigma_x.usable())
    return fail(ErrorCode::kUnidentifiable, "{}", refresh::kNoSpread);
  for (const auto& target : settings.targets)
    if (target.kind != TargetKind::kGain)
      return fail(ErrorCode::kUsage,
                  "target '{}': a refresh looks for gains that have changed; 'gain 2 %' says how "
                  "well they are to be known",
                  name_of(target.kind));
  auto beliefs = press_beliefs(earlier, quality);
  beliefs.saturation_N = std::max(beliefs.saturation_N, settings.most_force_N);
  auto nothing = PressInformation::create(earlier.sensor, tip.indenter, std::move(beliefs),
                                          priors_of(earlier));
  if (!nothing) return fail(nothing.error());
  auto own = settings;
  own.batch = 4;
  own.until_saturated = false;
  return RefreshSession(earlier, std::move(file), tip, std::move(*nothing), std::move(own),
                        changes);
}

Protocol RefreshSession::opening() const {
  const json anchor{{"do", "scan"},
                    {"tactels", json::array({anchor_})},
                    {"speed_mm_s", tidy_mm(settings_.speed_m_per_s)},
                    {"until", press_until(settings_.most_force_N, settings_)},
                    {"repeats", 2},
                    {"discard_first", 1}};
  const json document{{"format", "tactelier/protocol"},
                      {"version", 1},
                      {"name", "refresh"},
                      {"description",
                       "Looks for gains that have changed; what is pressed next is chosen while it "
                       "is recorded."},
                      {"indenter", json::parse(tip_.json)},
                      {"refresh", file_},
                      {"targets", to_string(settings_.targets)},
                      {"target_minutes", settings_.most_s / 60},
                      {"steps", json::array({{{"do", "zero"}, {"time_s", kZero_s}}, anchor})}};
  return parse_protocol(document.dump(), "refresh").value();
}

json RefreshSession::steps_in_need() const {
  return json::array({{{"do", "zero"}, {"time_s", kLastZero_s}}});
}

/// What a tactel is to be known to, standard: one that has changed, else until it is clear that it
/// has, or that it has not by the least that matters.
double RefreshSession::standard_target(const refresh::TactelChange& tactel) const {
  if (tactel.changed) return accuracy_ / kHalfWidths;
  const double looks_like = std::abs(tactel.by_presses);
  const double decided = std::max(looks_like / refresh::kClearChange,
                                  (changes_.least - looks_like) / refresh::kBelowLeast);
  return tactel.seen ? decided : std::min(decided, kCloser * tactel.u_by_presses);
}

void RefreshSession::look_at(const RefreshSeen& seen) {
  const auto& changes = seen.changes;
  Standing standing;
  standing.target = {TargetKind::kGain, accuracy_};
  standing.of = static_cast<int>(changes.tactels.size());
  state_.gain_half_width.assign(static_cast<std::size_t>(nothing_pressed_.sensor().tactels()),
                                std::nullopt);
  double open = 0;
  for (const auto& one : changes.tactels) {
    const double u = one.changed ? one.u_ratio : one.u_by_presses;
    const bool known = !one.broken.empty() || (one.changed ? u <= standard_target(one) : one.seen);
    if (std::isfinite(u))
      state_.gain_half_width[static_cast<std::size_t>(one.tactel)] = kHalfWidths * u;
    if (known) {
      ++standing.reached;
      continue;
    }
    open += std::isfinite(u) ? std::min(4.0, u / standard_target(one)) : 4;
    if (!std::isfinite(u)) {
      if (standing.missing++ == 0) {
        standing.missing_where = fmt::format("tactel {}", one.tactel);
        standing.reason = "not pressed yet";
      }
      continue;
    }
    if (standing.worst && kHalfWidths * u <= *standing.worst) continue;
    standing.worst = kHalfWidths * u;
    standing.worst_where = fmt::format("tactel {}", one.tactel);
  }
  state_.targets = {standing};
  state_.changed = changes.changed();
  state_.presses = static_cast<int>(seen.presses.size());
  open_.push_back(open);
  const auto now = changes.changed();
  same_in_a_row_ = standing.met() && now == changed_ ? same_in_a_row_ + 1 : 0;
  changed_ = now;
}

std::vector<Wanted> RefreshSession::wanted(const RefreshSeen* seen,
                                           const PressInformation& recorded) const {
  std::vector<Wanted> all;
  if (seen == nullptr) {
    for (const int tactel : tactels_)
      all.push_back(
          {recorded.gain_column(tactel), changes_.least / (refresh::kBelowLeast + kLikely), 1});
    return all;
  }
  // What the presses say by themselves, found over believed.
  std::vector<double> ratios;
  for (const auto& one : seen->changes.tactels) {
    const double left =
        1 / recorded.variance(recorded.gain_column(one.tactel)) - 1 / square(kChange);
    ratios.push_back(std::isfinite(one.u_by_presses) && left > 0 ? square(one.u_by_presses) * left
                                                                 : -1);
  }
  for (std::size_t i = 0; i < seen->changes.tactels.size(); ++i) {
    const auto& one = seen->changes.tactels[i];
    if (!one.broken.empty()) continue;
    const double scale = ratios[i] > 0 ? std::max(ratios[i], 1 / kMostScale) : 1;
    all.push_back({recorded.gain_column(one.tactel), standard_target(one), scale});
  }
  return all;
}

NextSteps RefreshSession::closing(std::string outcome) {
  state_.done = true;
  state_.outcome = std::move(outcome);
  state_.left_s = {0, 0};
  return {canonical(steps_in_need()), true, state_.outcome, {}};
}

std::optional<NextSteps> RefreshSession::next(const RefreshSeen* seen, double planned_s) {
  if (state_.done) return std::nullopt;
  if (seen != nullptr) {
    look_at(*seen);
    const auto words = refresh::words_of(seen->changes);
    if (same_in_a_row_ >= kSameInARow - 1) return closing(words);
    if (planned_s >= settings_.most_s)
      return closing(fmt::format("its {:.3g} minutes are over; {}", settings_.most_s / 60, words));
    if (open_.size() > kPatience &&
        *std::min_element(open_.end() - static_cast<std::ptrdiff_t>(kPatience), open_.end()) >
            kNearer * *std::min_element(open_.begin(),
                                        open_.end() - static_cast<std::ptrdiff_t>(kPatience))) {
      const auto missed = seen->changes.not_seen();
      state_.why_given_up.push_back(
          fmt::format("more presses bring it no nearer; not seen: {}",
                      missed.empty() ? "none" : fmt::format("{}", fmt::join(missed, ", "))));
      return closing(words);
    }
  }
  auto information = nothing_pressed_;
  std::size_t known = 0;
  if (seen != nullptr) {
    for (const auto& press : seen->presses) information.add(press);
    // Whoever answered to no press, as far as they can tell, is as open as before.
    for (const auto& one : seen->changes.tactels)
      if (!std::isfinite(one.u_by_presses) && one.broken.empty()) information.forget(one.tactel);
    known = seen->recorded;
  }
  const auto wished = wanted(seen, information);
  std::vector<PressThought> ramps;
  for (std::size_t i = 0; i < ordered_.size(); ++i) {
    ramps.push_back(ordered_[i]);
    if (i >= known) information.add(ordered_[i]);
  }
  // Where all is believed to be known what is on its way has to say so first.
  const bool waits = !any_open(information, wished);
  const auto presses = choice_.batch(information, wished, ramps, waits ? 1 : settings_.batch);
  if (presses.empty())
    return closing(seen != nullptr ? refresh::words_of(seen->changes) : "no press would tell more");
  const auto ahead =
      foresee(information, choice_, wished, ramps, settings_, 0, settings_.most_s - planned_s);
  state_.left_s.reset();
  if (!ahead.open)
    state_.left_s = {kForesight[0] * ahead.further_s, kForesight[1] * ahead.further_s};
  std::vector<std::string> reasons;
  for (const auto& press : presses)
    if (std::find(reasons.begin(), reasons.end(), press.why) == reasons.end())
      reasons.push_back(press.why);
  auto why = fmt::format(
      "{}; next: {}", seen != nullptr ? refresh::words_of(seen->changes) : "nothing recorded yet",
      fmt::join(reasons, ", "));
  return NextSteps{canonical(press_steps(presses, settings_)), false, std::move(why), presses};
}

}  // namespace tactelier::adaptive

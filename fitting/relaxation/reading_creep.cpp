#include "fitting/relaxation/reading_creep.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fitting/contact/contact.hpp"
#include "fitting/recording/creep_correction.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/statistics/identified.hpp"
#include "fitting/statistics/per_decade.hpp"

namespace tactelier {
namespace {

constexpr const char* kStage = "relaxation";
constexpr double kFrom_s = 1;  // of the hold: before, the ramp still shows
constexpr double kBelowCeiling = 0.98;
constexpr double kMinReading = 0.1;  // of the range, for a ratio worth taking
constexpr double kSure = 0.02;       // systematic, of the response, per decade
constexpr double kMostHidden = 0.1;  // of the creep, by what was pressed before

/// Whether the tactel rested long enough before this hold.
bool rested(const FitSession& session, const Press& press) {
  const Hold& hold = press.holds.front();
  std::vector<EarlierLoad> earlier;
  for (const auto& other : session.presses)
    if (other.tactel == press.tactel && other.end_s < hold.begin_s && other.number != press.number)
      earlier.push_back({other.end_s - other.begin_s, hold.begin_s - other.end_s});
  return creep_hidden(earlier, kFrom_s, hold.end_s - hold.begin_s) <= kMostHidden;
}

/// Percent per decade of one hold; empty when the readings can't tell. Fails for damage and
/// cancellation.
Result<std::optional<Estimate>> creep_of(const FitContext& context, std::size_t s, std::size_t p) {
  const Press& press = context.sessions[s].presses[p];
  const auto& tactel = context.model.response.tactels[static_cast<std::size_t>(*press.tactel)];
  const auto* contact = find_contact(context, s, p);
  if (!contact || !contact->ok || !tactel.press_gain.value || !tactel.press_threshold.value ||
      !tactel.offset.value)
    return std::nullopt;
  const std::array tactels{*press.tactel};
  const auto data = load_press(context, s, p, tactels);
  if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
  if (!data || !data->has_force() || data->counts.empty()) return std::nullopt;
  const double range = tactel.saturation.value.value_or(HUGE_VAL) - *tactel.offset.value;
  const Hold& hold = press.holds.front();
  std::vector<double> since, share;
  for (std::size_t i = 0; i < data->rows(); ++i) {
    const double since_s = data->time_s[i] - hold.begin_s;
    if (since_s < kFrom_s || data->time_s[i] >= hold.end_s) continue;
    const double reading = data->counts[0][i] - *tactel.offset.value;
    const double expected =
        (data->force_N[i] - contact->force_bias_N - *tactel.press_threshold.value) /
        *tactel.press_gain.value;
    if (reading > kBelowCeiling * range || !(expected > 0)) return std::nullopt;
    if (std::isfinite(range) && reading < kMinReading * range) return std::nullopt;
    since.push_back(since_s);
    share.push_back(reading / expected);
  }
  auto creep = share_per_decade(since, share);
  if (creep) {
    creep->value *= 100;
    creep->std *= 100;
  }
  return creep;
}

}  // namespace

Result<void> report_creep(FitContext& context) {
  std::map<int, std::vector<Estimate>> found;
  std::map<int, bool> held;
  for (std::size_t s = 0; s < context.sessions.size(); ++s)
    for (std::size_t p = 0; p < context.sessions[s].presses.size(); ++p) {
      if (context.job.stopped()) return Job::cancelled();
      const Press& press = context.sessions[s].presses[p];
      // A table's holds are of whatever was held; its presses are called after what held a depth.
      const bool held_once =
          context.sessions[s].session->metadata().imported && press.holds.size() == 1;
      if (!press.usable() || (press.kind != PressKind::kHold && !held_once) ||
          press.holds.empty() || !press.tactel || *press.tactel < 0 ||
          static_cast<std::size_t>(*press.tactel) >= context.model.response.tactels.size())
        continue;
      held.try_emplace(*press.tactel, false);
      if (!rested(context.sessions[s], press)) continue;
      held[*press.tactel] = true;
      const auto creep = creep_of(context, s, p);
      if (!creep) return fail(creep.error());
      if (*creep) found[*press.tactel].push_back(**creep);
    }
  for (auto& tactel : context.model.response.tactels) {
    auto all = found[tactel.index];
    if (all.empty() && context.reading_creep) {
      const auto& under_weights = context.reading_creep->of_tactel;
      if (const auto own = under_weights.find(tactel.index); own != under_weights.end())
        all.push_back({100 * own->second.value, 100 * own->second.std, own->second.dof});
    }
    if (all.empty()) {
      tactel.creep = unidentifiable(
          "%/decade",
          held.contains(tactel.index) && !held[tactel.index]
              ? "RS-CREEP What was pressed on the tactel before its hold still shows: hold it "
                "before "
                "anything else, or after a rest ten times as long as the loads."
          : held.contains(tactel.index)
              ? "RS-CREEP The readings of the hold saturate, are too small or too few, the hold is "
                "too short, or the tactel's response is not known."
              : "RS-CREEP No hold on this tactel.",
          kStage);
      continue;
    }
    const std::vector<Component> systematic{{"response", kSure, kManyDegrees}};
    tactel.creep = identified(mean_of_holds(all), "%/decade", kStage, systematic);
  }
  return {};
}

}  // namespace tactelier

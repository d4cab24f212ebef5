#include "fitting/response/response_air.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fitting/recording/press_data.hpp"
#include "fitting/response/response_limits.hpp"
#include "libcalib/model_file/turned_counts.hpp"
#include "libcalib/session/stated_rest.hpp"

namespace tactelier {
namespace {

constexpr double kLongest_s = 60;           // of one interval: enough for offset and noise
constexpr std::size_t kEnoughFrames = 500;  // docs/theory/response.md 3
constexpr std::size_t kMinFrames = 10;
constexpr std::size_t kMaxPresses = 50;
constexpr std::size_t kMinUnloadedRows = 3;
constexpr double kZeroForce = 1e-3;  // of a table's highest force in the press
constexpr double kGuard = 0.1;       // share of the time before touch that is left out

using Windows = std::vector<std::vector<BaselineWindow>>;

Result<std::size_t> add(const FitContext& context, std::size_t session, TimeRange range,
                        Windows& windows) {
  const auto& file = *context.sessions[session].session;
  std::vector<int> tactels(windows.size());
  std::iota(tactels.begin(), tactels.end(), 0);
  const auto readings = load_readings(context, session, tactels, range);
  if (!readings) {
    if (readings.error().code == ErrorCode::kUnidentifiable) return 0;
    return fail(readings.error(), file.file().filename().string());
  }
  if (readings->time_s.size() < kMinFrames) return 0;
  const double floor = reading_floor(context.model.sensor);
  for (std::size_t i = 0; i < windows.size(); ++i)
    if (const auto window = air_window(readings->counts[i], floor); window.n >= kMinFrames)
      windows[i].push_back(window);
  return readings->time_s.size();
}

bool at_rest(const Session& session) {
  return session.metadata().imported && session.metadata().imported->static_readings;
}

bool lies_in(std::span<const Interval> rests, double time_s) {
  return std::any_of(rests.begin(), rests.end(), [time_s](const Interval& rest) {
    return time_s >= rest.begin_s && time_s <= rest.end_s;
  });
}

/// Readings in the rows that a table's map calls rest.
Result<void> gather_rests(const FitContext& context, std::size_t session,
                          std::span<const Interval> rests,
                          std::vector<std::vector<double>>& unloaded) {
  std::vector<int> tactels(unloaded.size());
  std::iota(tactels.begin(), tactels.end(), 0);
  for (const auto& rest : rests) {
    const auto readings = load_readings(context, session, tactels, {rest.begin_s, rest.end_s});
    if (!readings && readings.error().code == ErrorCode::kUnidentifiable) continue;
    if (!readings) return fail(readings.error());
    for (std::size_t i = 0; i < unloaded.size(); ++i)
      unloaded[i].insert(unloaded[i].end(), readings->counts[i].begin(), readings->counts[i].end());
  }
  return {};
}

/// Readings of one press of a table at its rows of zero force, behind those of the others.
Result<void> gather_unloaded(const FitContext& context, const PressContact& contact,
                             std::span<const Interval> rests,
                             std::vector<std::vector<double>>& unloaded) {
  std::vector<int> tactels(unloaded.size());
  std::iota(tactels.begin(), tactels.end(), 0);
  const auto data = load_press(context, contact.session, contact.press, tactels);
  if (!data && data.error().code == ErrorCode::kUnidentifiable) return {};
  if (!data) return fail(data.error());
  if (!data->has_force() || data->rows() == 0) return {};
  const double zero_N = kZeroForce * std::abs(data->force_N[data->peak]);
  for (std::size_t i = 0; i < data->counts.size(); ++i)
    for (std::size_t row = 0; row < data->rows(); ++row)
      if (std::abs(data->force_N[row]) <= zero_N && !lies_in(rests, data->time_s[row]))
        unloaded[i].push_back(data->counts[i][row]);
  return {};
}

/// One window a table: its rows have no time course, and few of them are unloaded.
Result<void> add_unloaded_rows(const FitContext& context, Windows& windows) {
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    if (!at_rest(*context.sessions[s].session)) continue;
    const auto& file = *context.sessions[s].session;
    const auto rests = intervals(file.events(), "zero");
    if (!rests) return fail(rests.error(), file.file().filename().string());
    std::vector<std::vector<double>> unloaded(windows.size());
    if (const auto gathered = gather_rests(context, s, *rests, unloaded); !gathered)
      return gathered;
    for (const auto& contact : context.contacts) {
      if (contact.session != s) continue;
      if (context.job.stopped()) return Job::cancelled();
      const auto gathered = gather_unloaded(context, contact, *rests, unloaded);
      if (!gathered) return gathered;
    }
    const double floor = reading_floor(context.model.sensor);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      auto window = air_window(unloaded[i], floor);
      window.rho = 0;  // rows of a table follow in no time
      if (window.n >= kMinUnloadedRows) windows[i].push_back(window);
    }
  }
  return {};
}

/// For tactels of which no unloaded reading was found.
void add_stated(const FitContext& context, Windows& windows) {
  const double floor = reading_floor(context.model.sensor);
  for (const auto& session : context.sessions) {
    const auto reads = stated_rest(session.session->metadata());
    for (std::size_t i = 0; i < std::min(windows.size(), reads.size()); ++i) {
      const double counts = turned_reading(context.model.sensor, reads[i]);
      const bool known = std::any_of(windows[i].begin(), windows[i].end(),
                                     [&](const auto& w) { return !w.stated || w.mean == counts; });
      if (!known) windows[i].push_back({counts, 0, 0, 1, counts == floor ? 1U : 0U, true});
    }
  }
}

}  // namespace

Result<BaselineSurvey> survey_baseline(const FitContext& context) {
  BaselineSurvey survey;
  auto& windows = survey.windows;
  windows.resize(static_cast<std::size_t>(context.model.sensor.tactels()));
  std::size_t frames = 0;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    const auto& file = *context.sessions[s].session;
    if (!file.stream(StreamKind::kTactile) || at_rest(file)) continue;
    const auto zeros = intervals(file.events(), "zero");
    if (!zeros) return fail(zeros.error(), file.file().filename().string());
    for (const auto& zero : *zeros) {
      if (context.job.stopped()) return Job::cancelled();
      const TimeRange range{zero.begin_s, std::min(zero.end_s, zero.begin_s + kLongest_s)};
      const auto added = add(context, s, range, windows);
      if (!added) return fail(added.error());
      frames += *added;
    }
  }
  for (std::size_t i = 0; i < context.contacts.size(); ++i) {
    if (frames >= kEnoughFrames || survey.presses.size() == kMaxPresses) break;
    if (context.job.stopped()) return Job::cancelled();
    const auto& contact = context.contacts[i];
    const auto& file = *context.sessions[contact.session].session;
    if (!contact.tared || !file.stream(StreamKind::kTactile) || at_rest(file)) continue;
    const auto& press = context.sessions[contact.session].presses[contact.press];
    const double free_s = (1 - kGuard) * (contact.time_s - press.begin_s);
    const auto added =
        add(context, contact.session, {press.begin_s, press.begin_s + free_s}, windows);
    if (!added) return fail(added.error());
    frames += *added;
    survey.presses.insert(i);
  }
  if (const auto added = add_unloaded_rows(context, windows); !added) return fail(added.error());
  add_stated(context, windows);
  return survey;
}

}  // namespace tactelier

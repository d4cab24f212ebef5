#include "fitting/response/response_air.hpp"

#include <algorithm>
#include <numeric>

#include "fitting/recording/press_data.hpp"
#include "fitting/response/response_limits.hpp"

namespace tactelier {
namespace {

constexpr double kLongest_s = 60;           // of one interval: enough for offset and noise
constexpr std::size_t kEnoughFrames = 500;  // docs/theory/response.md 3
constexpr std::size_t kMinFrames = 10;
constexpr std::size_t kMaxPresses = 50;
constexpr double kGuard = 0.1;  // share of the time before touch that is left out

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
  return survey;
}

}  // namespace tactelier

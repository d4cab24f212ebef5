#include "app/gui/pages/recording/frame_loader.hpp"

#include <algorithm>

#include "fitting/views/recording_view.hpp"

namespace tactelier::gui {
namespace {

constexpr double kValuesPerStretch = 300000;  // decoded in a few milliseconds
constexpr double kFramesAtLeast = 8;

bool holds(const TimeRange& range, double time_s) {
  return time_s >= range.begin_s && time_s < range.end_s;
}

}  // namespace

FrameLoader::FrameLoader(Jobs& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}

void FrameLoader::setRecording(RecordingPtr recording) {
  recording_ = std::move(recording);
  ++generation_;
  loading_ = false;
  now_.reset();
  ahead_.reset();
  wanted_s_.reset();
  columns_.clear();
  period_s_ = 0;
  const auto* stream = recording_ ? recording_->stream(StreamKind::kTactile) : nullptr;
  if (stream == nullptr || stream->rows == 0) return;
  columns_ = recording_->use([](const Session& session) { return tactel_columns(session); });
  const double rate = stream->rate_hz().value_or(1.0);
  period_s_ = rate > 0 ? 1 / rate : 0;
  const double per_second = std::max(1e-6, rate) * std::max<double>(1, double(columns_.size()));
  window_s_ = std::clamp(kValuesPerStretch / per_second, kFramesAtLeast * period_s_, 600.0);
}

void FrameLoader::request(double time_s) {
  if (!available()) return;
  for (const auto& stretch : {now_, ahead_}) {
    if (!stretch || !holds(stretch->range, time_s)) continue;
    if (stretch == ahead_) std::swap(now_, ahead_);
    wanted_s_.reset();
    show(*now_, time_s);
    // Most looking goes forward: have the next stretch ready.
    const bool near_end = time_s > now_->range.end_s - window_s_ / 3;
    if (near_end && !loading_ && !(ahead_ && holds(ahead_->range, now_->range.end_s)))
      load(now_->range.end_s + window_s_ / 4);
    return;
  }
  wanted_s_ = time_s;
  if (!loading_) load(time_s);
}

bool FrameLoader::show(const Stretch& stretch, double time_s) {
  const auto& times = stretch.samples.time_s;
  if (times.empty()) return false;
  auto after = std::upper_bound(times.begin(), times.end(), time_s);
  if (after != times.begin()) --after;
  const auto row = static_cast<std::size_t>(after - times.begin());
  std::vector<double> values;
  values.reserve(columns_.size());
  for (const auto& column : stretch.samples.columns) values.push_back(column[row]);
  emit frameReady(times[row], values);
  return true;
}

void FrameLoader::load(double time_s) {
  loading_ = true;
  // Some frames before the time asked for, so that there is always one not later than it.
  const TimeRange range{time_s - std::max(window_s_ / 4, 2 * period_s_),
                        time_s + window_s_ * 3 / 4};
  jobs_.run<Loaded>(
      {}, Lane::kQuiet, this,
      [recording = recording_, columns = columns_, range](const Job& job) -> Result<Loaded> {
        return recording->use([&](const Session& session) -> Result<Loaded> {
          auto samples = read_lined_up(session, recording->clocks(), StreamKind::kTactile, columns,
                                       range, job);
          if (!samples) return fail(samples.error());
          return Loaded{std::make_shared<const Stretch>(Stretch{range, std::move(*samples)}),
                        damage_warnings(session, recording->name().toStdString())};
        });
      },
      [this, generation = generation_](Result<Loaded> loaded) {
        if (generation != generation_) return;
        loading_ = false;
        if (!loaded) return;
        if (!loaded->damage.empty()) emit damageMet(loaded->damage);
        const auto wanted = wanted_s_;
        (wanted ? now_ : ahead_) = loaded->stretch;
        if (!wanted) return;
        if (holds(loaded->stretch->range, *wanted))
          request(*wanted);
        else
          load(*wanted);
      });
}

}  // namespace tactelier::gui

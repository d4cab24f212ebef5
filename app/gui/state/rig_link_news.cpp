// RigLink: what the rig process says.

#include <QFileInfo>
#include <QStorageInfo>
#include <cmath>

#include "app/gui/state/app_state.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

namespace messages = rig::messages;
using messages::TaskKind;
using nlohmann::json;

constexpr qint64 kStale_ms = 500;  // of this computer's time
constexpr double kStale_s = 0.5;
constexpr qint64 kStill_ms = 1500;
constexpr double kTouching_N = 0.1;

QString taskWords(TaskKind task) {
  switch (task) {
    case TaskKind::kHome:
      return RigLink::tr("Homing, Z first, upwards");
    case TaskKind::kSurface:
      return RigLink::tr("Finding the surface");
    case TaskKind::kRegister:
      return RigLink::tr("Finding where the pad lies");
    case TaskKind::kRetract:
      return RigLink::tr("Tip goes up");
    case TaskKind::kJog:
      return RigLink::tr("Jog");
    default:
      return text(to_string(task));
  }
}

/// What a task's progress is about: mostly a task's own name.
QString progressWords(const messages::Progress& progress) {
  if (!progress.detail.empty()) return text(progress.detail);
  const auto task = messages::task_kind(progress.what);
  return task ? taskWords(*task) : text(progress.what);
}

std::int64_t committedRows(const messages::Status& status) {
  return status.recording ? status.recording->committed_rows : 0;
}

}  // namespace

void RigLink::poll() {
  if (polling_ || !connected()) return;
  polling_ = true;
  ask(messages::request("status"), [this](const json& reply) {
    polling_ = false;
    if (reply.contains("result")) takeStatus(messages::status_in(reply["result"]));
  });
}

void RigLink::hear(const json& line) {
  if (messages::is_news(line)) {
    if (const auto news = messages::news_in(line)) hearNews(*news);
    return;
  }
  if (replies_.empty()) return;
  const auto reply = std::move(replies_.front());
  replies_.pop_front();
  reply(line);
}

void RigLink::hearNews(const messages::News& news) {
  if (const auto* progress = std::get_if<messages::Progress>(&news)) {
    progress_ = *progress;
    emit changed();
  } else if (const auto* press = std::get_if<messages::Press>(&news)) {
    emit pressTold(*press);
  } else if (const auto* question = std::get_if<messages::Question>(&news)) {
    question_ = *question;
    emit asked();
    emit changed();
  } else if (const auto* end = std::get_if<messages::End>(&news)) {
    endTask(*end);
  }
}

void RigLink::endTask(const messages::End& end) {
  const auto task = std::exchange(task_kind_, {});
  asking_ = false;
  task_ = 0;
  status_.task.reset();  // the next one may follow at once
  progress_.reset();
  if (std::exchange(question_, std::nullopt)) emit asked();
  if (task == TaskKind::kRecord) {
    ended_ = RunEnd{end.error, messages::recorded_in(end.result), end.warnings, text(armed_.file)};
    emit runEnded();
  } else {
    if (task && end.error && end.error->code != ErrorCode::kCancelled)
      failure_ = tr("%1: %2").arg(taskWords(*task), text(end.error->message));
    for (const auto& warning : end.warnings) notifications_.status(text(warning.text));
  }
  if (task == TaskKind::kJog) emit jogged();
  poll();
  emit changed();
}

void RigLink::takeStatus(messages::Status status) {
  const auto before = std::exchange(status_, std::move(status));
  heard_.start();
  if (committedRows(status_) != committedRows(before)) saved_.start();
  measureRates();
  if (!status_.jog_refused.empty() && status_.jog_refused != before.jog_refused)
    notifications_.status(tr("Jog: %1").arg(text(status_.jog_refused)));
  recording_words_ = recordingWords();
  noticeTrip(before.trip);
  // A limit that acted says it better.
  if (const auto failure = std::exchange(failure_, {}); !failure.isEmpty() && !status_.trip)
    notifications_.notify(Message::Level::kBad, failure,
                          tr("The stage stands; the tip was raised where its place is known."),
                          tr("Look at the rig, then try again."));
  emit changed();
}

/// Over a second or more.
void RigLink::measureRates() {
  const std::int64_t now_ns = live_ ? live_->now_ns : 0;
  const double passed_s = static_cast<double>(now_ns - rates_.from_ns) * 1e-9;
  if (rates_.from_ns != 0 && passed_s <= 1) return;
  if (rates_.from_ns != 0) {
    rates_.force_hz = static_cast<double>(status_.force_samples - rates_.force) / passed_s;
    rates_.frame_hz = static_cast<double>(status_.frames - rates_.frames) / passed_s;
  }
  rates_.from_ns = now_ns;
  rates_.force = status_.force_samples;
  rates_.frames = status_.frames;
}

QString RigLink::recordingWords() const {
  if (!status_.recording) return {};
  const QFileInfo file(text(status_.recording->file));
  const QFileInfo log(file.filePath() + QStringLiteral("-wal"));
  const QStorageInfo disk(file.path());
  const double saved_s = saved_.isValid() ? static_cast<double>(saved_.elapsed()) * 1e-3 : 0;
  auto words = tr("%1 · saved %2 s ago")
                   .arg(fileSize(file.size() + (log.exists() ? log.size() : 0)), fixed(saved_s, 1));
  if (disk.isValid()) words += tr("\n%1 GB free").arg(disk.bytesAvailable() / 1'000'000'000);
  return words;
}

void RigLink::noticeTrip(const std::optional<messages::Trip>& before) {
  if (!status_.trip || status_.trip == before) return;
  disarm();
  // The banner says it, the Session page what to do.
  if (status_.trip->by_hand()) return;
  notifications_.notify(
      Message::Level::kBad, tr("The rig has stopped itself: %1.").arg(text(status_.trip->text)),
      status_.position_trusted
          ? tr("Motion is locked; the position is trusted. What was recorded is in the file.")
          : tr("Motion is locked; the position is void. What was recorded is in the file."),
      status_.position_trusted
          ? tr("Look under the tip. Acknowledge on the Session page.")
          : tr("Look at the rig. Acknowledge on the Session page, then home."));
}

Mode RigLink::mode() const {
  if (!connected()) return isLost() ? Mode::kUnknown : Mode::kIdle;
  if (status_.trip) return status_.trip->by_hand() ? Mode::kStopped : Mode::kFault;
  const bool records = status_.task == TaskKind::kRecord ||
                       ((asking_ || task_ != 0) && task_kind_ == TaskKind::kRecord);
  if (records) {
    // Until the rig process says that it rests: nothing has moved or pressed for a while.
    const bool still = status_.stage == messages::StageActivity::kIdle && still_.isValid() &&
                       still_.elapsed() > kStill_ms && std::abs(status_.force_N) < kTouching_N;
    return question_ || (status_.paused && (status_.resting || still)) ? Mode::kPaused
                                                                       : Mode::kRunning;
  }
  if (armed_timer_.isActive()) return Mode::kArmed;
  return is_set_up_ || task_ != 0 ? Mode::kSetUp : Mode::kIdle;
}

double RigLink::magnitude_N() const {
  if (!live_) return 0;
  const auto zero_N = status_.zero_N.value_or(std::array<double, 3>{});
  double squares = live_->force_N * live_->force_N;
  for (std::size_t i = 0; i < 3; ++i)
    if (i != facts_.press_axis) squares += std::pow(live_->wrench_SI[i] - zero_N[i], 2);
  return std::sqrt(squares);
}

bool RigLink::forceFresh() const {
  return live_ && live_heard_.isValid() && live_heard_.elapsed() < kStale_ms &&
         live_->force_ns != 0 && ageOf_s(live_->force_ns) < kStale_s;
}

/// Of this computer's time.
double RigLink::ageOf_s(std::int64_t time_ns) const {
  const double age_s = static_cast<double>(live_->now_ns - time_ns) * 1e-9;
  return std::max(0.0, age_s / std::max(1.0, facts_.time_scale));
}

StreamState RigLink::stream(bool fresh, double rate_hz, double age_s, std::int64_t lost) const {
  StreamState state;
  state.lamp = !fresh ? Lamp::kBad : lost > 0 ? Lamp::kLook : Lamp::kGood;
  state.line =
      fresh ? tr("%1 /s · age %2 ms").arg(fixed(rate_hz, 0), fixed(age_s * 1e3, 0)) : tr("no data");
  state.detail = tr("gaps %1").arg(lost);
  return state;
}

QString RigLink::modeWords(Mode mode) const {
  const auto place = facts_.is_virtual ? tr(" · VIRTUAL") : QString();
  switch (mode) {
    case Mode::kIdle:
      return connected() ? tr("Rig connected, nothing armed") + place
             : busy()    ? tr("Connecting to the rig")
                         : QString();
    case Mode::kSetUp:
      return (working() && task_kind_ ? taskWords(*task_kind_)
              : working()             ? QString()
                                      : tr("Jog allowed · not recording")) +
             place;
    case Mode::kArmed:
      return tr("Starts on F5 · %1 s").arg((armed_timer_.remainingTime() + 999) / 1000);
    case Mode::kRunning:
      if (status_.paused) return tr("Pauses after this press") + place;
      if (!progress_) return tr("Begins") + place;
      return progressWords(*progress_) + place;
    case Mode::kPaused:
      return (question_ ? tr("Somebody is asked for something") : tr("Tip is up")) + place;
    case Mode::kStopped:
      return stop_ms_ ? tr("You stopped · answered in %1 ms").arg(*stop_ms_, 0, 'f', 1)
                      : tr("Stopped by hand");
    case Mode::kFault:
      return tr("%1 · motion locked").arg(status_.trip ? text(status_.trip->text) : QString());
    case Mode::kUnknown:
      return tr("The stage may still move");
  }
  return {};
}

void RigLink::showStreams(RigSnapshot& rig) const {
  const bool talks = live_ && live_heard_.elapsed() < kStale_ms;
  const auto age = [this](std::int64_t time_ns) { return live_ ? ageOf_s(time_ns) : 0; };
  const double force_s = age(live_ ? live_->force_ns : 0);
  const double frame_s = age(live_ ? live_->frame_ns : 0);
  const double stage_s = age(live_ ? live_->stage_ns : 0);
  rig.streams[0] = stream(forceFresh(), rates_.force_hz, force_s, status_.force_lost);
  rig.streams[1] = stream(talks && frame_s < 1, rates_.frame_hz, frame_s, status_.frames_lost);
  auto& stage = rig.streams[2];
  stage = stream(talks && live_->stage_ns != 0 && stage_s < 2, 0, stage_s, 0);
  if (stage.lamp == Lamp::kGood) {
    stage.line = tr("%1 · age %2 ms").arg(text(to_string(status_.stage)), fixed(stage_s * 1e3, 0));
    if (!status_.position_trusted) stage.lamp = Lamp::kLook;
  }
  stage.detail = status_.position_trusted ? tr("position trusted") : tr("position void");
}

RigSnapshot RigLink::lostSnapshot() const {
  RigSnapshot rig;
  rig.mode = Mode::kUnknown;
  rig.detail = modeWords(rig.mode);
  rig.motion_possible = rig.stop_silent = true;
  for (auto& stream : rig.streams) stream = {Lamp::kLook, tr("unknown"), {}};
  return rig;
}

RigSnapshot RigLink::snapshot() const {
  if (isLost()) return lostSnapshot();
  RigSnapshot rig;
  rig.mode = mode();
  rig.motion_possible = motionPossible();
  if (stop_line_ != nullptr) {
    rig.stop_p99_ms = stop_line_->p99_ms();
    rig.stop_silent = stop_line_->silent();
  }
  rig.detail = modeWords(rig.mode);
  if (!connected()) return rig;
  rig.force_limit_N = facts_.limits.pad_force_N;
  if (!rig.force_limit_N) rig.force_limit_N = facts_.rig.limits.max_force_N;
  if (forceFresh()) rig.force_N = magnitude_N();
  if (status_.peak_N > 0) rig.force_peak_N = status_.peak_N;
  showStreams(rig);
  if (!status_.recording) return rig;
  rig.recording = clockTime(status_.recording->recorded_s);
  rig.recording_detail = recording_words_;
  return rig;
}

}  // namespace tactelier::gui

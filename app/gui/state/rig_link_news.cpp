// RigLink: what the rig process says.

#include <QFileInfo>
#include <QStorageInfo>
#include <cmath>

#include "app/gui/state/app_state.hpp"
#include "app/gui/state/json_words.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

using nlohmann::json;

constexpr qint64 kStale_ms = 500;  // of this computer's time
constexpr double kStale_s = 0.5;
constexpr qint64 kStill_ms = 1500;
constexpr double kTouching_N = 0.1;

QString taskWords(const QString& task) {
  if (task == QStringLiteral("home")) return RigLink::tr("Homing, Z first, upwards");
  if (task == QStringLiteral("surface")) return RigLink::tr("Finding the surface");
  if (task == QStringLiteral("register")) return RigLink::tr("Finding where the pad lies");
  if (task == QStringLiteral("retract")) return RigLink::tr("Tip goes up");
  if (task == QStringLiteral("jog")) return RigLink::tr("Jog");
  return task;
}

}  // namespace

void RigLink::poll() {
  if (polling_ || !connected()) return;
  polling_ = true;
  ask({{"do", "status"}}, [this](const json& reply) {
    polling_ = false;
    if (const auto* result = memberIn(reply, "result")) takeStatus(*result);
  });
}

void RigLink::hear(const json& document) {
  if (document.contains("news")) return hearNews(document);
  if (replies_.empty()) return;
  const auto reply = std::move(replies_.front());
  replies_.pop_front();
  reply(document);
}

void RigLink::hearNews(const json& news) {
  const auto word = textIn(news, "news");
  if (word == QStringLiteral("progress")) {
    progress_ = RigProgress{textIn(news, "what"), textIn(news, "detail"), numberIn(news, "done"),
                            numberIn(news, "total")};
    emit changed();
  } else if (word == QStringLiteral("press")) {
    RigPress press{static_cast<int>(numberIn(news, "press")), {}, textIn(news, "outcome")};
    if (const auto* tactel = memberIn(news, "tactel"); tactel && tactel->is_number_integer())
      press.tactel = tactel->get<int>();
    emit pressTold(press);
  } else if (word == QStringLiteral("question")) {
    question_ = RigQuestion{textIn(news, "text"), textIn(news, "answer_key")};
    emit asked();
    emit changed();
  } else if (word == QStringLiteral("done") || word == QStringLiteral("failed")) {
    endTask(news);
  }
}

void RigLink::endTask(const json& news) {
  const bool failed = textIn(news, "news") == QStringLiteral("failed");
  const auto name = std::exchange(task_name_, {});
  const auto* error = memberIn(news, "error");
  const auto why = error != nullptr ? textIn(*error, "text") : QString();
  asking_ = false;
  task_ = 0;
  status_.task.clear();  // the next one may follow at once
  progress_.reset();
  if (std::exchange(question_, std::nullopt)) emit asked();
  QStringList warnings;
  if (const auto* list = memberIn(news, "warnings"); list != nullptr && list->is_array())
    for (const auto& warning : *list) warnings << textIn(warning, "text");
  if (name == QStringLiteral("record")) {
    const auto* result = memberIn(news, "result");
    ended_ = RunEnd{failed, why, result != nullptr ? *result : json::object(), warnings,
                    textIn(armed_record_, "file")};
    emit runEnded();
  } else if (failed && textIn(*error, "code") != QStringLiteral("cancelled")) {
    failure_ = tr("%1: %2").arg(taskWords(name), why);
  }
  for (const auto& warning : warnings)
    if (name != QStringLiteral("record")) emit state_.statusTold(warning);
  if (name == QStringLiteral("jog")) emit jogged();
  poll();
  emit changed();
}

void RigLink::takeStatus(const json& answer) {
  const auto before = status_;
  status_ = rigStatus(answer);
  heard_.start();
  if (status_.committed_rows != before.committed_rows) saved_.start();
  const std::int64_t now_ns = live_ ? live_->now_ns : 0;
  const double passed_s = static_cast<double>(now_ns - rates_.from_ns) * 1e-9;
  if (rates_.from_ns == 0 || passed_s > 1) {
    if (rates_.from_ns != 0) {
      rates_.force_hz = static_cast<double>(status_.force_samples - rates_.force) / passed_s;
      rates_.frame_hz = static_cast<double>(status_.frames - rates_.frames) / passed_s;
    }
    rates_.from_ns = now_ns;
    rates_.force = status_.force_samples;
    rates_.frames = status_.frames;
  }
  if (!status_.jog_refused.isEmpty() && status_.jog_refused != before.jog_refused)
    emit state_.statusTold(tr("Jog: %1").arg(status_.jog_refused));
  recording_words_ = recordingWords();
  noticeTrip(before.trip);
  // A limit that acted says it better.
  if (const auto failure = std::exchange(failure_, {});
      !failure.isEmpty() && status_.trip.isEmpty())
    state_.tell(Message::Level::kBad, failure,
                tr("The stage stands; the tip was raised where its place is known."),
                tr("Look at the rig, then try again."));
  emit changed();
}

QString RigLink::recordingWords() const {
  if (status_.recording.isEmpty()) return {};
  const QFileInfo file(status_.recording);
  const QFileInfo log(status_.recording + QStringLiteral("-wal"));
  const QStorageInfo disk(file.path());
  const double saved_s = saved_.isValid() ? static_cast<double>(saved_.elapsed()) * 1e-3 : 0;
  auto words = tr("%1 · saved %2 s ago")
                   .arg(fileSize(file.size() + (log.exists() ? log.size() : 0)), fixed(saved_s, 1));
  if (disk.isValid()) words += tr("\n%1 GB free").arg(disk.bytesAvailable() / 1'000'000'000);
  return words;
}

void RigLink::noticeTrip(const QString& before) {
  if (status_.trip.isEmpty() || status_.trip == before) return;
  disarm();
  // The banner says it, the Session page what to do.
  if (stoppedByHand(status_)) return;
  state_.tell(
      Message::Level::kBad, tr("The rig has stopped itself: %1.").arg(status_.trip),
      status_.position_trusted
          ? tr("Motion is locked; the position is trusted. What was recorded is in the file.")
          : tr("Motion is locked; the position is void. What was recorded is in the file."),
      status_.position_trusted
          ? tr("Look under the tip. Acknowledge on the Session page.")
          : tr("Look at the rig. Acknowledge on the Session page, then home."));
}

Mode RigLink::mode() const {
  if (!connected()) return isLost() ? Mode::kUnknown : Mode::kIdle;
  if (!status_.trip.isEmpty()) return stoppedByHand(status_) ? Mode::kStopped : Mode::kFault;
  const bool records = status_.task == QStringLiteral("record") ||
                       ((asking_ || task_ != 0) && task_name_ == QStringLiteral("record"));
  if (records) {
    // Until the rig process says that it rests: nothing has moved or pressed for a while.
    const bool still = status_.stage == QStringLiteral("idle") && still_.isValid() &&
                       still_.elapsed() > kStill_ms && std::abs(status_.force_N) < kTouching_N;
    return question_ || (status_.paused && (status_.resting || still)) ? Mode::kPaused
                                                                       : Mode::kRunning;
  }
  if (armed_.isActive()) return Mode::kArmed;
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
      return (working() ? taskWords(task_name_) : tr("Jog allowed · not recording")) + place;
    case Mode::kArmed:
      return tr("Starts on F5 · %1 s").arg((armed_.remainingTime() + 999) / 1000);
    case Mode::kRunning:
      if (status_.paused) return tr("Pauses after this press") + place;
      if (!progress_) return tr("Begins") + place;
      return (progress_->detail.isEmpty() ? taskWords(progress_->what) : progress_->detail) + place;
    case Mode::kPaused:
      return (question_ ? tr("Somebody is asked for something") : tr("Tip is up")) + place;
    case Mode::kStopped:
      return stop_ms_ ? tr("You stopped · answered in %1 ms").arg(*stop_ms_, 0, 'f', 1)
                      : tr("Stopped by hand");
    case Mode::kFault:
      return tr("%1 · motion locked").arg(status_.trip);
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
    stage.line = tr("%1 · age %2 ms").arg(status_.stage, fixed(stage_s * 1e3, 0));
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
  if (status_.recording.isEmpty()) return rig;
  rig.recording = clockTime(status_.recorded_s);
  rig.recording_detail = recording_words_;
  return rig;
}

}  // namespace tactelier::gui

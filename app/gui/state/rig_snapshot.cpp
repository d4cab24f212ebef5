#include "app/gui/state/rig_snapshot.hpp"

#include <QFileInfo>
#include <QStorageInfo>
#include <cmath>

#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

namespace messages = rig::messages;
using messages::TaskKind;

/// What a task's progress is about: mostly a task's own name.
QString progressWords(const messages::Progress& progress) {
  if (!progress.detail.empty()) return text(progress.detail);
  const auto task = messages::task_kind(progress.what);
  return task ? taskWords(*task) : text(progress.what);
}

/// Length of the force, all axes; pressing as the rig process tares it, across from what the air
/// reads.
double magnitude_N(const RigLink& rig) {
  const auto& live = rig.live();
  if (!live) return 0;
  const auto zero_N = rig.status().zero_N.value_or(std::array<double, 3>{});
  double squares = live->force_N * live->force_N;
  for (std::size_t i = 0; i < 3; ++i)
    if (i != rig.facts().press_axis) squares += std::pow(live->wrench_SI[i] - zero_N[i], 2);
  return std::sqrt(squares);
}

StreamState streamState(bool fresh, double rate_hz, double age_s, std::int64_t lost) {
  StreamState state;
  state.lamp = !fresh ? Lamp::kBad : lost > 0 ? Lamp::kLook : Lamp::kGood;
  state.line = fresh
                   ? RigLink::tr("%1 /s · age %2 ms").arg(fixed(rate_hz, 0), fixed(age_s * 1e3, 0))
                   : RigLink::tr("no data");
  state.detail = RigLink::tr("gaps %1").arg(lost);
  return state;
}

QString modeWords(const RigLink& rig, Mode mode) {
  const auto& status = rig.status();
  const auto place = rig.facts().is_virtual ? RigLink::tr(" · VIRTUAL") : QString();
  switch (mode) {
    case Mode::kIdle:
      return rig.connected() ? RigLink::tr("Rig connected, nothing armed") + place
             : rig.busy()    ? RigLink::tr("Connecting to the rig")
                             : QString();
    case Mode::kSetUp:
      return (rig.working() && rig.taskKind() ? taskWords(*rig.taskKind())
              : rig.working()                 ? QString()
                                              : RigLink::tr("Jog allowed · not recording")) +
             place;
    case Mode::kArmed:
      return RigLink::tr("Starts on F5 · %1 s").arg((rig.armedLeft_ms() + 999) / 1000);
    case Mode::kRunning:
      if (status.paused) return RigLink::tr("Pauses after this press") + place;
      if (!rig.progress()) return RigLink::tr("Begins") + place;
      return progressWords(*rig.progress()) + place;
    case Mode::kPaused:
      return (rig.question() ? RigLink::tr("Somebody is asked for something")
                             : RigLink::tr("Tip is up")) +
             place;
    case Mode::kStopped:
      return rig.stopAnswer_ms() ? RigLink::tr("You stopped · answered in %1 ms")
                                       .arg(*rig.stopAnswer_ms(), 0, 'f', 1)
                                 : RigLink::tr("Stopped by hand");
    case Mode::kFault:
      return RigLink::tr("%1 · motion locked")
          .arg(status.trip ? text(status.trip->text) : QString());
    case Mode::kUnknown:
      return RigLink::tr("The stage may still move");
  }
  return {};
}

std::array<StreamState, 3> streamStates(const RigLink& rig) {
  const auto& feed = rig.feed();
  const auto& status = rig.status();
  const bool talks = feed.talks();
  auto stage = streamState(talks && feed.newest()->stage_ns != 0 && feed.stageAge_s() < 2, 0,
                           feed.stageAge_s(), 0);
  if (stage.lamp == Lamp::kGood) {
    stage.line = RigLink::tr("%1 · age %2 ms")
                     .arg(text(to_string(status.stage)), fixed(feed.stageAge_s() * 1e3, 0));
    if (!status.position_trusted) stage.lamp = Lamp::kLook;
  }
  stage.detail =
      status.position_trusted ? RigLink::tr("position trusted") : RigLink::tr("position void");
  return {streamState(feed.forceFresh(), feed.forceRate_hz(), feed.forceAge_s(), status.force_lost),
          streamState(talks && feed.frameAge_s() < 1, feed.frameRate_hz(), feed.frameAge_s(),
                      status.frames_lost),
          std::move(stage)};
}

RigSnapshot lostSnapshot(const RigLink& link) {
  RigSnapshot rig;
  rig.mode = Mode::kUnknown;
  rig.detail = modeWords(link, rig.mode);
  rig.motion_possible = rig.stop_silent = true;
  for (auto& stream : rig.streams) stream = {Lamp::kLook, RigLink::tr("unknown"), {}};
  return rig;
}

}  // namespace

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
    case TaskKind::kWeigh:
      return RigLink::tr("A known weight at the tip");
    case TaskKind::kProve:
      return RigLink::tr("Proving the force sensor by hand");
    default:
      return text(to_string(task));
  }
}

QString recordingWords(const messages::Status& status, double saved_s) {
  if (!status.recording) return {};
  const QFileInfo file(text(status.recording->file));
  const QFileInfo log(file.filePath() + QStringLiteral("-wal"));
  const QStorageInfo disk(file.path());
  auto words = RigLink::tr("%1 · saved %2 s ago")
                   .arg(fileSize(file.size() + (log.exists() ? log.size() : 0)), fixed(saved_s, 1));
  if (disk.isValid())
    words += RigLink::tr("\n%1 GB free").arg(disk.bytesAvailable() / 1'000'000'000);
  return words;
}

RigSnapshot snapshotOf(const RigLink& link) {
  if (link.isLost()) return lostSnapshot(link);
  RigSnapshot rig;
  rig.mode = link.mode();
  rig.motion_possible = link.motionPossible();
  if (const auto* stop = link.stopLine()) {
    rig.stop_p99_ms = stop->p99_ms();
    rig.stop_silent = stop->silent();
  }
  rig.detail = modeWords(link, rig.mode);
  if (!link.connected()) return rig;
  rig.force_limit_N = link.facts().limits.pad_force_N;
  if (!rig.force_limit_N) rig.force_limit_N = link.facts().rig.limits.max_force_N;
  if (link.feed().forceFresh()) rig.force_N = magnitude_N(link);
  const auto& status = link.status();
  if (status.peak_N > 0) rig.force_peak_N = status.peak_N;
  rig.streams = streamStates(link);
  if (!status.recording) return rig;
  rig.recording = clockTime(status.recording->recorded_s);
  rig.recording_detail = link.recordingWords();
  return rig;
}

}  // namespace tactelier::gui

#include "app/gui/state/rig_log.hpp"

#include <QFileInfo>

#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/event_log.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/rig_snapshot.hpp"
#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

using rig::messages::PressOutcome;
using rig::messages::TaskKind;
using Level = Message::Level;

bool locked(Mode mode) { return mode == Mode::kStopped || mode == Mode::kFault; }

QString roleWords(const std::string& role) {
  return role == "force"     ? RigLog::tr("Force sensor")
         : role == "tactile" ? RigLog::tr("Tactile array")
                             : RigLog::tr("Stage");
}

}  // namespace

RigLog::RigLog(EventLog& log, const RigLink& rig, const BenchDevices& bench, QObject* parent)
    : QObject(parent), log_(log), rig_(rig), bench_(bench) {
  connect(&rig_, &RigLink::linkChanged, this, &RigLog::followLink);
  connect(&rig_, &RigLink::changed, this, [this] {
    followMode();
    followTask();
  });
  connect(&rig_, &RigLink::pressTold, this, &RigLog::tellPress);
  connect(&rig_, &RigLink::runBegun, this,
          [this] { tell(Level::kInfo, tr("The recording begins."), rig_.target()); });
  connect(&rig_, &RigLink::runEnded, this, &RigLog::tellEnd);
  connect(&rig_, &RigLink::asked, this, [this] {
    if (rig_.question())
      tell(Level::kInfo, tr("The rig asks: %1").arg(text(rig_.question()->text)));
  });
  connect(&rig_, &RigLink::wished, this,
          [this](const QString& words) { tell(Level::kInfo, words); });
  connect(&bench_, &BenchDevices::changed, this, &RigLog::followDevices);
}

void RigLog::tell(Level level, const QString& words, const QString& about, const QString& code,
                  const QString& todo) {
  log_.add({level, words, {}, todo, about, code, QStringLiteral("session")});
}

void RigLog::followLink() {
  if (rig_.connected() == connected_) return;
  connected_ = rig_.connected();
  const auto& facts = rig_.facts();
  if (connected_)
    tell(Level::kInfo, tr("Connected to the rig %1, sensor %2%3.")
                           .arg(text(facts.rig.name), text(facts.sensor.model),
                                facts.is_virtual ? tr(", virtual bench") : QString()));
  else if (!rig_.isLost())
    tell(Level::kInfo, tr("Disconnected from the rig %1.").arg(text(facts.rig.name)));
}

void RigLog::followMode() {
  const auto before = std::exchange(mode_, rig_.mode());
  if (before == mode_) return;
  if (locked(before) && !locked(mode_) && rig_.connected())
    tell(Level::kInfo, tr("Acknowledged: %1. Motion is allowed again.").arg(lock_));
  if (locked(mode_) && rig_.status().trip) lock_ = text(rig_.status().trip->text);
  switch (mode_) {
    case Mode::kStopped:
      return tell(Level::kLook, tr("STOP: motion is locked."), {},
                  text(to_string(rig::LimitKind::kStopButton)),
                  tr("Acknowledge on the Session page, then go on."));
    case Mode::kSetUp:
      if (before == Mode::kArmed) return tell(Level::kInfo, tr("Disarmed."));
      if (before == Mode::kIdle)
        return tell(Level::kInfo, tr("Set-up: the stage may be moved by hand."));
      return;
    case Mode::kIdle:
      if (before == Mode::kSetUp && rig_.connected())
        tell(Level::kInfo, tr("Set-up has ended: nothing may move."));
      return;
    case Mode::kArmed:
      return tell(Level::kInfo, tr("Armed."));
    case Mode::kPaused:
      return tell(Level::kInfo, tr("Paused."));
    case Mode::kRunning:
      if (before == Mode::kPaused) tell(Level::kInfo, tr("Resumed."));
      return;
    case Mode::kFault:    // the message bar tells it,
    case Mode::kUnknown:  // this too
      return;
  }
}

/// Jogs are too many to tell, recordings are told apart.
void RigLog::followTask() {
  const auto before = std::exchange(task_, rig_.taskKind());
  if (!task_ || task_ == before) return;
  if (task_ != TaskKind::kJog && task_ != TaskKind::kRecord && task_ != TaskKind::kKeep)
    tell(Level::kInfo, taskWords(*task_) + QLatin1Char('.'));
}

void RigLog::followDevices() {
  if (const auto before = std::exchange(file_, bench_.file()); before != file_) {
    const auto& named = file_.isEmpty() ? before : file_;
    log_.add({Level::kInfo,
              (file_.isEmpty() ? tr("The devices of %1 are let go.")
                               : tr("Looking at the devices of %1."))
                  .arg(QFileInfo(named).fileName()),
              {},
              {},
              {},
              {},
              QStringLiteral("bench")});
  }
  for (const auto& health : bench_.health()) {
    if (health.state == HealthState::kConnecting) continue;
    const bool bad = health.state == HealthState::kBad;
    const auto role = text(health.role);
    if (silent_.value(role) == bad) continue;
    silent_.insert(role, bad);
    const auto name = roleWords(health.role);
    log_.add({bad ? Level::kLook : Level::kInfo,
              bad ? tr("%1: %2.").arg(name, text(health.words)) : tr("%1: data again.").arg(name),
              {},
              {},
              {},
              {},
              QStringLiteral("bench")});
  }
  if (bench_.health().empty()) silent_.clear();
}

void RigLog::tellPress(const rig::messages::Press& press) {
  const auto place = press.tactel ? tr("Press %1, tactel %2").arg(press.number).arg(*press.tactel)
                                  : tr("Press %1").arg(press.number);
  if (press.outcome == PressOutcome::kAborted)
    tell(Level::kLook, tr("%1: aborted. Its data stay.").arg(place));
  else if (press.outcome == PressOutcome::kRepeated)
    tell(Level::kInfo, tr("%1: repeated.").arg(place));
  else if (press.outcome == PressOutcome::kUndone || press.outcome == PressOutcome::kWithdrawn)
    tell(Level::kInfo, tr("%1: withdrawn. Its data stay.").arg(place));
}

void RigLog::tellEnd() {
  if (!rig_.ended()) return;
  const auto& end = *rig_.ended();
  if (end.error)
    tell(end.error->code == ErrorCode::kCancelled ? Level::kLook : Level::kBad,
         tr("The recording ended early: %1").arg(text(end.error->message)), end.file, {},
         tr("Resume it on the Session page, or open it as it is."));
  else
    tell(Level::kInfo,
         (end.recorded.complete ? tr("The recording is complete: %1 presses in %2.")
                                : tr("The recording was ended: %1 presses in %2."))
             .arg(end.recorded.presses)
             .arg(clockTime(end.recorded.duration_s)),
         end.file);
  for (const auto& warning : end.warnings)
    tell(Level::kLook, text(warning.text), end.file, text(warning.code));
}

}  // namespace tactelier::gui

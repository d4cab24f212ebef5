#pragma once
// What the rig reports, written into the event log: connections, modes, STOPs and their
// acknowledgement, recordings from begin to end, presses that went wrong, questions, notes, and
// devices that fall silent. What the message bar tells comes into the log by itself.

#include <QHash>
#include <QObject>

#include "app/gui/state/mode.hpp"
#include "app/gui/text/message.hpp"
#include "devices/server/rig_messages.hpp"

namespace tactelier::gui {

class BenchDevices;
class EventLog;
class RigLink;

class RigLog : public QObject {
  Q_OBJECT
 public:
  /// All outlive it.
  RigLog(EventLog& log, const RigLink& rig, const BenchDevices& bench, QObject* parent);

 private:
  void followLink();
  void followMode();
  void followTask();
  void followDevices();
  void tellPress(const rig::messages::Press& press);
  void tellEnd();
  void tell(Message::Level level, const QString& words, const QString& about = {},
            const QString& code = {}, const QString& todo = {});

  EventLog& log_;
  const RigLink& rig_;
  const BenchDevices& bench_;
  bool connected_ = false;
  Mode mode_ = Mode::kIdle;
  QString lock_;  // why it is locked; "" while it isn't
  std::optional<rig::messages::TaskKind> task_;
  QString file_;                 // of devices that are looked at without a rig
  QHash<QString, bool> silent_;  // by the device's role
};

}  // namespace tactelier::gui

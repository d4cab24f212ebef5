#pragma once
// What the program has to say to its user: messages for the bar above the pages, and information
// for the status bar. Whoever has news calls it; the window shows it.

#include <QObject>

#include "app/gui/text/message.hpp"
#include "libcalib/result.hpp"

namespace tactelier::gui {

class Notifications : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  void notify(const Message& message) { emit messageRaised(message); }
  void notify(Message::Level level, const QString& happened, const QString& safe,
              const QString& todo) {
    emit messageRaised({level, happened, safe, todo});
  }
  /// Information, for the status bar.
  void status(const QString& text) { emit statusChanged(text); }
  /// What was told is over: its message leaves the bar, and stays in the event log.
  void settled(const QString& matter) { emit matterSettled(matter); }
  /// A message; information alone where somebody cancelled.
  void failed(const Error& error, const QString& safe, const QString& todo);

 signals:
  void messageRaised(const Message& message);
  void statusChanged(const QString& text);
  void matterSettled(const QString& matter);
};

}  // namespace tactelier::gui

#pragma once
// Errors: what happened, what is safe now, what to do. One bar, newest first, "+2 more"; a message
// stays until it is dealt with.

#include <QFrame>
#include <QList>

#include "app/gui/text/message.hpp"

class QLabel;
class QPushButton;

namespace tactelier::gui {

class MessageBar : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);
  void add(const Message& message);
  /// Takes away what was told of it: it is over.
  void settle(const QString& matter);
  const QList<Message>& messages() const { return messages_; }

 signals:
  void logWanted();

 private:
  void dismiss();
  void refresh();

  QList<Message> messages_;  // newest first
  QLabel* icon_;
  QLabel* happened_;
  QLabel* safe_;
  QLabel* todo_;
  QLabel* more_;
  QPushButton* close_;
};

}  // namespace tactelier::gui

#pragma once
// All that the app told and the rig reported, oldest first. Each event is a line of JSON in a file,
// written before anybody sees it: a crash or a restart loses none, and what the message bar no
// longer shows can be read again.

#include <QDateTime>
#include <QObject>
#include <vector>

#include "app/gui/text/message.hpp"

namespace tactelier::gui {

struct LogEvent {
  QDateTime time;  // UTC, to the millisecond
  Message message;

  bool operator==(const LogEvent&) const = default;
};

class EventLog : public QObject {
  Q_OBJECT
 public:
  /// As many are kept over a start; older ones leave the file.
  static constexpr int kKept = 5000;
  /// "events.jsonl" among the app's data.
  static QString usualFile();

  /// Reads what the file holds; lines that are none of ours are left out.
  explicit EventLog(const QString& file, QObject* parent = nullptr);

  const std::vector<LogEvent>& events() const { return events_; }
  const QString& file() const { return file_; }
  /// Why the newest event is not in the file; "" when it is.
  const QString& problem() const { return problem_; }
  /// The page in front: where a message without a page of its own leads.
  void setPage(const QString& page_id) { page_ = page_id; }

 public slots:
  /// Now. What repeats the newest event's words within a second is left out.
  void add(const Message& message);

 signals:
  void added();  // the last of events()

 private:
  void read();
  void write(const LogEvent& event);

  QString file_;
  QString page_;
  QString problem_;
  std::vector<LogEvent> events_;
};

/// "Information", "Warning", "Error".
QString levelWords(Message::Level level);
/// What happened, what is safe, what to do, in one line.
QString wholeWords(const Message& message);

}  // namespace tactelier::gui

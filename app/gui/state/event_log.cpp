#include "app/gui/state/event_log.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>

namespace tactelier::gui {
namespace {

constexpr qint64 kRepeats_ms = 1000;

struct LevelName {
  Message::Level level;
  const char* name;
};
constexpr LevelName kLevels[] = {{Message::Level::kInfo, "information"},
                                 {Message::Level::kLook, "warning"},
                                 {Message::Level::kBad, "error"}};

struct Text {
  const char* key;
  QString Message::*words;
};
constexpr Text kTexts[] = {{"happened", &Message::happened}, {"safe", &Message::safe},
                           {"todo", &Message::todo},         {"code", &Message::code},
                           {"about", &Message::about},       {"page", &Message::page}};

QByteArray lineOf(const LogEvent& event) {
  QJsonObject line{{QStringLiteral("time"), event.time.toString(Qt::ISODateWithMs)}};
  for (const auto& [level, name] : kLevels)
    if (level == event.message.level) line.insert(QStringLiteral("level"), QLatin1String(name));
  for (const auto& [key, words] : kTexts)
    if (!(event.message.*words).isEmpty()) line.insert(QLatin1String(key), event.message.*words);
  return QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
}

std::optional<LogEvent> eventIn(const QByteArray& bytes) {
  const auto line = QJsonDocument::fromJson(bytes).object();
  LogEvent event;
  event.time =
      QDateTime::fromString(line.value(QStringLiteral("time")).toString(), Qt::ISODateWithMs);
  for (const auto& [key, words] : kTexts)
    event.message.*words = line.value(QLatin1String(key)).toString();
  const auto level = line.value(QStringLiteral("level")).toString();
  for (const auto& [known, name] : kLevels)
    if (level == QLatin1String(name)) event.message.level = known;
  if (!event.time.isValid() || event.message.happened.isEmpty()) return std::nullopt;
  return event;
}

}  // namespace

QString EventLog::usualFile() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
         QStringLiteral("/events.jsonl");
}

EventLog::EventLog(const QString& file, QObject* parent) : QObject(parent), file_(file) { read(); }

void EventLog::read() {
  QFile file(file_);
  if (!file.open(QIODevice::ReadOnly)) return;
  while (!file.atEnd())
    if (auto event = eventIn(file.readLine())) events_.push_back(std::move(*event));
  file.close();
  if (events_.size() <= kKept) return;
  events_.erase(events_.begin(), events_.end() - kKept);
  QSaveFile shorter(file_);
  if (!shorter.open(QIODevice::WriteOnly)) return;
  for (const auto& event : events_) shorter.write(lineOf(event));
  shorter.commit();
}

void EventLog::add(const Message& message) {
  LogEvent event{QDateTime::currentDateTimeUtc(), message};
  if (event.message.page.isEmpty()) event.message.page = page_;
  if (!events_.empty() && events_.back().message == event.message &&
      events_.back().time.msecsTo(event.time) < kRepeats_ms)
    return;
  write(event);
  events_.push_back(std::move(event));
  emit added();
}

/// Opened each time: a second window writes into the same file.
void EventLog::write(const LogEvent& event) {
  QDir().mkpath(QFileInfo(file_).absolutePath());
  QFile file(file_);
  const auto line = lineOf(event);
  const bool written = file.open(QIODevice::WriteOnly | QIODevice::Append) &&
                       file.write(line) == line.size() && file.flush();
  problem_ = written ? QString() : file.errorString();
}

QString levelWords(Message::Level level) {
  switch (level) {
    case Message::Level::kInfo:
      return EventLog::tr("Information");
    case Message::Level::kLook:
      return EventLog::tr("Warning");
    case Message::Level::kBad:
      return EventLog::tr("Error");
  }
  return {};
}

QString wholeWords(const Message& message) {
  auto words = message.happened;
  for (const auto& more : {message.safe, message.todo})
    if (!more.isEmpty()) {
      // What a device says ends as it likes.
      if (!words.isEmpty() && words.back().isLetterOrNumber()) words += QLatin1Char('.');
      words += QLatin1Char(' ') + more;
    }
  return words;
}

}  // namespace tactelier::gui

#pragma once
// The event log as a table, and what of it is shown.

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "app/gui/state/event_log.hpp"

namespace tactelier::gui {

class EventModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kTime, kLevel, kCode, kWhat, kColumns };
  static constexpr int kSortRole = Qt::UserRole;
  static constexpr int kLookRole = Qt::UserRole + 1;  // of the chip (LibraryEntry::Look as int)

  /// `log` outlives the model.
  explicit EventModel(const EventLog& log, QObject* parent = nullptr);
  const LogEvent& event(int row) const { return log_.events()[static_cast<std::size_t>(row)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  const EventLog& log_;
  int rows_ = 0;
};

/// Events of a level or a worse one, in which all words searched for occur.
class EventFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit EventFilter(QObject* parent = nullptr);
  void setLeast(Message::Level level);
  void setWords(const QString& words);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  Message::Level least_ = Message::Level::kInfo;
  QStringList words_;
};

/// Local time, "2026-11-20 15:04:05.123".
QString eventTime(const LogEvent& event);
/// Tab-separated: time, level, code, all words, file.
QString eventLine(const LogEvent& event);

}  // namespace tactelier::gui

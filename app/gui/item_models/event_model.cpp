#include "app/gui/item_models/event_model.hpp"

#include <algorithm>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

QString cell(const LogEvent& event, int column) {
  switch (column) {
    case EventModel::kTime:
      return event.time.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    case EventModel::kLevel:
      return levelWords(event.message.level);
    case EventModel::kCode:
      return event.message.code;
    default:
      return event.message.happened;
  }
}

int lookOf(Message::Level level) {
  return level == Message::Level::kBad ? 3 : level == Message::Level::kLook ? 2 : 0;
}

}  // namespace

EventModel::EventModel(const EventLog& log, QObject* parent)
    : QAbstractTableModel(parent), log_(log), rows_(static_cast<int>(log.events().size())) {
  connect(&log, &EventLog::added, this, [this] {
    beginInsertRows({}, rows_, rows_);
    ++rows_;
    endInsertRows();
  });
}

int EventModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }

int EventModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant EventModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_) return {};
  const auto& shown = event(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return cell(shown, index.column());
    case Qt::ToolTipRole:
      return wholeWords(shown.message);
    case kSortRole:
      if (index.column() == kTime) return index.row();
      if (index.column() == kLevel) return static_cast<int>(shown.message.level);
      return cell(shown, index.column());
    case kLookRole:
      return lookOf(shown.message.level);
    case Qt::ForegroundRole:
      return index.column() == kWhat ? QVariant() : QVariant(theme().color(Token::kText2));
    default:
      return {};
  }
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("Time"), tr("Severity"), tr("Code"), tr("What happened")};
  return names[section];
}

EventFilter::EventFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(EventModel::kSortRole);
}

void EventFilter::setLeast(Message::Level level) {
  least_ = level;
  invalidateFilter();
}

void EventFilter::setWords(const QString& words) {
  words_ = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

bool EventFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const auto& event = static_cast<const EventModel*>(sourceModel())->event(row);
  if (event.message.level < least_) return false;
  const auto line = eventLine(event);
  return std::all_of(words_.begin(), words_.end(),
                     [&](const QString& word) { return line.contains(word, Qt::CaseInsensitive); });
}

QString eventTime(const LogEvent& event) {
  return event.time.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

QString eventLine(const LogEvent& event) {
  const auto& message = event.message;
  auto words = wholeWords(message);
  words.replace(QLatin1Char('\n'), QLatin1Char(' ')).replace(QLatin1Char('\t'), QLatin1Char(' '));
  return QStringList{eventTime(event), levelWords(message.level), message.code, words,
                     message.about}
      .join(QLatin1Char('\t'));
}

}  // namespace tactelier::gui

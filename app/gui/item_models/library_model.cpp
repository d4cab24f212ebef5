#include "app/gui/item_models/library_model.hpp"

#include <algorithm>

#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

QString kindWords(const LibraryEntry& entry) {
  switch (entry.kind) {
    case LibraryEntry::Kind::kModel:
      return LibraryModel::tr("Model");
    case LibraryEntry::Kind::kFolder:
      return LibraryModel::tr("Session folder");
    case LibraryEntry::Kind::kRecording:
      break;
  }
  return entry.holds.isEmpty() ? LibraryModel::tr("Recording")
                               : LibraryModel::tr("Recording · %1").arg(entry.holds);
}

QVariant words(const LibraryEntry& entry, int column) {
  switch (column) {
    case LibraryModel::kName:
      return entry.name;
    case LibraryModel::kHolds:
      return kindWords(entry);
    case LibraryModel::kSensor:
      return entry.sensor;
    case LibraryModel::kDate:
      return entry.date.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
    case LibraryModel::kLength:
      return entry.length_s < 0 ? QStringLiteral("–") : clockTime(entry.length_s);
    case LibraryModel::kSize:
      return entry.bytes == 0 ? QStringLiteral("–") : fileSize(entry.bytes);
    case LibraryModel::kState:
      return entry.state;
    default:
      return {};
  }
}

QVariant sortKey(const LibraryEntry& entry, int column) {
  switch (column) {
    case LibraryModel::kDate:
      return entry.date;
    case LibraryModel::kLength:
      return entry.length_s;
    case LibraryModel::kSize:
      return entry.bytes;
    default:
      return words(entry, column);
  }
}

bool rightAligned(int column) {
  return column == LibraryModel::kLength || column == LibraryModel::kSize;
}

}  // namespace

LibraryModel::LibraryModel(QObject* parent) : QAbstractTableModel(parent) {}

void LibraryModel::setEntries(std::vector<LibraryEntry> entries) {
  beginResetModel();
  entries_ = std::move(entries);
  endResetModel();
}

void LibraryModel::noteCheck(const QString& path, bool whole, int presses_whole, int presses) {
  for (std::size_t row = 0; row < entries_.size(); ++row) {
    auto& entry = entries_[row];
    if (entry.path != path) continue;
    if (whole && !entry.state.endsWith(tr(", checked"))) entry.state += tr(", checked");
    if (!whole) {
      entry.state = tr("damaged, %1 of %2 whole").arg(presses_whole).arg(presses);
      entry.look = LibraryEntry::Look::kBad;
    }
    emit dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), kColumns - 1));
  }
}

int LibraryModel::count(LibraryEntry::Kind kind) const {
  return static_cast<int>(std::count_if(entries_.begin(), entries_.end(),
                                        [kind](const auto& entry) { return entry.kind == kind; }));
}

int LibraryModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

int LibraryModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant LibraryModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& shown = entry(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return words(shown, index.column());
    case Qt::DecorationRole:
      return index.column() == kPicture && !shown.thumbnail.isNull() ? QVariant(shown.thumbnail)
                                                                     : QVariant();
    case kSortRole:
      return sortKey(shown, index.column());
    case kSearchRole:
      return shown.search;
    case kKindRole:
      return static_cast<int>(shown.kind);
    case kLookRole:
      return static_cast<int>(shown.look);
    case Qt::ToolTipRole:
      return shown.path;
    case Qt::TextAlignmentRole:
      return rightAligned(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                          : QVariant();
    case Qt::ForegroundRole:
      return index.column() == kHolds ? QVariant(theme().color(Token::kText2)) : QVariant();
    case Qt::AccessibleTextRole:
      return index.column() == kPicture ? QVariant(tr("Picture of %1").arg(shown.name))
                                        : words(shown, index.column());
    default:
      return {};
  }
}

QVariant LibraryModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant((rightAligned(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {QString(),  tr("Name"),   tr("Kind"), tr("Sensor"),
                           tr("Date"), tr("Length"), tr("Size"), tr("State")};
  return names[section];
}

LibraryFilter::LibraryFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(LibraryModel::kSortRole);
}

void LibraryFilter::setWords(const QString& words) {
  words_ = words.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

void LibraryFilter::setShow(Show show) {
  show_ = show;
  invalidateFilter();
}

bool LibraryFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const auto index = sourceModel()->index(row, 0, parent);
  const auto kind = static_cast<LibraryEntry::Kind>(index.data(LibraryModel::kKindRole).toInt());
  const bool model = kind == LibraryEntry::Kind::kModel;
  if (show_ == Show::kModels && !model) return false;
  if (show_ == Show::kRecordings && model) return false;
  const auto text = index.data(LibraryModel::kSearchRole).toString();
  return std::all_of(words_.begin(), words_.end(),
                     [&](const QString& word) { return text.contains(word); });
}

}  // namespace tactelier::gui

#include "app/gui/item_models/text_table_model.hpp"

#include <algorithm>

#include "app/gui/text/message.hpp"

namespace tactelier::gui {
namespace {

constexpr auto kNoValue = "-";

bool isNumber(const QString& words) {
  bool number = false;
  words.toDouble(&number);
  return number;
}

}  // namespace

TextTableModel::TextTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void TextTableModel::setTable(Table table) {
  beginResetModel();
  table_ = std::move(table);
  numbers_.assign(table_.columns.size(), false);
  for (int column = 0; column < columnCount(); ++column) {
    bool any = false, all = true;
    for (int row = 0; row < rowCount(); ++row) {
      const auto words = cell(row, column);
      if (words == QLatin1String(kNoValue)) continue;
      any = true;
      all &= isNumber(words);
    }
    numbers_[static_cast<std::size_t>(column)] = any && all;
  }
  endResetModel();
}

QString TextTableModel::cell(int row, int column) const {
  return text(table_.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]);
}

int TextTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
}

int TextTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.columns.size());
}

QVariant TextTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const bool number = numbers_[static_cast<std::size_t>(index.column())];
  const auto words = cell(index.row(), index.column());
  switch (role) {
    case Qt::DisplayRole:
      if (words == QLatin1String(kNoValue)) return QStringLiteral("–");
      return number && words.startsWith('-') ? u'−' + words.mid(1) : words;
    case Qt::TextAlignmentRole:
      if (number) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
      return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case kSortRole:
      if (number) return isNumber(words) ? words.toDouble() : -1.0;
      return words;
    case Qt::ToolTipRole:
      return words;
    default:
      return {};
  }
}

QVariant TextTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section >= columnCount()) return {};
  const auto column = static_cast<std::size_t>(section);
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return text(table_.columns[column]);
  if (role == Qt::TextAlignmentRole)
    return QVariant((numbers_[column] ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  return {};
}

}  // namespace tactelier::gui

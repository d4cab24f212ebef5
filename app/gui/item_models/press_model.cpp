#include "app/gui/item_models/press_model.hpp"

#include <algorithm>

#include "app/gui/state/recording_document.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

QString verdict(const Press& press) {
  if (press.excluded) return PressModel::tr("excluded");
  if (press.outcome == "aborted") return PressModel::tr("aborted");
  if (press.outcome == "repeated") return PressModel::tr("repeated");
  if (press.outcome == "undone") return PressModel::tr("withdrawn");
  if (press.outcome == "preloaded") return PressModel::tr("beside a weight");
  if (press.outcome == "conditioning") return PressModel::tr("conditioning");
  if (press.contact_s) return PressModel::tr("contact set");
  return PressModel::tr("used");
}

QString place(const Press& press) {
  if (press.tactel) return PressModel::tr("T %1").arg(*press.tactel);
  if (press.x_m && press.y_m)
    return QStringLiteral("%1, %2 mm")
        .arg(*press.x_m * 1e3, 0, 'f', 1)
        .arg(*press.y_m * 1e3, 0, 'f', 1)
        .replace('-', u'−');
  return QStringLiteral("–");
}

QVariant words(const Press& press, int column) {
  switch (column) {
    case PressModel::kNumber:
      return QString::number(press.number);
    case PressModel::kTactel:
      return place(press);
    case PressModel::kKind:
      return text(to_string(press.kind));
    case PressModel::kBegin:
      return QString::number(press.begin_s, 'f', 1);
    case PressModel::kLength:
      return QString::number(press.end_s - press.begin_s, 'f', 1);
    case PressModel::kVerdict:
      return verdict(press);
    default:
      return {};
  }
}

QVariant sortKey(const Press& press, int column) {
  switch (column) {
    case PressModel::kNumber:
      return press.number;
    case PressModel::kTactel:
      return press.tactel.value_or(-1);
    case PressModel::kBegin:
      return press.begin_s;
    case PressModel::kLength:
      return press.end_s - press.begin_s;
    default:
      return words(press, column);
  }
}

}  // namespace

PressModel::PressModel(QObject* parent) : QAbstractTableModel(parent) {}

void PressModel::setDocument(RecordingDocument* document) {
  beginResetModel();
  document_ = document;
  endResetModel();
}

int PressModel::rowOf(int press) const {
  if (!document_) return -1;
  const auto& all = document_->presses();
  const auto found =
      std::find_if(all.begin(), all.end(), [press](const Press& p) { return p.number == press; });
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

void PressModel::refresh(int press) {
  const int row = rowOf(press);
  if (row >= 0) emit dataChanged(index(row, 0), index(row, kColumns - 1));
}

void PressModel::refreshAll() {
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int PressModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !document_ ? 0 : static_cast<int>(document_->presses().size());
}

int PressModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant PressModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !document_ || index.row() >= rowCount()) return {};
  const auto& press = document_->presses()[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == kVerdict && document_->hurt(press.number)) return tr("damaged");
      return words(press, index.column());
    case kSortRole:
      return sortKey(press, index.column());
    case kNumberRole:
      return press.number;
    case Qt::CheckStateRole:
      if (index.column() != kNumber) return {};
      return press.excluded ? Qt::Unchecked : Qt::Checked;
    case Qt::TextAlignmentRole:
      if (index.column() == kBegin || index.column() == kLength)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
      return {};
    case Qt::ForegroundRole:
      if (index.column() == kVerdict && (press.excluded || document_->hurt(press.number)))
        return theme().color(Token::kBad);
      if (index.column() == kVerdict && !press.usable()) return theme().color(Token::kWarn);
      if (!press.usable()) return theme().color(Token::kDisabled);
      if (index.column() == kVerdict) return theme().color(Token::kOk);
      return {};
    case Qt::ToolTipRole:
      return tr("Press %1. Checked: used for fits. X excludes or includes the chosen press; the "
                "data stay in the file.\ntactelier edit FILE --exclude %1")
          .arg(press.number);
    default:
      return {};
  }
}

bool PressModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !index.isValid() || !document_ || index.column() != kNumber)
    return false;
  const int press = document_->presses()[static_cast<std::size_t>(index.row())].number;
  const bool excluded = value.toInt() == Qt::Unchecked;
  document_->setExcluded(press, excluded);
  return document_->press(press)->excluded == excluded;
}

QVariant PressModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && (section == kBegin || section == kLength))
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) {
    const QString tips[] = {tr("Number of the press in the recording"),
                            tr("Tactel pressed, or the place on the sensor"),
                            tr("Kind of press: ramp, staircase, hold …"),
                            tr("Begin, host time, s"),
                            tr("Length, s"),
                            tr("Whether fits use it, and why not")};
    return tips[section];
  }
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("Press"),     tr("Place"),      tr("Kind"),
                           tr("Begin [s]"), tr("Length [s]"), tr("State")};
  return names[section];
}

Qt::ItemFlags PressModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  auto flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  if (index.column() == kNumber) flags |= Qt::ItemIsUserCheckable;
  return flags;
}

}  // namespace tactelier::gui

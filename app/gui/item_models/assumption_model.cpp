#include "app/gui/item_models/assumption_model.hpp"

#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier::gui {

AssumptionModel::AssumptionModel(QObject* parent) : QAbstractTableModel(parent) {}

void AssumptionModel::set(const std::vector<ExportAssumption>& assumptions,
                          const SensorModel* model) {
  beginResetModel();
  rows_.clear();
  for (const auto& assumption : assumptions) {
    Row row{text(assumption.path), text(assumption.value), {}};
    const auto now = model == nullptr ? Result<Parameter>{} : assumable(*model, assumption.path);
    if (now && !now->unit.empty()) row.value += QLatin1Char(' ') + unitWords(now->unit);
    if (now && now->usable())
      row.instead = tr("%1, %2").arg(valueWithUncertainty(*now), statusWords(now->status));
    rows_.push_back(std::move(row));
  }
  endResetModel();
}

int AssumptionModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int AssumptionModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant AssumptionModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& row = rows_[static_cast<std::size_t>(index.row())];
  if (role == kPathRole) return row.path;
  if (role == Qt::ForegroundRole && index.column() == kInsteadOf && !row.instead.isEmpty())
    return theme().color(Token::kWarn);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  switch (index.column()) {
    case kParameter:
      return row.path;
    case kValue:
      return row.value;
    case kBy:
      return QStringLiteral("user");  // as the file says it
    case kInsteadOf:
      return row.instead.isEmpty() ? tr("nothing") : row.instead;
    default:
      return {};
  }
}

QVariant AssumptionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("Assumed"), tr("Value"), tr("By"), tr("Instead of")};
  return names[section];
}

}  // namespace tactelier::gui

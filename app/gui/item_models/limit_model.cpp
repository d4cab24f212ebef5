#include "app/gui/item_models/limit_model.hpp"

#include "app/gui/text/message.hpp"

namespace tactelier::gui {

void LimitModel::setLimits(std::vector<rig::LimitRow> limits) {
  beginResetModel();
  limits_ = std::move(limits);
  endResetModel();
}

int LimitModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(limits_.size());
}

int LimitModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant LimitModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
  const auto& row = limits_[static_cast<std::size_t>(index.row())];
  if (index.column() == kLimit) return text(row.what);
  if (index.column() == kValue) return text(row.value);
  if (index.column() == kAction) return text(row.action);
  return text(overshoot_words(row));
}

QVariant LimitModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::ToolTipRole && section == kOvershoot)
    return tr(
        "Worst case: how far the force is expected to go past the limit, at the speed named "
        "above.");
  if (role != Qt::DisplayRole) return {};
  const QStringList names{tr("Limit"), tr("Value"), tr("Action when reached"), tr("Overshoot")};
  return names.value(section);
}

}  // namespace tactelier::gui

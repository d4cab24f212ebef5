#include "app/gui/item_models/format_model.hpp"

#include <algorithm>

#include "app/gui/item_models/loss_model.hpp"
#include "app/gui/text/message.hpp"

namespace tactelier::gui {
namespace {

QString stateWords(FormatModel::State state) {
  switch (state) {
    case FormatModel::kAll:
      return FormatModel::tr("complete");
    case FormatModel::kMissing:
      return FormatModel::tr("needs an assumption or more data");
    case FormatModel::kRefused:
      return FormatModel::tr("cannot be written");
  }
  return {};
}

}  // namespace

FormatModel::FormatModel(QObject* parent) : QAbstractListModel(parent) {}

FormatModel::Row FormatModel::row(const FormatPreview& preview, const SensorModel& model) {
  if (!preview.exported) return {kRefused, text(preview.exported.error().message)};
  const auto rows = lossRows(*preview.exported, model);
  const auto count = [&](LossRow::Kind kind) {
    return static_cast<int>(
        std::count_if(rows.begin(), rows.end(), [kind](const auto& r) { return r.kind == kind; }));
  };
  const int missing = count(LossRow::kMissing);
  const int assumed = count(LossRow::kAssumed);
  const int lost = count(LossRow::kNoPlace);
  QStringList parts;
  if (missing > 0) parts << tr("%n values missing", nullptr, missing);
  if (assumed > 0) parts << tr("%n assumed", nullptr, assumed);
  if (lost > 0) parts << tr("%n not representable", nullptr, lost);
  if (parts.isEmpty()) parts << tr("nothing left out");
  return {missing + assumed > 0 ? kMissing : kAll, parts.join(QStringLiteral(" · "))};
}

void FormatModel::setPreviews(std::shared_ptr<const ExportPreviews> previews) {
  std::vector<Row> rows;
  if (previews != nullptr)
    for (const auto& preview : previews->formats) rows.push_back(row(preview, previews->model));
  // The registry does not change while the program runs: the selection may stay.
  const bool same = rows.size() == rows_.size();
  if (!same) beginResetModel();
  previews_ = std::move(previews);
  rows_ = std::move(rows);
  if (!same)
    endResetModel();
  else if (!rows_.empty())
    emit dataChanged(index(0), index(rowCount() - 1));
}

const FormatPreview* FormatModel::format(int row) const {
  if (row < 0 || row >= rowCount()) return nullptr;
  return &previews_->formats[static_cast<std::size_t>(row)];
}

int FormatModel::rowOf(const QString& id) const {
  for (int row = 0; row < rowCount(); ++row)
    if (text(format(row)->format->id()) == id) return row;
  return -1;
}

int FormatModel::count(State wanted) const {
  return static_cast<int>(std::count_if(rows_.begin(), rows_.end(),
                                        [wanted](const Row& r) { return r.state == wanted; }));
}

int FormatModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant FormatModel::data(const QModelIndex& index, int role) const {
  const auto* preview = index.isValid() ? format(index.row()) : nullptr;
  if (preview == nullptr) return {};
  const auto& shown = rows_[static_cast<std::size_t>(index.row())];
  const auto title = text(preview->format->title());
  switch (role) {
    case Qt::DisplayRole:
      return title;
    case kLineRole:
      return shown.line;
    case kStateRole:
      return shown.state;
    case kIdRole:
      return text(preview->format->id());
    case Qt::ToolTipRole:
      return tr("%1. %2: %3\ntactelier export MODEL --to %4 -o FILE%5")
          .arg(title, stateWords(shown.state), shown.line, text(preview->format->id()),
               text(preview->format->extension()));
    case Qt::AccessibleTextRole:
      return tr("%1, %2, %3").arg(title, stateWords(shown.state), shown.line);
    default:
      return {};
  }
}

}  // namespace tactelier::gui

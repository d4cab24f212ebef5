#include "app/gui/item_models/loss_model.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/icons.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "reports/export/export_text.hpp"

namespace tactelier::gui {
namespace {

QString assumedWords(const Parameter& parameter) {
  const auto value = valueWithUncertainty(parameter);
  return parameter.from.empty() ? value
                                : LossModel::tr("%1 by %2").arg(value, text(parameter.from));
}

/// One row per group: 84 tactels with an assumed gain are one decision.
void addAssumed(std::vector<LossRow>& rows, const SensorModel& model,
                const std::set<std::string>& lost) {
  std::map<std::string, int> counts;
  std::vector<LossRow> found;
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       const auto group = without_indices(path);
                       if (parameter.status != Status::kAssumed || !parameter.usable()) return;
                       if (lost.contains(group) || of_the_recording(path)) return;
                       if (counts[group]++ == 0)
                         found.push_back({LossRow::kAssumed, text(group), assumedWords(parameter)});
                     });
  for (auto& row : found) {
    if (const int count = counts[row.path.toStdString()]; count > 1)
      row.how = LossModel::tr("%n values, first %1", nullptr, count).arg(row.how);
    rows.push_back(std::move(row));
  }
}

void addAssumedOfSensor(std::vector<LossRow>& rows, const SensorModel& model) {
  for (const auto& path : assumable_paths(model))
    if (path.starts_with("sensor.") && is_assumed(model, path))
      if (const auto number = assumable(model, path))
        rows.push_back({LossRow::kAssumed, text(path), assumedWords(*number)});
}

QString kindWords(LossRow::Kind kind) {
  switch (kind) {
    case LossRow::kMissing:
      return LossModel::tr("missing");
    case LossRow::kAssumed:
      return LossModel::tr("assumed");
    case LossRow::kNoPlace:
      return LossModel::tr("no place");
    case LossRow::kMind:
      return LossModel::tr("mind");
  }
  return {};
}

}  // namespace

std::vector<LossRow> lossRows(const Exported& exported, const SensorModel& model) {
  std::vector<LossRow> rows;
  std::set<std::string> lost;
  for (const auto& loss : exported.losses) {
    lost.insert(loss.path);
    if (loss.has_slot) rows.push_back({LossRow::kMissing, text(loss.path), text(loss.reason)});
  }
  addAssumedOfSensor(rows, model);
  addAssumed(rows, model, lost);
  for (const auto& loss : exported.losses)
    if (!loss.has_slot) rows.push_back({LossRow::kNoPlace, text(loss.path), text(loss.reason)});
  for (const auto& warning : exported.warnings)
    rows.push_back({LossRow::kMind, text(warning.where), text(warning.code + ": " + warning.text)});
  return rows;
}

LossModel::LossModel(QObject* parent) : QAbstractTableModel(parent) {}

void LossModel::setRows(std::vector<LossRow> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int LossModel::count(LossRow::Kind kind) const {
  return static_cast<int>(std::count_if(rows_.begin(), rows_.end(),
                                        [kind](const auto& row) { return row.kind == kind; }));
}

int LossModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LossModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant LossModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& row = rows_[static_cast<std::size_t>(index.row())];
  const bool amber = row.kind != LossRow::kNoPlace;
  switch (role) {
    case Qt::DisplayRole:
      return index.column() == kParameter ? row.path
             : index.column() == kWhat    ? kindWords(row.kind)
                                          : row.how;
    case Qt::DecorationRole:
      if (index.column() != kParameter) return {};
      return amber ? icon(QStringLiteral("lamp-look"), Token::kWarn)
                   : icon(QStringLiteral("lamp-bad"), Token::kBad);
    case Qt::BackgroundRole:
      return row.kind == LossRow::kAssumed ? QVariant(theme().color(Token::kWarnSoft)) : QVariant();
    case Qt::ToolTipRole:
      return row.how;
    case kKindRole:
      return row.kind;
    case kPathRole:
      return row.path;
    default:
      return {};
  }
}

QVariant LossModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == kWhat)
    return tr(
        "missing: the format has a place, the data no value. assumed: somebody's value, the "
        "file says so. no place: the format cannot hold it. mind: holds with a condition.");
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("Parameter"), tr("What"), tr("How")};
  return names[section];
}

}  // namespace tactelier::gui

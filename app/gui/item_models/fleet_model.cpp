#include "app/gui/item_models/fleet_model.hpp"

#include <algorithm>
#include <cmath>

#include "app/gui/text/message.hpp"
#include "app/gui/text/parameter_words.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

/// Outliers, then drifts, then the rest.
int urgency(const FleetParameter& parameter) {
  return !parameter.outliers.empty() ? 0 : parameter.drifts ? 1 : 2;
}

QString driftWords(const FleetParameter& parameter) {
  if (!parameter.drift) return QStringLiteral("–");
  if (!parameter.drifts) return FleetModel::tr("none seen");
  const double median = parameter.spread.median;
  if (median == 0) return FleetModel::tr("drifts");
  const double percent = 100 * parameter.drift->change / std::abs(median);
  return (percent > 0 ? QStringLiteral("+") : QString()) + fixed(percent, 1) + QStringLiteral(" %");
}

}  // namespace

FleetModel::FleetModel(QObject* parent) : QAbstractTableModel(parent) {}

void FleetModel::setParameters(std::vector<FleetParameter> parameters) {
  beginResetModel();
  parameters_ = std::move(parameters);
  std::ranges::stable_sort(parameters_, {}, urgency);
  endResetModel();
}

int FleetModel::rowOf(const std::string& path) const {
  const auto found = std::ranges::find(parameters_, path, &FleetParameter::path);
  return found == parameters_.end() ? -1 : static_cast<int>(found - parameters_.begin());
}

int FleetModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(parameters_.size());
}

int FleetModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString FleetModel::words(const FleetParameter& parameter, int column) const {
  const auto unit = unitWords(parameter.unit);
  const auto prefix = prefixFor(parameter.spread.median, unit);
  switch (column) {
    case kParameter:
      return text(parameter.path);
    case kSensors:
      return QString::number(parameter.count);
    case kMedian:
      return numberWithUncertainty(parameter.spread.median, kControlSigmas * parameter.spread.sigma,
                                   prefix) +
             QChar(' ') + prefix.symbol + unit;
    case kOutliers:
      return parameter.outlier_limit ? QString::number(parameter.outliers.size())
                                     : QStringLiteral("–");
    case kDrift:
      return driftWords(parameter);
    default:
      return {};
  }
}

QVariant FleetModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& parameter = this->parameter(index.row());
  const bool odd = index.column() == kOutliers && !parameter.outliers.empty();
  const bool drifts = index.column() == kDrift && parameter.drifts;
  switch (role) {
    case Qt::DisplayRole:
      return words(parameter, index.column());
    case Qt::ForegroundRole:
      return odd || drifts ? QVariant(theme().color(Token::kBad)) : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant((index.column() == kParameter ? Qt::AlignLeft : Qt::AlignRight) |
                      Qt::AlignVCenter);
    case Qt::ToolTipRole:
      return QStringLiteral("%1\n%2").arg(text(parameter.path),
                                          parameterWords(parameter.path).meaning);
    default:
      return {};
  }
}

QVariant FleetModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant((section == kParameter ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == kMedian)
    return tr(
        "Median ± 3 sigma: Shewhart's control limits. Sigma is 1.4826 times the median "
        "absolute deviation.");
  if (role == Qt::ToolTipRole && section == kDrift)
    return tr("Change over the dates of recording, where a trend is proved.");
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("Parameter"), tr("Sensors"), tr("Median ± 3σ"), tr("Outliers"),
                           tr("Drift")};
  return names[section];
}

}  // namespace tactelier::gui

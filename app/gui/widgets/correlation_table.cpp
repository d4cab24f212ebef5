#include "app/gui/widgets/correlation_table.hpp"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>

#include "app/gui/text/parameter_words.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/color_map.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {

class CorrelationModel : public QAbstractTableModel {
 public:
  using QAbstractTableModel::QAbstractTableModel;

  void setCorrelations(Correlations correlations) {
    beginResetModel();
    shown_ = std::move(correlations);
    endResetModel();
  }
  const Correlations& correlations() const { return shown_; }

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(shown_.paths.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override { return rowCount(parent); }

  QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid()) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const auto column = static_cast<std::size_t>(index.column());
    const double rho = shown_.rho[row][column];
    const bool own = row == column;
    const QRgb cell = colorTable(ColorMap::kDiverging)[colorIndex(rho, -1, 1)];
    switch (role) {
      case Qt::DisplayRole:
        return own ? QString() : fixed(rho, 1);
      case Qt::TextAlignmentRole:
        return int(Qt::AlignCenter);
      case Qt::BackgroundRole:
        return own ? theme().color(Token::kSunken) : QColor(cell);
      case Qt::ForegroundRole:
        return own ? theme().color(Token::kText) : textOn(cell);
      case Qt::ToolTipRole:
      case Qt::AccessibleTextRole:
        return QStringLiteral("%1 – %2: %3").arg(name(row), name(column), fixed(rho, 3));
      default:
        return {};
    }
  }

  QVariant headerData(int section, Qt::Orientation, int role) const override {
    if (role == Qt::DisplayRole) return name(static_cast<std::size_t>(section));
    return {};
  }

  QString name(std::size_t i) const { return parameterWords(shown_.paths[i]).name; }

 private:
  Correlations shown_;
};

namespace {

/// Paints the model's colours itself: the window's style sheet would leave cells plain.
class CellDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    painter->save();
    painter->fillRect(option.rect.adjusted(0, 0, -1, -1),
                      index.data(Qt::BackgroundRole).value<QColor>());
    painter->setFont(theme().font(Type::kTick));
    painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
    painter->drawText(option.rect, Qt::AlignCenter, index.data().toString());
    if (option.state.testFlag(QStyle::State_HasFocus)) {
      painter->setPen(QPen(theme().color(Token::kAccent), 2));
      painter->drawRect(option.rect.adjusted(1, 1, -2, -2));
    }
    painter->restore();
  }
};

}  // namespace

Correlations correlationsOf(const SensorModel& model, const std::string& prefix) {
  for (const auto& block : model.covariance) {
    const auto n = block.parameters.size();
    if (n < 2 || block.lower.size() != n * (n + 1) / 2 ||
        std::none_of(block.parameters.begin(), block.parameters.end(),
                     [&](const auto& path) { return path.starts_with(prefix); }))
      continue;
    const auto at = [&](std::size_t a, std::size_t b) {
      return a >= b ? block.lower[a * (a + 1) / 2 + b] : block.lower[b * (b + 1) / 2 + a];
    };
    Correlations found{block.parameters, std::vector(n, std::vector<double>(n))};
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        found.rho[a][b] =
            at(a, a) > 0 && at(b, b) > 0 ? at(a, b) / std::sqrt(at(a, a) * at(b, b)) : 0;
    return found;
  }
  return {};
}

CorrelationTable::CorrelationTable(QWidget* parent)
    : QTableView(parent), model_(new CorrelationModel(this)) {
  setObjectName(QStringLiteral("correlationTable"));
  setAccessibleName(tr("Correlation of the numbers estimated together"));
  setModel(model_);
  setItemDelegate(new CellDelegate(this));
  setShowGrid(false);
  setTabKeyNavigation(false);  // Tab leaves it
  setSelectionMode(QAbstractItemView::SingleSelection);
  for (auto* header : {horizontalHeader(), verticalHeader()}) {
    header->setSectionResizeMode(QHeaderView::Stretch);
    header->setSectionsClickable(false);
    header->setMinimumSectionSize(18);
    header->setDefaultAlignment(Qt::AlignCenter);
  }
}

void CorrelationTable::show(Correlations correlations) {
  model_->setCorrelations(std::move(correlations));
}

const Correlations& CorrelationTable::correlations() const { return model_->correlations(); }

QString CorrelationTable::weakest() const {
  const auto& shown = correlations();
  double most = -1;
  QString words;
  for (std::size_t a = 0; a < shown.paths.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (std::abs(shown.rho[a][b]) <= most) continue;
      most = std::abs(shown.rho[a][b]);
      words = QStringLiteral("%1 – %2 %3")
                  .arg(model_->name(a), model_->name(b), fixed(shown.rho[a][b], 2));
    }
  return words;
}

}  // namespace tactelier::gui

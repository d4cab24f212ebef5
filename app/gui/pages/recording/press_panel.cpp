#include "app/gui/pages/recording/press_panel.hpp"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include "app/gui/item_models/press_model.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {

PressPanel::PressPanel(AppState& state, QWidget* parent, bool narrow)
    : Panel(tr("Presses"), parent), state_(state), model_(new PressModel(this)) {
  sorted_ = new QSortFilterProxyModel(this);
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(PressModel::kSortRole);
  table_ = new QTableView(this);
  table_->setObjectName(QStringLiteral("pressTable"));
  table_->setAccessibleName(tr("Presses of the recording"));
  table_->setModel(sorted_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);  // Tab leaves it
  table_->setWordWrap(false);
  table_->setSortingEnabled(true);
  table_->sortByColumn(PressModel::kNumber, Qt::AscendingOrder);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setStretchLastSection(true);
  setBodyMargins(0);
  body()->addWidget(table_);
  const auto size = [this, narrow] {
    const int widths[] = {66, 100, 76, 68, 76, 70};
    for (int i = 0; i < PressModel::kColumns; ++i) table_->setColumnWidth(i, theme().px(widths[i]));
    if (narrow) {
      table_->setColumnWidth(PressModel::kNumber, theme().px(58));
      table_->setColumnWidth(PressModel::kTactel, theme().px(78));
    }
    table_->verticalHeader()->setDefaultSectionSize(theme().px(26));
    // Times are in the plots; the panel is narrow.
    table_->setColumnHidden(PressModel::kBegin, true);
    table_->setColumnHidden(PressModel::kLength, true);
    table_->setColumnHidden(PressModel::kKind, narrow);
  };
  size();
  connect(&theme(), &Theme::changed, this, size);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid())
              state_.selection().choosePress(now.data(PressModel::kNumberRole).toInt());
          });
  connect(&state_.selection(), &Selection::recordingChanged, this, &PressPanel::follow);
  connect(&state_.selection(), &Selection::pressChosen, this, &PressPanel::showChosen);
  connect(&state_.recordings(), &Recordings::pressChanged, this, [this](int press) {
    model_->refresh(press);
    showCount();
  });
  connect(&state_.recordings(), &Recordings::damageFound, this, [this] {
    model_->refreshAll();
    showCount();
  });
  follow();
}

void PressPanel::follow() {
  model_->setDocument(state_.recording());
  showCount();
  showChosen();
}

void PressPanel::showCount() {
  const auto* document = state_.recording();
  setCaption(document == nullptr ? QString() : document->pressWords());
}

void PressPanel::showChosen() {
  const int row = state_.selection().press() ? model_->rowOf(*state_.selection().press()) : -1;
  if (row < 0) {
    table_->clearSelection();
    return;
  }
  const auto index = sorted_->mapFromSource(model_->index(row, 0));
  if (table_->currentIndex().row() == index.row() && table_->selectionModel()->hasSelection())
    return;
  table_->selectRow(index.row());
  table_->scrollTo(index);
}

}  // namespace tactelier::gui

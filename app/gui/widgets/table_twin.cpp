#include "app/gui/widgets/table_twin.hpp"

#include <QHeaderView>
#include <QTableView>

#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/image_tiles.hpp"
#include "app/gui/widgets/plot_view.hpp"
#include "app/gui/widgets/table_twin_model.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"

namespace tactelier::gui {

TableTwin::TableTwin(PlotView* plot, QWidget* parent) : TableTwin(plot, plot, parent) {
  connect(plot, &QCustomPlot::afterReplot, &later_, qOverload<>(&QTimer::start));
}

TableTwin::TableTwin(TactileMapView* map, QWidget* parent) : TableTwin(map, map, parent) {
  connect(map, &TactileMapView::contentChanged, &later_, qOverload<>(&QTimer::start));
}

TableTwin::TableTwin(ImageTiles* tiles, QWidget* parent) : TableTwin(tiles, tiles, parent) {
  connect(tiles, &ImageTiles::contentChanged, &later_, qOverload<>(&QTimer::start));
}

TableTwin::TableTwin(QWidget* view, const TableSource* source, QWidget* parent)
    : QStackedWidget(parent), view_(view), source_(source) {
  table_ = new QTableView(this);
  model_ = new TableTwinModel(this);
  table_->setModel(model_);
  table_->setAccessibleName(tr("%1 as a table").arg(view->accessibleName()));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);  // Tab leaves it
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  addWidget(view);
  addWidget(table_);
  later_.setSingleShot(true);
  later_.setInterval(0);
  connect(&later_, &QTimer::timeout, this, [this] {
    if (showsTable()) refresh();
  });
  const auto size = [this] { table_->verticalHeader()->setDefaultSectionSize(theme().px(23)); };
  size();
  connect(&theme(), &Theme::changed, this, size);
}

bool TableTwin::showsTable() const { return currentWidget() == table_; }

void TableTwin::setShowsTable(bool table) {
  if (table == showsTable()) return;
  auto* next = table ? static_cast<QWidget*>(table_) : view_;
  if (table) refresh();
  setCurrentWidget(next);
  next->setFocus(Qt::OtherFocusReason);
}

void TableTwin::refresh() { model_->setContent(source_->asTable()); }

TableTwin* TableTwin::of(QWidget* widget, QWidget* page) {
  for (auto* at = widget; at != nullptr; at = at->parentWidget())
    if (auto* twin = qobject_cast<TableTwin*>(at)) return twin;
  if (page == nullptr) return nullptr;
  for (auto* twin : page->findChildren<TableTwin*>())
    if (twin->isVisible()) return twin;
  return nullptr;
}

}  // namespace tactelier::gui

#include "app/gui/pages/compare/figure_table.hpp"

#include <QHeaderView>
#include <QTableView>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {

void setUpFigureTable(QTableView* table) {
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setShowGrid(false);
  table->setTabKeyNavigation(false);  // Tab leaves it
  table->setWordWrap(false);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setHighlightSections(false);
  const auto size = [table] {
    table->verticalHeader()->setDefaultSectionSize(theme().px(23));
    table->resizeColumnsToContents();
  };
  size();
  QObject::connect(&theme(), &Theme::changed, table, size);
}

}  // namespace tactelier::gui

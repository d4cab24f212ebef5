#include "app/gui/pages/compare/image_panel.hpp"

#include <QHeaderView>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <algorithm>

#include "app/gui/item_models/text_table_model.hpp"
#include "app/gui/pages/compare/figure_table.hpp"

namespace tactelier::gui {
namespace {

/// What the rows of one method and one session have in common.
void drop(Table& table, std::string_view column) {
  const auto found = std::ranges::find(table.columns, column);
  if (found == table.columns.end()) return;
  const auto at = found - table.columns.begin();
  table.columns.erase(found);
  for (auto& row : table.rows) row.erase(row.begin() + at);
}

}  // namespace

ImagePanel::ImagePanel(QWidget* parent)
    : Panel(tr("Images"), parent),
      model_(new TextTableModel(this)),
      sorted_(new QSortFilterProxyModel(this)),
      table_(new QTableView(this)) {
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(TextTableModel::kSortRole);
  table_->setObjectName(QStringLiteral("compareImages"));
  table_->setAccessibleName(tr("Image presses with their figures"));
  table_->setModel(sorted_);
  setUpFigureTable(table_);
  table_->setSortingEnabled(true);
  table_->sortByColumn(-1, Qt::AscendingOrder);
  setBodyMargins(0);
  body()->addWidget(table_);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) emit placeChosen(sorted_->mapToSource(now).row());
          });
}

void ImagePanel::setImages(const Comparison* comparison, const std::vector<std::size_t>& images) {
  Table table;
  if (comparison != nullptr) {
    const auto& all = comparison->content.images;
    table.columns = all.columns;
    for (const auto i : images) table.rows.push_back(all.rows[i]);
    drop(table, "session");
    drop(table, "method");
  }
  const QSignalBlocker quiet(table_->selectionModel());
  model_->setTable(std::move(table));
  table_->resizeColumnsToContents();
  setCaption(images.empty() ? QString()
                            : tr("%n images · a click on a title sorts", nullptr,
                                 static_cast<int>(images.size())));
}

void ImagePanel::choose(int place) {
  const auto index = sorted_->mapFromSource(model_->index(place, 0));
  if (!index.isValid()) return;
  const bool known =
      table_->currentIndex().row() == index.row() && table_->selectionModel()->hasSelection();
  if (known) return;
  const QSignalBlocker quiet(this);
  table_->selectRow(index.row());
  table_->scrollTo(index);
}

}  // namespace tactelier::gui

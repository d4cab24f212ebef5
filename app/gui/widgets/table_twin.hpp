#pragma once
// A plot or map with its data as a table behind it (View › As table, Ctrl+Shift+T).

#include <QStackedWidget>
#include <QTimer>

#include "app/gui/widgets/as_table.hpp"

class QTableView;

namespace tactelier::gui {

class ImageTiles;
class PlotView;
class TableTwinModel;
class TactileMapView;

class TableTwin : public QStackedWidget {
  Q_OBJECT
 public:
  /// The view becomes a child; it names the table for screen readers.
  explicit TableTwin(PlotView* plot, QWidget* parent = nullptr);
  explicit TableTwin(TactileMapView* map, QWidget* parent = nullptr);
  explicit TableTwin(ImageTiles* tiles, QWidget* parent = nullptr);

  bool showsTable() const;
  void setShowsTable(bool table);
  void toggle() { setShowsTable(!showsTable()); }
  QTableView* table() const { return table_; }

  /// The twin that `widget` is part of; else the first visible one within `page`.
  static TableTwin* of(QWidget* widget, QWidget* page);

 private:
  TableTwin(QWidget* view, const TableSource* source, QWidget* parent);
  void refresh();

  QWidget* view_;
  const TableSource* source_;
  QTableView* table_;
  TableTwinModel* model_;
  QTimer later_;  // one refresh for many changes
};

}  // namespace tactelier::gui

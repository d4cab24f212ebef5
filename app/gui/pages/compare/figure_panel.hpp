#pragma once
// Figures over all images: methods side by side beside the sensor itself, one method in full, and
// by shape, load and tilt.

#include "app/gui/pages/compare/comparison_runner.hpp"
#include "app/gui/widgets/panel.hpp"

class QTableView;

namespace tactelier::gui {

class Segmented;
class TextTableModel;

class FigurePanel : public Panel {
  Q_OBJECT
 public:
  explicit FigurePanel(QWidget* parent = nullptr);
  /// `method`: the one that is shown in full. nullptr: no figures.
  void show(const ComparisonPtr& comparison, const QString& method);

 private:
  void refresh();

  ComparisonPtr comparison_;
  QString method_;
  Segmented* which_;
  TextTableModel* model_;
  QTableView* table_;
};

}  // namespace tactelier::gui

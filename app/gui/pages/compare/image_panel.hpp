#pragma once
// The image presses that a method predicted, with their figures; one is chosen.

#include <vector>

#include "app/gui/pages/compare/comparison_runner.hpp"
#include "app/gui/widgets/panel.hpp"

class QSortFilterProxyModel;
class QTableView;

namespace tactelier::gui {

class TextTableModel;

class ImagePanel : public Panel {
  Q_OBJECT
 public:
  explicit ImagePanel(QWidget* parent = nullptr);
  /// `images`: of the comparison's report, those that are listed.
  void setImages(const Comparison* comparison, const std::vector<std::size_t>& images);
  /// Without emitting.
  void choose(int place);
  QTableView* table() const { return table_; }

 signals:
  void placeChosen(int place);  // in `images`, however they are sorted

 private:
  void size();

  TextTableModel* model_;
  QSortFilterProxyModel* sorted_;
  QTableView* table_;
};

}  // namespace tactelier::gui

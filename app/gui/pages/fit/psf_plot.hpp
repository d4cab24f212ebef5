#pragma once
// The point spread: shares over the distance from a tactel's centre beside the kernel, the image of
// one press beside the model's, other forms that the fit tried, and how the numbers hang together.

#include "app/gui/pages/fit/curve_plot.hpp"
#include "fitting/views/psf_curve.hpp"

class QLabel;
class QTableView;

namespace tactelier::gui {

class CorrelationTable;
class ImageTiles;
class Segmented;
class TableTwinModel;

class PsfPlot : public CurvePlot<PsfCurve> {
  Q_OBJECT
 public:
  explicit PsfPlot(AppState& state, QWidget* parent = nullptr);
  void refresh() override;
  bool wantsMap() const override { return false; }
  ImageTiles* images() const { return images_; }
  CorrelationTable* correlation() const { return correlation_; }
  QTableView* alternatives() const { return alternatives_; }

 private:
  void showCurve() override;
  void showNothing(const QString& why) override;
  void showSlice();
  void showLines();
  void showImages();
  void showAlternatives();
  void showCorrelation();
  /// Of the chosen press, or one near the chosen tactel.
  std::size_t shownPress() const;

  Segmented* axes_;
  std::array<int, 2> points_{};  // along x, along y
  int silent_ = 0;
  int chosen_ = 0;
  std::array<int, 2> lines_{};
  int width_ = 0;
  QLabel* image_words_;
  ImageTiles* images_;
  QLabel* weakest_;
  CorrelationTable* correlation_;
  QLabel* verdict_;
  QTableView* alternatives_;
  TableTwinModel* alternative_model_;
};

}  // namespace tactelier::gui

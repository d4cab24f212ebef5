#pragma once
// Force over the whole recording from the stored minima and maxima; samples once the view is short.

#include "app/gui/state/recording_document.hpp"
#include "app/gui/widgets/plot_view.hpp"
#include "fitting/views/recording_view.hpp"

namespace tactelier::gui {

class ForceTimePlot : public PlotView {
  Q_OBJECT
 public:
  explicit ForceTimePlot(Jobs& jobs, QWidget* parent = nullptr);
  void setDocument(RecordingDocument* document);
  void setEnvelope(const Envelope& envelope);
  void setTime(double time_s);
  void showPress(std::optional<int> press);
  /// Shows the press with some air around it.
  void zoomToPress(const Press& press);

 signals:
  void pressClicked(int press);
  void timeClicked(double time_s);
  void damageMet(const Warnings& damage);

 private:
  void restyleItems();
  void markExcluded();
  void wishDetail();
  void loadDetail();

  Jobs& jobs_;
  QPointer<RecordingDocument> document_;
  std::vector<Point> overview_;
  int series_ = 0;
  int excluded_ = 0;
  QCPItemStraightLine* cursor_;
  QCPItemRect* chosen_;
  std::optional<int> chosen_press_;
  QTimer settle_;
  int generation_ = 0;
  bool detailed_ = false;
};

}  // namespace tactelier::gui

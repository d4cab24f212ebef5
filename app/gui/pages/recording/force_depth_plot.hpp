#pragma once
// Force over depth of the chosen press, other presses as context, and the contact point: a line to
// drag, or to move by 1 µm (arrows) and 10 µm (Shift+arrows).

#include "app/gui/widgets/plot_view.hpp"
#include "fitting/views/press_curve.hpp"
#include "fitting/views/recording_view.hpp"

namespace tactelier::gui {

class ForceDepthPlot : public PlotView {
  Q_OBJECT
 public:
  explicit ForceDepthPlot(QWidget* parent = nullptr);
  void clear(const QString& why);
  void setTraces(std::vector<PressTrace> traces);
  void setCurve(std::shared_ptr<const PressCurve> curve, bool usable);
  const std::shared_ptr<const PressCurve>& curve() const { return curve_; }
  /// A ring where the chosen press is at that time; none outside of it.
  void setTime(double time_s);
  /// Where the contact line is, in mm of the axis; empty without one.
  std::optional<double> contactPosition() const;

 signals:
  /// The line was let go at another place.
  void contactMoved(double to_s);
  void pressClicked(int press);
  void toggleRequested();  // the chosen press was clicked

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;

 private:
  bool nearContact(const QPoint& position) const;
  void moveLine(double x_mm);
  void letGo();
  void rebuild();
  void showTime();
  void restyleItems();
  void clickAt(const QPoint& position);

  std::vector<PressTrace> traces_;
  std::shared_ptr<const PressCurve> curve_;
  bool usable_ = true;
  int history_ = 0;
  int loading_ = 0;
  int unloading_ = 0;
  int time_ = 0;
  double time_s_ = 0;
  double zero_m_ = 0;  // travel at x = 0
  QCPItemStraightLine* line_;
  QCPItemStraightLine* ghost_;
  QCPItemText* label_;
  bool dragging_ = false;
  bool moved_by_key_ = false;
  double line_mm_ = 0;
};

}  // namespace tactelier::gui

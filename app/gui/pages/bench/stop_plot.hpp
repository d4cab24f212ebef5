#pragma once
// How long the rig process takes to answer STOP's own connection: a histogram of the last answers,
// to stops and to signs of life alike.

#include <deque>

#include "app/gui/widgets/plot_view.hpp"

namespace tactelier::gui {

class StopPlot : public PlotView {
  Q_OBJECT
 public:
  explicit StopPlot(QWidget* parent = nullptr);
  void show(const std::deque<double>& answers_ms);

 private:
  std::size_t shown_ = 0;
  double newest_ms_ = 0;
  int bars_ = 0, p99_ = 0;
};

}  // namespace tactelier::gui

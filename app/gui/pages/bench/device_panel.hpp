#pragma once
// One device of the bench: where it is, what answered, its rate and losses, the latest values and
// how its rate went over the last minute.

#include <deque>
#include <string>

#include "app/gui/widgets/panel.hpp"
#include "app/gui/widgets/series.hpp"

class QGridLayout;
class QLabel;

namespace tactelier {
struct DeviceHealth;
}

namespace tactelier::gui {

class PlotView;

class DevicePanel : public Panel {
  Q_OBJECT
 public:
  DevicePanel(const QString& title, std::string role, QWidget* parent = nullptr);
  const std::string& role() const { return role_; }
  /// nullptr: none connected.
  void show(const DeviceHealth* health, std::optional<double> age_s);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLabel* addFact(QGridLayout* grid, int row, const QString& name, const QString& object);
  void plot(const DeviceHealth& health);
  void fitHeight();

  std::string role_;
  QLabel* chip_;
  QLabel* place_;
  QLabel* driver_;
  QLabel* answers_;
  QLabel* values_;
  QLabel* rate_;
  QLabel* losses_;
  QLabel* words_;
  PlotView* plot_;
  std::deque<Point> rates_;
  double now_s_ = 0;
};

}  // namespace tactelier::gui

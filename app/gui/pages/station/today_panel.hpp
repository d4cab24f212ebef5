#pragma once
// The sensors of today, the latest first, and how many got which verdict.

#include <vector>

#include "app/gui/widgets/panel.hpp"
#include "app/workflow/station/station_label.hpp"

class QLabel;
class QTableWidget;

namespace tactelier::gui {

class TodayPanel : public Panel {
  Q_OBJECT
 public:
  explicit TodayPanel(QWidget* parent = nullptr);
  /// In order of their scanning.
  void set(std::vector<StationLabel> labels);
  void add(const StationLabel& label);
  int count() const { return static_cast<int>(labels_.size()); }

 signals:
  void chosen(const StationLabel& label);

 private:
  void insert(const StationLabel& label);
  void showCounts();
  void size();

  std::vector<StationLabel> labels_;
  QLabel* counts_;
  QTableWidget* table_;
};

}  // namespace tactelier::gui

#pragma once
// What came of a recording, and what to do with it.

#include "app/gui/state/rig_link.hpp"
#include "app/gui/widgets/panel.hpp"

class QLabel;
class QPushButton;

namespace tactelier::gui {

class SummaryPanel : public Panel {
  Q_OBJECT
 public:
  explicit SummaryPanel(QWidget* parent = nullptr);
  void show(const RunEnd& end);
  QWidget* first() const;

 signals:
  void fitWanted();
  void resumeWanted();
  void moreWanted();

 private:
  QLabel* words_;
  QPushButton* fit_;
  QPushButton* resume_;
  QPushButton* more_;
};

}  // namespace tactelier::gui

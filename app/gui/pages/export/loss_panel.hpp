#pragma once
// What the chosen format leaves out, shown before the button is pressed.

#include "app/gui/widgets/panel.hpp"

class QLabel;
class QTableView;

namespace tactelier {
struct FormatPreview;
struct SensorModel;
}  // namespace tactelier

namespace tactelier::gui {

class LossModel;

class LossPanel : public Panel {
  Q_OBJECT
 public:
  explicit LossPanel(QWidget* parent = nullptr);
  void show(const FormatPreview& preview, const SensorModel& model);
  void clear();
  /// Paths that the format waits for.
  QStringList missing() const;

 signals:
  void missingChosen(const QString& path);

 private:
  void sizeTable();
  void say(const QString& words);

  LossModel* model_;
  QTableView* table_;
  QLabel* words_;
};

}  // namespace tactelier::gui

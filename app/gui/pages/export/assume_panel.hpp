#pragma once
// Values that the data do not give: path, value with unit; listed with who says so, taken back one
// by one.

#include "app/gui/widgets/panel.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace tactelier::gui {

class AssumptionModel;
class ExportDraft;

class AssumePanel : public Panel {
  Q_OBJECT
 public:
  explicit AssumePanel(ExportDraft& draft, QWidget* parent = nullptr);
  /// Offered first: what the chosen format waits for.
  void setMissing(const QStringList& paths);
  /// Puts a path into the field, ready for its value.
  void propose(const QString& path);

 private:
  void follow();
  void showUnit();
  void apply();
  void takeBack();
  void say(const QString& problem);

  ExportDraft& draft_;
  AssumptionModel* model_;
  QComboBox* path_;
  QLineEdit* value_;
  QPushButton* apply_;
  QPushButton* take_back_;
  QLabel* problem_;
  QTableView* table_;
  QStringList all_paths_;
};

}  // namespace tactelier::gui

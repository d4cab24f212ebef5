#pragma once
// What the rig file says: limits with their actions, the emergency stop, geometry. The same words
// as `record --limits`; nothing here can be edited, the rig file is the place.

#include "app/gui/widgets/panel.hpp"
#include "app/workflow/rig_overview.hpp"

class QGridLayout;
class QLabel;
class QTableView;
class QToolButton;

namespace tactelier::gui {

class LimitModel;

class LimitPanel : public Panel {
  Q_OBJECT
 public:
  explicit LimitPanel(QWidget* parent = nullptr);
  /// Made by the page, so that its tables look alike.
  void setTable(QTableView* table);
  /// nullptr: no rig file.
  void show(const RigFile* rig, std::vector<rig::LimitRow> limits, double speed_m_per_s);
  /// Of what is shown, as it hangs beside the rig; "" without a rig file.
  QString asHtml() const;

 private:
  void print();

  LimitModel* limits_;
  QLabel* stop_;
  QToolButton* print_;
  QString rig_name_;  // "": no rig file
  QString speed_words_;
};

class GeometryPanel : public Panel {
  Q_OBJECT
 public:
  explicit GeometryPanel(QWidget* parent = nullptr);
  /// nullptr: no rig file.
  void show(const RigFile* rig);

 private:
  QGridLayout* facts_;
  QLabel* none_;
};

}  // namespace tactelier::gui

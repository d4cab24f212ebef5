#pragma once
// The steps of the draft in their order, and the chosen one as a form below.

#include "app/gui/widgets/panel.hpp"

class QPushButton;
class QTableWidget;

namespace tactelier::gui {

class ProtocolDraft;
class StepForm;

class StepPanel : public Panel {
  Q_OBJECT
 public:
  explicit StepPanel(ProtocolDraft& draft, QWidget* parent = nullptr);
  QTableWidget* table() const { return table_; }
  /// -1 without one.
  int current() const;

 signals:
  void chosen(int row);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QPushButton* button(const QString& words, const QString& icon, const QString& name);
  void refresh();
  void showPlan();
  void showStep();
  void add(const std::string& kind);
  void remove();
  void move(int by);
  void choose(int row);

  ProtocolDraft& draft_;
  QTableWidget* table_;
  StepForm* form_;
  QPushButton* duplicate_;
  QPushButton* up_;
  QPushButton* down_;
  QPushButton* remove_;
};

}  // namespace tactelier::gui

#pragma once
// What is to be recorded: templates, the steps of one as a list and a form, or targets that presses
// choose themselves for; and what that costs and tells on the rig, before anything moves.

#include "app/gui/widgets/page.hpp"

class QLabel;
class QStackedWidget;

namespace tactelier::gui {

class FoldingColumns;
class Panel;
class PathPlot;
class PlannedForcePlot;
class ProtocolDraft;
class Segmented;
class StepPanel;
class TargetPanel;
class TemplatePanel;

class ProtocolPage : public Page {
  Q_OBJECT
 public:
  explicit ProtocolPage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QString asCommand() const override;
  QString whyNoCommand() const override;
  void saveState(QSettings& settings) const override;
  void restoreState(QSettings& settings) override;

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* buildLeft();
  QWidget* buildCentre();
  QWidget* buildRight();
  bool byTargets() const;
  void showKind();
  void showAssumed();
  void showPictures();
  void refresh();
  void open(const QString& name_or_file);
  void askOpen();
  void askSave(bool then_use);
  void useInSession();
  void add(const QString& protocol);
  /// Ctrl+Z is this protocol's while the page shows.
  void addWanted();
  void takeUndo(bool take);

  ProtocolDraft* draft_;
  QAction* open_;
  QAction* save_;
  QAction* use_;
  Segmented* kind_;
  FoldingColumns* columns_ = nullptr;
  TemplatePanel* templates_ = nullptr;
  QLabel* assumed_ = nullptr;
  QStackedWidget* centre_ = nullptr;
  StepPanel* steps_ = nullptr;
  TargetPanel* targets_ = nullptr;
  PathPlot* path_ = nullptr;
  PlannedForcePlot* force_ = nullptr;
  QWidget* dry_run_ = nullptr;  // of the steps
};

}  // namespace tactelier::gui

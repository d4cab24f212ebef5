#pragma once
// The event log: every message of the app and every report of the rig, to search, copy and save,
// with a way back to the file or page that an event is about.

#include "app/gui/state/event_log.hpp"
#include "app/gui/widgets/page.hpp"

class QLabel;
class QLineEdit;
class QTableView;

namespace tactelier::gui {

class EventFilter;
class EventModel;
class EventPanel;
class Segmented;

class LogPage : public Page {
  Q_OBJECT
 public:
  LogPage(const PageContext& context, QWidget* parent);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QWidget* searchField() override;
  QString whyNoCommand() const override;
  void saveState(QSettings& settings) const override;
  void restoreState(QSettings& settings) override;

 private:
  QWidget* buildBar();
  QWidget* buildTable();
  void sizeTable();
  void refresh();
  void showChosen();
  /// The rows selected in the order shown; all that are shown without a selection.
  std::vector<LogEvent> chosen() const;
  const LogEvent* current() const;
  void copy();
  void save();
  void write(const QString& file);
  void jump();

  EventModel* model_;
  EventFilter* filter_;
  QAction* copy_;
  QAction* save_;
  QLineEdit* search_ = nullptr;
  Segmented* levels_ = nullptr;
  QTableView* table_ = nullptr;
  QLabel* empty_ = nullptr;
  QLabel* problem_ = nullptr;
  EventPanel* panel_ = nullptr;
};

}  // namespace tactelier::gui

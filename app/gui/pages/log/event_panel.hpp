#pragma once
// One event with all its words: what happened, what was safe, what to do, what its code means, and
// buttons to the file and the page that it is about.

#include <functional>
#include <vector>

#include "app/gui/state/event_log.hpp"
#include "app/gui/widgets/panel.hpp"
#include "libcalib/facts.hpp"

class QLabel;
class QPushButton;

namespace tactelier::gui {

class EventPanel : public Panel {
  Q_OBJECT
 public:
  /// `title_of`: of a page, by its id.
  EventPanel(std::function<QString(const QString& page_id)> title_of, QWidget* parent);
  /// nullptr: none is chosen.
  void show(const LogEvent* event);

 signals:
  void fileWanted(const QString& file);
  void pageWanted(const QString& page_id);

 private:
  /// "" for a code that the book hasn't got.
  QString meaningOf(const QString& code);

  std::function<QString(const QString&)> title_of_;
  std::vector<CodeFact> book_;  // read on first use
  Message shown_;
  QLabel* words_;
  QLabel* code_;
  QPushButton* file_;
  QPushButton* page_;
};

}  // namespace tactelier::gui

#pragma once
// The tour: from the virtual bench to a report in under five minutes. Each step names one thing to
// do, outlines its control and goes on once it was done, with the real pages, the real rig process
// and the real fit. It moves nothing by itself.

#include <QObject>
#include <QTimer>
#include <functional>
#include <vector>

namespace tactelier::gui {

class MainWindow;
class TourOutline;
class TourRecordings;
class TourStrip;

struct TourStep {
  QString page;    // brought to the front; "" leaves what is there
  QString target;  // name of the control that is outlined; "" for none
  std::function<QString()> words;
  int seconds = 0;                   // that it takes a newcomer
  std::function<bool()> done = {};   // empty: read it, then Next
  std::function<void()> act = {};    // what "Do it" does; empty: there is nothing to do
  std::function<void()> begin = {};  // when the step begins
};

class Tour : public QObject {
  Q_OBJECT
 public:
  using Steps = std::function<std::vector<TourStep>(TourRecordings&)>;
  /// All outlive it. `show_page` brings a page to the front.
  Tour(QWidget& window, TourStrip& strip, TourRecordings& recordings,
       std::function<void(const QString&)> show_page,
       std::function<QString(const QString&)> title_of, Steps steps, QObject* parent);

  bool running() const { return at_ >= 0; }
  int step() const { return at_; }
  const std::vector<TourStep>& steps() const { return steps_; }
  void start();
  void end();
  void back();
  void next();
  /// What the step asks for, done by the tour.
  void act();

 signals:
  void changed();  // begun, ended, another step

 private:
  void go(int step);
  void look();
  QWidget* find(const QString& name) const;

  QWidget& window_;
  TourStrip& strip_;
  TourRecordings& recordings_;
  std::function<void(const QString&)> show_page_;
  std::function<QString(const QString&)> title_of_;
  Steps make_steps_;
  std::vector<TourStep> steps_;
  TourOutline* outline_;
  QTimer tick_;
  int at_ = -1;
  bool was_done_ = false;  // when the step began, or since
};

}  // namespace tactelier::gui

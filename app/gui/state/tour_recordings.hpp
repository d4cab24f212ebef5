#pragma once
// Two whole recordings of a simulated pad, for the tour: every tactel pressed, and shapes laid on.
// Made beside the window's work the first time, there at once the next.

#include <QObject>
#include <QString>

namespace tactelier::gui {

class Jobs;
class Notifications;

class TourRecordings : public QObject {
  Q_OBJECT
 public:
  /// `folder`: where they are kept. All outlive it.
  TourRecordings(Jobs& jobs, Notifications& notifications, const QString& folder, QObject* parent);
  /// "tour" among the app's data.
  static QString usualFolder();

  /// Begins making what is not there yet.
  void make();
  /// Every tactel pressed; "" while it is not whole.
  QString presses() const;
  /// Shapes on the same pad.
  QString images() const;
  bool making() const { return job_ != 0; }

 signals:
  void changed();

 private:
  QString pathOf(const char* name) const;

  Jobs& jobs_;
  Notifications& notifications_;
  QString folder_;
  int job_ = 0;
};

}  // namespace tactelier::gui

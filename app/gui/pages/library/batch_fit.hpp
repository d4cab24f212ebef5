#pragma once
// Fit selected: the selected recordings as a batch in the background, a process per sensor, with
// progress and cancel in the status bar. Recordings of one serial number are fitted together; what
// is up to date is left alone. The same as 'tactelier batch plan' and 'batch run'.

#include <QObject>
#include <QStringList>

#include "app/gui/state/app_state.hpp"
#include "app/workflow/batch/run_batch.hpp"

namespace tactelier::gui {

class BatchFit : public QObject {
  Q_OBJECT
 public:
  explicit BatchFit(AppState& state, QObject* parent = nullptr);

  /// Plan and results beside the recordings, in `folder`: fit-selected.json, fit-selected.results/.
  void start(const QStringList& recordings, const QString& folder);
  /// Of the workers; without it the one beside this program.
  void setProgram(const QString& program) { program_ = program; }
  bool running() const { return job_ != 0; }
  void cancel();
  static QString catalogueOf(const QString& folder);
  /// What start() does, for the clipboard.
  static QString asCommand(const QStringList& recordings, const QString& folder);

 signals:
  void changed();  // begun or ended
  /// The catalogue holds what was done, cancelled or not.
  void finished(const QString& catalogue);

 private:
  void tell(const RunOutcome& outcome, const QString& results);

  AppState& state_;
  QString program_;
  int job_ = 0;
};

}  // namespace tactelier::gui

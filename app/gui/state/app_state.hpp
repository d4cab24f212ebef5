#pragma once
// What is open and what is going on, in parts; pages observe the parts and call them, they never
// talk to each other. The rig is apart (rig_link.hpp).

#include <QObject>

#include "app/gui/state/event_log.hpp"
#include "app/gui/state/file_history.hpp"
#include "app/gui/state/fit_runner.hpp"
#include "app/gui/state/jobs.hpp"
#include "app/gui/state/model_document.hpp"
#include "app/gui/state/notifications.hpp"
#include "app/gui/state/preferences.hpp"
#include "app/gui/state/protocol_choice.hpp"
#include "app/gui/state/recordings.hpp"
#include "app/gui/state/selection.hpp"
#include "app/gui/state/station_runner.hpp"

class QSettings;

namespace tactelier::gui {

class AppState : public QObject {
  Q_OBJECT
 public:
  /// `settings` outlives the state. `log_file`: of the event log.
  explicit AppState(QSettings& settings, const QString& log_file = EventLog::usualFile(),
                    QObject* parent = nullptr);
  ~AppState() override;

  QSettings& settings() { return settings_; }
  Preferences& preferences() { return preferences_; }
  Jobs& jobs() { return jobs_; }
  Notifications& notifications() { return notifications_; }
  EventLog& log() { return log_; }
  FileHistory& files() { return files_; }
  const FileHistory& files() const { return files_; }
  Selection& selection() { return selection_; }
  const Selection& selection() const { return selection_; }
  Recordings& recordings() { return recordings_; }
  const Recordings& recordings() const { return recordings_; }
  ModelDocument& modelDocument() { return model_; }
  const ModelDocument& modelDocument() const { return model_; }
  FitRunner& fit() { return fit_; }
  const FitRunner& fit() const { return fit_; }
  StationRunner& station() { return station_; }
  ProtocolChoice& protocol() { return protocol_; }

  /// What pages ask for most: the recording they show and the open model; nullptr without one.
  RecordingDocument* recording() const { return selection_.recording(); }
  const ModelPtr& model() const { return model_.model(); }

  /// A recording, a session folder, a model, a table (looked at by the Import page) or any other
  /// folder (shown in the Library).
  void open(const QString& path);

 private:
  QSettings& settings_;
  Preferences preferences_;
  Notifications notifications_;
  EventLog log_;
  FileHistory files_;
  Selection selection_;
  Recordings recordings_;
  ModelDocument model_;
  FitRunner fit_;
  StationRunner station_;
  ProtocolChoice protocol_;
  Jobs jobs_;  // last: its destructor waits for work that reads the members above
};

}  // namespace tactelier::gui

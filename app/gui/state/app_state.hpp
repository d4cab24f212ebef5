#pragma once
// What is open and what is going on; pages observe it and call it, they never talk to each other.

#include <QObject>
#include <QSet>
#include <QStringList>
#include <QUndoGroup>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/gui/state/fit_choice.hpp"
#include "app/gui/state/jobs.hpp"
#include "app/gui/state/mode.hpp"
#include "app/gui/state/recording_document.hpp"
#include "app/gui/text/message.hpp"
#include "app/workflow/fit_sessions.hpp"

class QSettings;

namespace tactelier::gui {

class BenchDevices;
class RigLink;

using ModelPtr = std::shared_ptr<const SensorModel>;

struct FitStageTime {
  std::string stage;
  double took_s = 0;
};

/// By the recording's file.
using ClocksByFile = std::map<std::string, SessionClocks>;

class AppState : public QObject {
  Q_OBJECT
 public:
  /// `settings` outlives the state.
  explicit AppState(QSettings& settings, QObject* parent = nullptr);
  ~AppState() override;

  Jobs& jobs() { return jobs_; }
  QSettings& settings() { return settings_; }
  QUndoGroup& undoGroup() { return undo_; }
  /// The rig process, as its client.
  RigLink& rig();
  /// What the Bench page shows: the rig's devices, or those that somebody looks at.
  BenchDevices& bench();

  // --- Files -----------------------------------------------------------------------------------
  /// A recording, a session folder, a model or any other folder (shown in the Library).
  void open(const QString& path);
  /// The example that travels with the program; imported into the user's data folder once.
  void openExample();
  /// A session folder, or a table with its map, into a .tact; opens it.
  void importInto(const QString& source, const QString& map, const QString& target);
  QStringList recentFiles() const;
  /// Opened here, or recorded.
  void noteRecent(const QString& path);
  /// The Session page goes on with this recording, which was cut off.
  void resume(const QString& recording) { emit resumeWanted(recording); }
  QString libraryFolder() const;
  void setLibraryFolder(const QString& folder);

  // --- Recordings ------------------------------------------------------------------------------
  std::vector<RecordingDocument*> recordings() const;
  /// The one that pages show; nullptr when none is open.
  RecordingDocument* recording() const { return current_; }
  void setRecording(RecordingDocument* document);
  void closeRecording(RecordingDocument* document);
  std::optional<int> chosenPress() const { return chosen_press_; }
  void choosePress(std::optional<int> press);
  std::optional<int> chosenTactel() const { return chosen_tactel_; }
  void chooseTactel(std::optional<int> tactel);

  // --- Model and fit ---------------------------------------------------------------------------
  const ModelPtr& model() const { return model_; }
  const Warnings& modelWarnings() const { return model_warnings_; }
  const QString& modelFile() const { return model_file_; }  // "" when it was never saved
  bool modelSaved() const { return model_saved_; }
  /// `file` "": fresh from a fit, not saved.
  void setModel(ModelPtr model, Warnings warnings, const QString& file = {});
  void saveModel(const QString& file);
  /// Asked before a model that was not saved is replaced by another file's.
  void setMayDiscard(std::function<bool()> ask) { may_discard_ = std::move(ask); }
  FitChoice& fitChoice() { return fit_choice_; }
  /// Chooses this recording alone and fits it. False where an unsaved model of another one was not
  /// to be discarded.
  bool fitAlone(RecordingDocument* document);
  /// Chooses it too: asked where others are chosen, refused where they are of another sensor. False
  /// when the choice stays as it was.
  bool joinFit(RecordingDocument* document);
  enum class Join { kStay, kAlone, kTogether };
  struct JoinQuestion {
    QString recording;
    QStringList others;
    QString refusal;  // why together is impossible; "" when it isn't
    QString doubt;    // what together takes on trust
  };
  void setAskJoin(std::function<Join(const JoinQuestion&)> ask) { ask_join_ = std::move(ask); }
  /// The chosen stages of the chosen recordings.
  FitRequest fitRequest() const;
  /// Waits for edits on their way to the file, then fits. Cancels a fit that is still running; the
  /// last model stays until the new one is there.
  void runFit(FitRequest request);
  /// What is done is kept when there was no model before.
  void cancelFit();
  bool fitting() const { return fit_job_ != 0 || waiting_fit_.has_value(); }
  /// Progress of the fit that is running.
  std::optional<JobView> fitProgress() const;
  /// Stages of the last fit that have ended, in order.
  const std::vector<FitStageTime>& fitStages() const { return fit_stages_; }
  /// What the last fit's stage "time" found.
  const ClocksByFile& fitClocks() const { return fit_clocks_; }
  /// Edits or choices after the model was fitted: its numbers are those of before. A model that was
  /// fitted here is fitted again by itself.
  bool modelOutdated() const { return model_outdated_; }
  /// Called on the fit's thread after each stage: where tests make it wait.
  using FitHook = std::function<void(std::string_view stage)>;
  void setFitHook(FitHook hook) { fit_hook_ = std::move(hook); }

  void tell(Message message) { emit messageRaised(message); }
  void tell(Message::Level level, const QString& happened, const QString& safe,
            const QString& todo) {
    emit messageRaised({level, happened, safe, todo});
  }

 signals:
  void messageRaised(const Message& message);
  void statusTold(const QString& text);  // information, for the status bar
  void recentFilesChanged();
  void libraryFolderChanged();
  void resumeWanted(const QString& recording);
  void recordingsChanged();
  void recordingChanged();  // another one is current, or none
  void recordingOpened();   // pages may come to the front
  void pressChanged(int press);
  void damageFound();
  void pressChosen();
  void tactelChosen();
  void modelChanged();
  void modelOpened();
  void fitStarted();
  void fitStageEnded();
  void fitFinished(bool done);  // false: failed or cancelled

 private:
  void openRecording(const QString& path);
  void openModel(const QString& path);
  void addRecording(RecordingPtr recording);
  void failed(const Error& error, const QString& safe, const QString& todo);
  struct Fitted;
  JoinQuestion joinQuestion(const RecordingDocument& document) const;
  void startFit();
  Result<Fitted> fitOnWorker(const FitRequest& chosen, std::size_t length,
                             const std::shared_ptr<int>& id, const FitHook& hook, const Job& job);
  void fitEnded(Result<Fitted> fitted);
  void noteFitStage(int job, FitStageTime stage, ClocksByFile clocks);
  /// Marks the model as of before; fits again when it was fitted here.
  void outdate();
  void checkRecording(RecordingDocument* document);
  void sayDamage(const RecordingDocument& document);

  QSettings& settings_;
  QUndoGroup undo_;
  std::vector<std::unique_ptr<RecordingDocument>> recordings_;
  RecordingDocument* current_ = nullptr;
  QSet<QString> damaged_;  // open files whose damage was told
  std::optional<int> chosen_press_;
  std::optional<int> chosen_tactel_;
  ModelPtr model_;
  Warnings model_warnings_;
  QString model_file_;
  bool model_saved_ = true;
  std::function<bool()> may_discard_;
  std::function<Join(const JoinQuestion&)> ask_join_;
  bool model_outdated_ = false;
  FitChoice fit_choice_;
  std::optional<FitRequest> waiting_fit_;  // until edits are in their files
  std::size_t fit_length_ = 0;             // stages of the fit that is running
  std::vector<FitStageTime> fit_stages_;
  ClocksByFile fit_clocks_;
  FitHook fit_hook_;
  bool fitted_here_ = false;  // the model, or the one that is being fitted
  int fit_job_ = 0;
  Jobs jobs_;  // last: its destructor waits for work that reads the members above
};

}  // namespace tactelier::gui

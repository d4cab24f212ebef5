#pragma once
// The fit: which recordings and stages it uses; started, watched, cancelled, and repeated when an
// edit makes its numbers old. What comes out becomes the open model.

#include <QObject>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/state/fit_choice.hpp"
#include "app/gui/state/jobs.hpp"
#include "app/workflow/fit_sessions.hpp"

namespace tactelier::gui {

class ModelDocument;
class Notifications;
class RecordingDocument;
class Recordings;
class Selection;

struct FitStageTime {
  std::string stage;
  double took_s = 0;
};

/// By the recording's file.
using ClocksByFile = std::map<std::string, SessionClocks>;

class FitRunner : public QObject {
  Q_OBJECT
 public:
  /// All outlive the runner.
  FitRunner(Jobs& jobs, Notifications& notifications, Recordings& recordings, Selection& selection,
            ModelDocument& model);

  FitChoice& choice() { return choice_; }
  const FitChoice& choice() const { return choice_; }
  /// Chooses this recording alone and fits it. False where an unsaved model of another one was not
  /// to be discarded.
  bool runAlone(RecordingDocument* document);
  /// Chooses it too: asked where others are chosen, refused where they are of another sensor. False
  /// when the choice stays as it was.
  bool join(RecordingDocument* document);
  enum class Join { kStay, kAlone, kTogether };
  struct JoinQuestion {
    QString recording;
    QStringList others;
    QString refusal;  // why together is impossible; "" when it isn't
    QString doubt;    // what together takes on trust
  };
  void setAskJoin(std::function<Join(const JoinQuestion&)> ask) { ask_join_ = std::move(ask); }

  /// The chosen stages of the chosen recordings.
  FitRequest request() const;
  /// Waits for edits on their way to the file, then fits. Cancels a fit that is still running; the
  /// last model stays until the new one is there.
  void run(FitRequest request);
  /// What is done is kept when there was no model before.
  void cancel();
  bool running() const { return job_ != 0 || waiting_.has_value(); }
  /// Of the fit that is running.
  std::optional<JobView> progress() const;
  /// Stages of the last fit that have ended, in order.
  const std::vector<FitStageTime>& stages() const { return stages_; }
  /// What the last fit's stage "time" found.
  const ClocksByFile& clocks() const { return clocks_; }
  /// Called on the fit's thread after each stage: where tests make it wait.
  using Hook = std::function<void(std::string_view stage)>;
  void setHook(Hook hook) { hook_ = std::move(hook); }

 signals:
  void started();
  void stageEnded();
  void finished(bool done);  // false: failed or cancelled

 private:
  struct Fitted;
  JoinQuestion joinQuestion(const RecordingDocument& document) const;
  void start();
  Result<Fitted> fitOnWorker(const FitRequest& chosen, std::size_t length,
                             const std::shared_ptr<int>& id, const Hook& hook, const Job& job);
  void noteStage(int job, FitStageTime stage, ClocksByFile clocks);
  void end(Result<Fitted> fitted);
  /// Marks the model as of before; fits again when it was fitted here.
  void outdate();
  /// Another model, or none: no fit of this window stands behind it.
  void forgetModel();

  Jobs& jobs_;
  Notifications& notifications_;
  Recordings& recordings_;
  Selection& selection_;
  ModelDocument& model_;
  FitChoice choice_;
  std::function<Join(const JoinQuestion&)> ask_join_;
  std::optional<FitRequest> waiting_;  // until edits are in their files
  std::size_t length_ = 0;             // stages of the fit that is running
  std::vector<FitStageTime> stages_;
  ClocksByFile clocks_;
  Hook hook_;
  bool fitted_here_ = false;  // the model, or the one that is being fitted
  int job_ = 0;
};

}  // namespace tactelier::gui

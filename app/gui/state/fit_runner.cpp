#include "app/gui/state/fit_runner.hpp"

#include <QElapsedTimer>
#include <QSignalBlocker>
#include <algorithm>

#include "app/gui/state/model_document.hpp"
#include "app/gui/state/notifications.hpp"
#include "app/gui/state/recordings.hpp"

namespace tactelier::gui {

struct FitRunner::Fitted {
  ModelPtr model;
  Warnings warnings;
};

FitRunner::FitRunner(Jobs& jobs, Notifications& notifications, Recordings& recordings,
                     Selection& selection, ModelDocument& model)
    : jobs_(jobs),
      notifications_(notifications),
      recordings_(recordings),
      selection_(selection),
      model_(model) {
  connect(&choice_, &FitChoice::changed, this, &FitRunner::outdate);
  connect(&model_, &ModelDocument::replaced, this, &FitRunner::forgetModel);
  connect(&recordings_, &Recordings::edited, this, &FitRunner::outdate);
  connect(&recordings_, &Recordings::editsWritten, this, &FitRunner::start);
  connect(&recordings_, &Recordings::closed, &choice_, &FitChoice::forget);
  // A second one is only looked at: two pads in one fit are somebody's decision.
  connect(&recordings_, &Recordings::added, this, [this](RecordingDocument* document) {
    if (!choice_.empty()) return;
    const QSignalBlocker quiet(choice_);  // opening fits nothing
    choice_.setUsed(document, true);
  });
}

FitRequest FitRunner::request() const {
  FitRequest request;
  for (const auto* document : recordings_.all())
    if (choice_.uses(document))
      request.sessions.emplace_back(document->recording()->path().toStdString());
  if (!choice_.allStages())
    for (const auto& stage : tactelier::stages())
      if (choice_.runs(std::string(stage.id))) request.stages.emplace_back(stage.id);
  const auto& settings = choice_.settings();
  request.options.holdout = settings.holdout;
  request.options.seed = settings.seed;
  request.options.threads = settings.threads;
  request.sensor = settings.sensor;
  request.required = settings.required;
  return request;
}

void FitRunner::run(FitRequest request) {
  if (job_ != 0) jobs_.cancel(job_);
  job_ = 0;
  const bool nothing_chosen =
      request.sessions.empty() || (request.stages.empty() && !choice_.allStages());
  if (nothing_chosen) {
    waiting_.reset();
    notifications_.status(tr("Choose a recording and a stage to fit."));
    emit finished(false);
    return;
  }
  waiting_ = std::move(request);
  stages_.clear();
  emit started();
  start();
}

Result<FitRunner::Fitted> FitRunner::fitOnWorker(const FitRequest& chosen, std::size_t length,
                                                 const std::shared_ptr<int>& id, const Hook& hook,
                                                 const Job& job) {
  QElapsedTimer since;
  since.start();
  std::size_t ended = 0;
  auto overall = job;  // progress over all stages, not of each one anew
  overall.on_progress = [&](const Progress& part) {
    const double share = part.total > 0 ? part.done / part.total : 0;
    job.progress(part.what, static_cast<double>(ended) + share, static_cast<double>(length));
  };
  auto request = chosen;
  request.options.on_stage = [&](std::string_view stage, const FitContext& so_far) {
    ++ended;
    FitStageTime took{std::string(stage), static_cast<double>(since.restart()) * 1e-3};
    ClocksByFile clocks;
    for (std::size_t i = 0; i < so_far.clocks.size(); ++i)
      clocks[request.sessions[so_far.sessions[i].argument].string()] = so_far.clocks[i];
    // The id is read on the window's thread: it is set after the work was handed over.
    QMetaObject::invokeMethod(
        this, [this, id, took, clocks] { noteStage(*id, took, clocks); }, Qt::QueuedConnection);
    if (hook) hook(stage);
  };
  auto report = fit_sessions(request, overall);
  if (!report) return fail(report.error());
  return Fitted{std::make_shared<const SensorModel>(std::move(report->model)),
                std::move(report->warnings)};
}

void FitRunner::start() {
  const auto open = recordings_.all();
  const bool writing = std::any_of(open.begin(), open.end(),
                                   [](const auto* document) { return document->writing(); });
  if (!waiting_ || writing) return;
  auto request = std::move(*waiting_);
  waiting_.reset();
  const auto chain = stage_chain(request.stages);
  length_ = chain ? chain->size() : 0;
  request.options.keep_when_stopped = true;
  auto id = std::make_shared<int>(0);
  job_ = *id = jobs_.run<Fitted>(
      tr("Fit"), Lane::kWork, this,
      [this, id, request = std::move(request), length = length_, hook = hook_](const Job& job) {
        return fitOnWorker(request, length, id, hook, job);
      },
      [this, id](Result<Fitted> fitted) {
        if (job_ == *id) end(std::move(fitted));  // else a newer fit took over
      });
}

void FitRunner::noteStage(int job, FitStageTime stage, ClocksByFile clocks) {
  if (job != job_) return;
  clocks_ = std::move(clocks);
  stages_.push_back(std::move(stage));
  emit stageEnded();
}

void FitRunner::end(Result<Fitted> fitted) {
  job_ = 0;
  const bool whole = fitted && stages_.size() >= length_;
  const bool keep = fitted && (whole || model_.model() == nullptr);
  if (keep) {
    const auto took = stages_;
    model_.set(std::move(fitted->model), std::move(fitted->warnings));
    stages_ = took;
    fitted_here_ = true;
  }
  if (keep && !whole)
    notifications_.status(tr("Cancelled: %1 of %2 stages kept.")
                              .arg(static_cast<qlonglong>(stages_.size()))
                              .arg(static_cast<qlonglong>(length_)));
  else if (fitted && !whole)
    notifications_.status(tr("Cancelled. The last valid numbers stay."));
  else if (!fitted)
    notifications_.failed(
        fitted.error(),
        model_.model() ? tr("The last valid numbers stay.") : tr("No model was made."),
        tr("Look at the recording's presses, then fit again."));
  emit finished(whole);
}

void FitRunner::cancel() {
  if (waiting_) {
    waiting_.reset();
    notifications_.status(model_.model() ? tr("Cancelled. The last valid numbers stay.")
                                         : tr("Cancelled. No model was made."));
    emit finished(false);
  }
  if (job_ != 0) jobs_.cancel(job_);
}

std::optional<JobView> FitRunner::progress() const {
  for (const auto& job : jobs_.running())
    if (job_ != 0 && job.id == job_) return job;
  return std::nullopt;
}

void FitRunner::outdate() {
  const bool repeat = fitted_here_ || running();
  model_.setOutdated();
  if (repeat) run(request());
}

void FitRunner::forgetModel() {
  fitted_here_ = false;
  stages_.clear();  // they were another model's
}

}  // namespace tactelier::gui

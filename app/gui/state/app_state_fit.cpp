// The fit: started, watched, cancelled, and repeated when an edit makes its numbers old.

#include <QElapsedTimer>
#include <algorithm>

#include "app/gui/state/app_state.hpp"

namespace tactelier::gui {

struct AppState::Fitted {
  ModelPtr model;
  Warnings warnings;
};

FitRequest AppState::fitRequest() const {
  FitRequest request;
  for (const auto& document : recordings_)
    if (fit_choice_.uses(document.get()))
      request.sessions.emplace_back(document->recording()->path().toStdString());
  if (!fit_choice_.allStages())
    for (const auto& stage : stages())
      if (fit_choice_.runs(std::string(stage.id))) request.stages.emplace_back(stage.id);
  return request;
}

void AppState::runFit(FitRequest request) {
  if (fit_job_ != 0) jobs_.cancel(fit_job_);
  fit_job_ = 0;
  const bool nothing_chosen =
      request.sessions.empty() || (request.stages.empty() && !fit_choice_.allStages());
  if (nothing_chosen) {
    waiting_fit_.reset();
    emit statusTold(tr("Choose a recording and a stage to fit."));
    emit fitFinished(false);
    return;
  }
  waiting_fit_ = std::move(request);
  fit_stages_.clear();
  emit fitStarted();
  startFit();
}

Result<AppState::Fitted> AppState::fitOnWorker(const FitRequest& chosen, std::size_t length,
                                               const std::shared_ptr<int>& id, const FitHook& hook,
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
        this, [this, id, took, clocks] { noteFitStage(*id, took, clocks); }, Qt::QueuedConnection);
    if (hook) hook(stage);
  };
  auto report = fit_sessions(request, overall);
  if (!report) return fail(report.error());
  return Fitted{std::make_shared<const SensorModel>(std::move(report->model)),
                std::move(report->warnings)};
}

void AppState::startFit() {
  const bool writing = std::any_of(recordings_.begin(), recordings_.end(),
                                   [](const auto& document) { return document->writing(); });
  if (!waiting_fit_ || writing) return;
  auto request = std::move(*waiting_fit_);
  waiting_fit_.reset();
  const auto chain = stage_chain(request.stages);
  fit_length_ = chain ? chain->size() : 0;
  request.options.keep_when_stopped = true;
  auto id = std::make_shared<int>(0);
  fit_job_ = *id = jobs_.run<Fitted>(
      tr("Fit"), Lane::kWork, this,
      [this, id, request = std::move(request), length = fit_length_,
       hook = fit_hook_](const Job& job) { return fitOnWorker(request, length, id, hook, job); },
      [this, id](Result<Fitted> fitted) {
        if (fit_job_ == *id) fitEnded(std::move(fitted));  // else a newer fit took over
      });
}

void AppState::noteFitStage(int job, FitStageTime stage, ClocksByFile clocks) {
  if (job != fit_job_) return;
  fit_clocks_ = std::move(clocks);
  fit_stages_.push_back(std::move(stage));
  emit fitStageEnded();
}

void AppState::fitEnded(Result<Fitted> fitted) {
  fit_job_ = 0;
  const bool whole = fitted && fit_stages_.size() >= fit_length_;
  const bool keep = fitted && (whole || model_ == nullptr);
  if (keep) {
    const auto took = fit_stages_;
    setModel(std::move(fitted->model), std::move(fitted->warnings));
    fit_stages_ = took;
    fitted_here_ = true;
  }
  if (keep && !whole)
    emit statusTold(tr("Cancelled: %1 of %2 stages kept.")
                        .arg(static_cast<qlonglong>(fit_stages_.size()))
                        .arg(static_cast<qlonglong>(fit_length_)));
  else if (fitted && !whole)
    emit statusTold(tr("Cancelled. The last valid numbers stay."));
  else if (!fitted)
    failed(fitted.error(), model_ ? tr("The last valid numbers stay.") : tr("No model was made."),
           tr("Look at the recording's presses, then fit again."));
  emit fitFinished(whole);
}

void AppState::cancelFit() {
  if (waiting_fit_) {
    waiting_fit_.reset();
    emit statusTold(model_ ? tr("Cancelled. The last valid numbers stay.")
                           : tr("Cancelled. No model was made."));
    emit fitFinished(false);
  }
  if (fit_job_ != 0) jobs_.cancel(fit_job_);
}

std::optional<JobView> AppState::fitProgress() const {
  for (const auto& job : jobs_.running())
    if (fit_job_ != 0 && job.id == fit_job_) return job;
  return std::nullopt;
}

void AppState::outdate() {
  const bool repeat = fitted_here_ || fitting();
  if (model_ != nullptr && !model_outdated_) {
    model_outdated_ = true;
    emit modelChanged();
  }
  if (repeat) runFit(fitRequest());
}

}  // namespace tactelier::gui

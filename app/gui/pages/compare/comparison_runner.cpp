#include "app/gui/pages/compare/comparison_runner.hpp"

#include <QFileInfo>

#include "app/workflow/compare_images.hpp"

namespace tactelier::gui {

std::vector<std::size_t> Comparison::imagesOf(const QString& method) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < report.images.size(); ++i)
    if (text(report.images[i].method) == method) found.push_back(i);
  return found;
}

ComparisonRunner::ComparisonRunner(AppState& state, QObject* parent)
    : QObject(parent), state_(state), methods_{QStringLiteral("psf")} {}

void ComparisonRunner::setMethods(const QStringList& methods) {
  if (methods_ == methods) return;
  methods_ = methods;
  emit changed();
}

void ComparisonRunner::setRegistered(bool registered) {
  if (registered_ == registered) return;
  registered_ = registered;
  emit changed();
}

ComparisonRunner::Choice ComparisonRunner::chosen() const {
  const auto* document = state_.recording();
  return {state_.model(), document != nullptr ? document->recording()->path() : QString(), methods_,
          registered_};
}

bool ComparisonRunner::ready() const {
  return state_.model() != nullptr && state_.recording() != nullptr && !methods_.isEmpty();
}

void ComparisonRunner::run() {
  if (!ready()) return;
  if (job_ != 0) state_.jobs().cancel(job_);
  tried_ = chosen();
  problem_.clear();
  state_.notifications().status({});  // of an earlier one
  CompareRequest request;
  request.model = state_.modelDocument().file().toStdString();
  request.sessions = {tried_.recording.toStdString()};
  request.registered = registered_;
  request.methods.clear();
  for (const auto& method : methods_) request.methods.push_back(method.toStdString());
  auto id = std::make_shared<int>(0);
  job_ = *id = state_.jobs().run<ComparisonPtr>(
      tr("Compare %1").arg(QFileInfo(tried_.recording).fileName()), Lane::kWork, this,
      [request, model = tried_.model](const Job& job) -> Result<ComparisonPtr> {
        auto report = compare_with_sessions(*model, request, job);
        if (!report) return fail(report.error());
        auto content = compare_content(*report);
        return std::make_shared<const Comparison>(
            Comparison{std::move(*report), std::move(content), model->sensor, model});
      },
      [this, id](Result<ComparisonPtr> compared) {
        if (job_ == *id) end(std::move(compared));  // else a newer one took over
      });
  emit changed();
}

void ComparisonRunner::end(Result<ComparisonPtr> compared) {
  job_ = 0;
  if (compared) {
    result_ = std::move(*compared);
    shown_ = tried_;
  } else if (compared.error().code == ErrorCode::kCancelled) {
    problem_ = tr("Cancelled. Nothing was compared.");
    state_.notifications().status(problem_);
  } else {
    problem_ = text(compared.error().message);
  }
  emit changed();
}

void ComparisonRunner::cancel() {
  if (job_ != 0) state_.jobs().cancel(job_);
}

std::optional<JobView> ComparisonRunner::progress() const {
  for (const auto& job : state_.jobs().running())
    if (job_ != 0 && job.id == job_) return job;
  return std::nullopt;
}

}  // namespace tactelier::gui

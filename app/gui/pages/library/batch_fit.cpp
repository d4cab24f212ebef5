#include "app/gui/pages/library/batch_fit.hpp"

#include <algorithm>

#include "app/gui/text/shell_words.hpp"
#include "app/workflow/batch/feed_catalogue.hpp"
#include "app/workflow/batch/plan_batch.hpp"

namespace tactelier::gui {
namespace {

constexpr int kShortfallsTold = 3;

QString planFile(const QString& folder) { return folder + QStringLiteral("/fit-selected.json"); }

QString countWords(const RunOutcome& outcome, SensorState state) {
  const auto count = std::ranges::count(outcome.results, state, &SensorResult::state);
  return count == 0 ? QString() : QStringLiteral("%1 %2").arg(count).arg(text(to_string(state)));
}

/// "2 identified, 1 failed".
QString outcomeWords(const RunOutcome& outcome) {
  QStringList words;
  for (const auto state :
       {SensorState::kIdentified, SensorState::kIncomplete, SensorState::kFailed})
    if (const auto counted = countWords(outcome, state); !counted.isEmpty()) words << counted;
  return words.join(QStringLiteral(", "));
}

QString shortfallWords(const RunOutcome& outcome) {
  QStringList words;
  for (const auto& result : outcome.results)
    if (!result.reason.empty() && words.size() < kShortfallsTold)
      words << QStringLiteral("%1: %2").arg(text(result.id), text(result.reason));
  return words.join(QStringLiteral(" · "));
}

}  // namespace

BatchFit::BatchFit(AppState& state, QObject* parent) : QObject(parent), state_(state) {}

QString BatchFit::catalogueOf(const QString& folder) {
  return QString::fromStdString(
      catalogue_of(BatchPlan{planFile(folder).toStdString(), {}, {}}).string());
}

QString BatchFit::asCommand(const QStringList& recordings, const QString& folder) {
  QStringList words;
  for (const auto& recording : recordings) words << shellWord(recording);
  const auto plan = shellWord(planFile(folder));
  return QStringLiteral("tactelier batch plan %1 -o %2 --force && tactelier batch run %2")
      .arg(words.join(QChar(' ')), plan);
}

void BatchFit::cancel() {
  if (running()) state_.jobs().cancel(job_);
}

void BatchFit::start(const QStringList& recordings, const QString& folder) {
  if (running() || recordings.isEmpty()) return;
  PlanRequest request;
  for (const auto& recording : recordings) request.sources.push_back(recording.toStdString());
  request.target = planFile(folder).toStdString();
  const auto results = QString::fromStdString(BatchPlan{request.target, {}, {}}.results().string());
  job_ = state_.jobs().run<RunOutcome>(
      tr("Fit %n recordings", nullptr, static_cast<int>(recordings.size())), Lane::kWork, this,
      [request, program = program_.toStdString()](const Job& job) -> Result<RunOutcome> {
        const auto planned = plan_batch(request, job);
        if (!planned) return fail(planned.error());
        RunRequest run;
        run.program = program;
        return run_batch(planned->plan, run, job);
      },
      [this, results, catalogue = catalogueOf(folder)](Result<RunOutcome> outcome) {
        job_ = 0;
        if (outcome)
          tell(*outcome, results);
        else
          state_.notifications().failed(outcome.error(),
                                        tr("Recordings and earlier fits are as they were."),
                                        tr("Mend the cause, then fit again."));
        emit changed();
        if (outcome) emit finished(catalogue);
      });
  emit changed();
}

void BatchFit::tell(const RunOutcome& outcome, const QString& results) {
  const bool whole = std::ranges::all_of(outcome.results, [](const SensorResult& result) {
    return result.state == SensorState::kIdentified;
  });
  if (outcome.stopped)
    return state_.notifications().status(
        tr("Cancelled: %n sensors are fitted and kept.", nullptr, outcome.fitted));
  state_.notifications().notify(
      whole ? Message::Level::kInfo : Message::Level::kLook,
      tr("%n sensors: %1", nullptr, static_cast<int>(outcome.results.size()))
          .arg(outcomeWords(outcome)),
      tr("Models stand in %1").arg(results), shortfallWords(outcome));
}

}  // namespace tactelier::gui

#include "app/gui/pages/report/report_draft.hpp"

#include <QFileInfo>
#include <algorithm>

#include "app/gui/text/message.hpp"
#include "app/gui/text/shell_words.hpp"

namespace tactelier::gui {

ReportDraft::ReportDraft(AppState& state, QObject* parent) : QObject(parent), state_(state) {
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &ReportDraft::follow);
  connect(&state_.recordings(), &Recordings::listChanged, this, &ReportDraft::follow);
  connect(&state_.recordings(), &Recordings::editsWritten, this, [this] {
    stale_ = true;
    follow();
  });
  follow();
}

void ReportDraft::setShown(bool shown) {
  shown_ = shown;
  follow();
}

void ReportDraft::setPaper(PaperSize paper) {
  if (paper == paper_) return;
  paper_ = paper;
  stale_ = true;
  follow();
}

std::vector<std::filesystem::path> ReportDraft::sessions() const {
  std::vector<std::filesystem::path> paths;
  if (state_.model() == nullptr) return paths;
  const auto& model = *state_.model();
  for (const auto* document : state_.recordings().all()) {
    const auto& metadata = document->recording()->metadata();
    const bool same_layout = metadata.sensor.tactels() == model.sensor.tactels();
    const bool same_serial = metadata.sensor_serial.empty() || model.serial.empty() ||
                             metadata.sensor_serial == model.serial;
    if (same_layout && same_serial) paths.emplace_back(document->recording()->path().toStdString());
  }
  return paths;
}

std::vector<std::filesystem::path> ReportDraft::files() const {
  auto all = used_;
  all.insert(all.end(), beside_.begin(), beside_.end());
  return all;
}

void ReportDraft::addBeside(const QStringList& files) {
  for (const auto& file : files) {
    const std::filesystem::path path(file.toStdString());
    if (std::ranges::find(beside_, path) == beside_.end()) beside_.push_back(path);
  }
  stale_ = true;
  follow();
}

void ReportDraft::removeBeside(const std::filesystem::path& file) {
  std::erase(beside_, file);
  stale_ = true;
  follow();
}

void ReportDraft::follow() {
  const auto* before = model_.get();
  const auto* after = state_.model().get();
  if (before != nullptr && after != nullptr &&
      (before->serial != after->serial || before->sensor.tactels() != after->sensor.tactels()))
    beside_.clear();
  const auto now = sessions();
  const auto file = state_.modelDocument().file();
  if (state_.model() != model_ || now != used_ || file != model_file_) stale_ = true;
  model_ = state_.model();
  model_file_ = file;
  used_ = now;
  if (stale_ && shown_)
    refresh();
  else
    emit changed();
}

void ReportDraft::refresh() {
  stale_ = false;
  if (job_ != 0) state_.jobs().cancel(job_);
  job_ = 0;
  if (model_ == nullptr) {
    report_.reset();
    emit changed();
    return;
  }
  using Shared = std::shared_ptr<const DraftedReport>;
  auto id = std::make_shared<int>(0);
  *id = state_.jobs().run<Shared>(
      tr("Prepare report"), Lane::kWork, this,
      [model = model_, name = QFileInfo(model_file_).fileName().toStdString(), files = files(),
       paper = paper_](const Job& job) -> Result<Shared> {
        auto made = make_report(*model, name, files, job);
        if (!made) return fail(made.error());
        auto pages = ReportPages::lay_out(made->document, paper);
        return std::make_shared<const DraftedReport>(
            DraftedReport{std::move(*made), std::move(pages)});
      },
      [this, id](Result<Shared> report) {
        if (job_ != *id) return;  // a newer one is on its way
        job_ = 0;
        problem_ = report ? QString() : text(report.error().message);
        report_ = report ? std::move(*report) : nullptr;
        emit changed();
      });
  job_ = *id;
  emit changed();
}

QString ReportDraft::command(const QString& file) const {
  if (model_file_.isEmpty()) return {};
  auto words = QStringLiteral("tactelier report ") + shellWord(model_file_);
  for (const auto& given : files())
    words += QLatin1Char(' ') + shellWord(QString::fromStdString(given.string()));
  words += QStringLiteral(" -o ") + shellWord(file);
  if (paper_ == PaperSize::kLetter) words += QStringLiteral(" --paper-size letter");
  return words;
}

}  // namespace tactelier::gui

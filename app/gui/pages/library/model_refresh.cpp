#include "app/gui/pages/library/model_refresh.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/state/jobs.hpp"
#include "app/gui/state/notifications.hpp"
#include "app/gui/state/protocol_choice.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/widgets/save_dialog.hpp"
#include "app/workflow/refresh_model.hpp"
#include "fitting/refresh/refreshed_model.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier::gui {
namespace {

struct Written {
  QString words;
  Warnings warnings;
};

Result<Written> refreshInto(const QString& model, const QString& recording, const QString& target,
                            const Job& job) {
  const auto earlier = read_model(model.toStdString());
  if (!earlier) return fail(earlier.error());
  auto found = refresh_model(*earlier, recording.toStdString(), {}, job);
  if (!found) return fail(found.error());
  if (auto done = write_model(found->model, target.toStdString()); !done) return fail(done.error());
  return Written{text(refresh::words_of(found->changes)), std::move(found->warnings)};
}

}  // namespace

ModelRefresh::ModelRefresh(AppState& state, QWidget* parent) : QWidget(parent), state_(state) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  look_ = new QPushButton(tr("Look for changes"), this);
  look_->setObjectName(QStringLiteral("lookForChanges"));
  look_->setToolTip(
      tr("Takes this model to the Session page: some dozens of presses show which gains have moved "
         "since.\ntactelier record --refresh MODEL"));
  refresh_ = new QPushButton(this);
  refresh_->setObjectName(QStringLiteral("refreshModel"));
  row->addWidget(look_);
  row->addWidget(refresh_);
  column->addLayout(row);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("refreshWords"));
  words_->setTextFormat(Qt::PlainText);
  words_->setWordWrap(true);
  words_->setProperty("look", "caption");
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  setRunning(0);
  connect(look_, &QPushButton::clicked, this, &ModelRefresh::look);
  connect(refresh_, &QPushButton::clicked, this, &ModelRefresh::ask);
}

void ModelRefresh::show(const QString& model) {
  setVisible(!model.isEmpty());
  words_->setVisible(!model.isEmpty());
  model_ = model;
  words_->setText(said_.value(model));
}

QWidget* ModelRefresh::words() const { return words_; }

void ModelRefresh::look() {
  state_.protocol().choose({{}, {}, 0, model_});
  emit recordWanted();
}

void ModelRefresh::setRunning(int job) {
  job_ = job;
  refresh_->setText(job != 0 ? tr("Cancel refresh") : tr("Refresh…"));
  refresh_->setToolTip(
      tr("Takes over from a recording which gains have moved since; all else of the model stays.\n"
         "tactelier refresh MODEL RECORDING -o FILE"));
}

/// Of a model, which need not be the one that is shown.
void ModelRefresh::say(const QString& model, const QString& words) {
  said_.insert(model, words);
  if (model == model_) words_->setText(words);
}

void ModelRefresh::ask() {
  if (job_ != 0) return state_.jobs().cancel(job_);
  auto* dialog = new QFileDialog(this, tr("Which recording shows how the sensor is now?"),
                                 QFileInfo(model_).path(), tr("Recordings (*.tact)"));
  dialog->setObjectName(QStringLiteral("refreshRecording"));
  dialog->setOption(QFileDialog::DontUseNativeDialog);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  const auto save = [this](const QString& recording) {
    const QFileInfo model(model_);
    askWhereToSave(
        this,
        {tr("Save the refreshed model"),
         QStringLiteral("%1/%2-refreshed.json").arg(model.path(), model.completeBaseName()),
         tr("Sensor models (*.json)"), QStringLiteral("json")},
        [this, recording](const QString& target) { run(recording, target); });
  };
  // Once the first dialog has gone.
  connect(dialog, &QFileDialog::fileSelected, this, save, Qt::QueuedConnection);
  dialog->open();
}

void ModelRefresh::run(const QString& recording, const QString& target) {
  const auto model = model_;
  say(model, tr("Looking for changes …"));
  setRunning(state_.jobs().run<Written>(
      tr("Refresh %1").arg(QFileInfo(model).fileName()), Lane::kWork, this,
      [model, recording, target](const Job& job) {
        return refreshInto(model, recording, target, job);
      },
      [this, model, target](Result<Written> done) {
        setRunning(0);
        say(model, {});
        if (done) {
          QStringList lines{done->words};
          for (const auto& warning : done->warnings) lines << text(warning.text);
          say(model, lines.join(QLatin1Char('\n')));
          state_.notifications().status(tr("Written: %1").arg(target));
          emit written(target);
        } else if (done.error().code == ErrorCode::kCancelled) {
          state_.notifications().status(tr("Cancelled: no model was written."));
        } else {
          state_.notifications().notify(Message::Level::kBad, text(done.error().message),
                                        tr("No model was written."),
                                        tr("Choose a recording of the model's own sensor."));
        }
      }));
}

}  // namespace tactelier::gui

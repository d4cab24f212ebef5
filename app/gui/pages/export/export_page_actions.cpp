// What the Export page shows of its draft, and writing the file.

#include <QFileInfo>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QStackedLayout>

#include "app/gui/item_models/format_model.hpp"
#include "app/gui/pages/export/assume_panel.hpp"
#include "app/gui/pages/export/draw_choice.hpp"
#include "app/gui/pages/export/export_draft.hpp"
#include "app/gui/pages/export/export_page.hpp"
#include "app/gui/pages/export/export_proof.hpp"
#include "app/gui/pages/export/file_preview.hpp"
#include "app/gui/pages/export/loss_panel.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/widgets/save_dialog.hpp"
#include "reports/verify/verify_script.hpp"

namespace tactelier::gui {
namespace {

QString fileFilter(const Exporter& format) {
  return QStringLiteral("%1 (*%2)")
      .arg(text(format.title()).remove('(').remove(')'), text(format.extension()));
}

/// The main file under the name that is proposed for it, then those beside it.
std::vector<PreviewedFile> previewedFiles(const FormatPreview& preview, const QString& main_name,
                                          const std::vector<Sidecar>& proof) {
  std::vector<PreviewedFile> files;
  if (!preview.exported) return files;
  files.push_back({main_name, text(preview.exported->text)});
  for (const auto& sidecar : preview.exported->sidecars)
    files.push_back({text(sidecar.name), text(sidecar.text)});
  for (const auto& file : proof) files.push_back({text(file.name), text(file.text)});
  return files;
}

}  // namespace

void ExportPage::follow() {
  showHeader();
  stack_->setCurrentWidget(state().model() == nullptr ? empty_ : panels_);
  proof_->follow(draft_->previews());
  formats_->setPreviews(draft_->previews());
  if (!list_->currentIndex().isValid() && formats_->rowCount() > 0) {
    const int row = formats_->rowOf(wanted_);
    list_->setCurrentIndex(formats_->index(std::max(row, 0)));
  }
  showFormat();
}

void ExportPage::showHeader() {
  if (state().model() == nullptr) {
    setHeaderState(tr("no model"));
    return;
  }
  const auto file = QFileInfo(state().modelDocument().file()).fileName();
  auto words = file.isEmpty() ? tr("model not saved yet") : file;
  if (state().modelDocument().outdated()) words += tr(" · fitted before the last edit");
  setHeaderState(words);
}

const FormatPreview* ExportPage::chosen() const {
  return formats_->format(list_->currentIndex().row());
}

void ExportPage::showFormat() {
  const auto* preview = chosen();
  const bool ready = preview != nullptr && preview->exported && !draft_->pending();
  export_->setEnabled(ready);
  const int draws = draws_->draws().count;
  const auto what = preview == nullptr ? QString() : text(preview->format->id());
  export_->setText(preview == nullptr ? tr("Export…")
                                      : tr("Export %1…  %2")
                                            .arg(draws > 0 ? tr("%n draws", nullptr, draws) : what,
                                                 actions().exportModel->shortcut().toString(
                                                     QKeySequence::NativeText)));
  export_->setToolTip(preview == nullptr   ? actions().exportModel->toolTip()
                      : !preview->exported ? text(preview->exported.error().message)
                                           : tr("Asks where, then writes what the preview shows.\n"
                                                "tactelier export MODEL --to %1 -o FILE%2")
                                                 .arg(what, draws_->asOptions()));
  const int all = formats_->rowCount();
  formats_panel_->setCaption(all == 0 ? QString() : QString::number(all));
  const int refused = formats_->count(FormatModel::kRefused);
  const int lacking = formats_->count(FormatModel::kMissing);
  auto words = tr("%1 of %2 formats can be written").arg(all - refused).arg(all);
  if (lacking > 0) words += tr("; in %n of them values are missing or assumed", nullptr, lacking);
  count_->setText(words + (draws > 0
                               ? tr(". Shown is the model as fitted; what is written is drawn "
                                    "around it.")
                               : tr(". The same bytes as “tactelier export”.")));
  if (preview == nullptr) {
    preview_->showFiles({});
    loss_->clear();
  } else {
    preview_->showFiles(previewedFiles(*preview, QFileInfo(proposedFile()).fileName(),
                                       proof_->files(preview->format->id())));
    loss_->show(*preview, draft_->previews()->model);
  }
  assume_->setMissing(loss_->missing());
  showProof(preview, ready);
}

void ExportPage::showProof(const FormatPreview* preview, bool ready) {
  using Place = ExportProof::Place;
  const auto id = preview == nullptr ? std::string_view() : preview->format->id();
  const auto place = ExportProof::place(id);
  verify_->setEnabled(ready && place != Place::kNowhere && !proof_->running());
  verify_->setText(place == Place::kElsewhere ? tr("Add %1").arg(text(verify_script_name(id)))
                   : proof_->running()        ? tr("Verifying…")
                                              : tr("Verify"));
  verify_->setToolTip(
      place == Place::kHere ? tr("Presses the exported pad again and adds the verification record "
                                 "to the files.\ntactelier verify-export MODEL --to %1 --record "
                                 "FILE")
                                  .arg(text(id))
      : place == Place::kElsewhere
          ? tr("This simulator is not here: adds a script to the files that presses the pad where "
               "it is.\ntactelier verify-export MODEL --to %1 --script FILE")
                .arg(text(id))
          : tr("Nothing presses a pad of this format again: MuJoCo does here, scripts do for some "
               "others elsewhere."));
}

QString ExportPage::proposedFile() const {
  const auto* preview = chosen();
  QFileInfo model(state().modelDocument().file());
  if (state().modelDocument().file().isEmpty() && state().recording() != nullptr)
    model.setFile(state().recording()->recording()->path());
  const auto folder =
      model.filePath().isEmpty() ? state().files().libraryFolder() : model.absolutePath();
  const auto base = model.completeBaseName().isEmpty() ? tr("sensor") : model.completeBaseName();
  // The model's own format would lie on top of the model.
  const auto extension = preview == nullptr ? QString() : text(preview->format->extension());
  const bool same = extension == QLatin1Char('.') + model.suffix();
  return folder + '/' + base + (same ? QStringLiteral("_export") : QString()) + extension;
}

void ExportPage::askSave() {
  const auto* preview = chosen();
  if (preview == nullptr || !export_->isEnabled()) return;
  SaveQuestion question;
  question.title = tr("Export %1").arg(text(preview->format->title()));
  question.proposal = proposedFile();
  question.filter = fileFilter(*preview->format);
  question.suffix = text(preview->format->extension()).mid(1);
  // What was looked at is written, whatever a fit brings while the dialog is open.
  askWhereToSave(this, question,
                 [this, keep = draft_->previews(), preview,
                  proof = proof_->files(preview->format->id())](const QString& file) {
                   Q_UNUSED(keep);
                   if (draws_->draws().count > 0)
                     saveDraws(file, *preview);
                   else
                     save(file, *preview, proof);
                 });
}

void ExportPage::save(const QString& file, const FormatPreview& preview,
                      std::vector<Sidecar> proof) {
  using Written = std::vector<std::filesystem::path>;
  const bool replace = QFileInfo::exists(file);  // the dialog has asked
  auto exported = *preview.exported;
  std::move(proof.begin(), proof.end(), std::back_inserter(exported.sidecars));
  state().jobs().run<Written>(
      tr("Export %1").arg(QFileInfo(file).fileName()), Lane::kOrdered, this,
      [file, replace, exported = std::move(exported)](const Job&) {
        return write_export(exported, file.toStdString(), replace);
      },
      [this, file, title = text(preview.format->title()),
       left_out = static_cast<int>(preview.exported->losses.size())](Result<Written> written) {
        if (!written) return sayNotWritten(written.error());
        const auto rest = left_out == 0 ? tr("nothing was left out")
                                        : tr("%n values were left out", nullptr, left_out);
        const int beside = static_cast<int>(written->size()) - 1;
        const auto more = beside == 0 ? QString() : tr(" and %n files beside it", nullptr, beside);
        state().notifications().notify(Message::Level::kInfo, tr("Exported %1%2").arg(file, more),
                                       tr("%1; %2.").arg(title, rest), {});
      });
}

void ExportPage::sayNotWritten(const Error& error) {
  state().notifications().notify(
      Message::Level::kBad, text(error.message),
      tr("Nothing half-written was left; a file of that name is as it was."),
      tr("Choose another folder, then export again."));
}

/// Beside each other: FILE_1, FILE_2 ... None of them replaces a file.
void ExportPage::saveDraws(const QString& file, const FormatPreview& preview) {
  using Written = std::vector<std::filesystem::path>;
  ExportRequest request;
  request.format = preview.format->id();
  for (const auto& assumption : draft_->assumptions())
    request.assumptions.push_back(assumption.assignment());
  const auto draws = draws_->draws();
  state().jobs().run<Written>(
      tr("Export %n draws", nullptr, draws.count), Lane::kOrdered, this,
      [model = *draft_->model(), request, draws, file](const Job& job) -> Result<Written> {
        const auto drawn = export_draws(model, request, draws, file.toStdString(), job);
        if (!drawn) return fail(drawn.error());
        return write_draws(*drawn, false);
      },
      [this, draws](Result<Written> written) {
        if (!written && written.error().code == ErrorCode::kCancelled)
          return state().notifications().status(tr("Cancelled: no draw was written."));
        if (!written) return sayNotWritten(written.error());
        state().notifications().notify(
            Message::Level::kInfo,
            tr("Exported %n draws, the first to %1", nullptr, draws.count)
                .arg(text(written->front().string())),
            tr("Drawn from the fit's covariance with seed %1.").arg(draws.seed), {});
      });
}

bool ExportPage::takes(QAction* action) {
  if (action != actions().exportModel) return false;
  askSave();
  return true;
}

QString ExportPage::asCommand() const {
  const auto* preview = chosen();
  if (preview == nullptr) return {};
  const auto command = draft_->command(std::string(preview->format->id()), proposedFile());
  return command.isEmpty() ? command : command + draws_->asOptions();
}

QString ExportPage::whyNoCommand() const {
  if (state().model() == nullptr) return tr("There is no model to export.");
  return tr("The command line reads a file: save the model first (Ctrl+S).");
}

}  // namespace tactelier::gui

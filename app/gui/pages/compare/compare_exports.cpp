#include "app/gui/pages/compare/compare_exports.hpp"

#include <QAction>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>

#include "app/gui/pages/compare/image_triptych.hpp"
#include "app/gui/pages/compare/triptych_picture.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/widgets/as_table.hpp"
#include "app/gui/widgets/save_dialog.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::gui {
namespace {

/// Empty where the tables have a dash: a spreadsheet takes that for a word.
QByteArray csvOf(const Table& table) {
  TableContent content;
  for (const auto& column : table.columns) content.columns << text(column);
  for (const auto& row : table.rows) {
    QStringList cells;
    for (const auto& cell : row) cells << (cell == "-" ? QString() : text(cell));
    content.rows.push_back(cells);
  }
  return content.toCsv().toUtf8();
}

}  // namespace

CompareExports::CompareExports(AppState& state, Actions& actions, ImageTriptych* images,
                               QWidget* page)
    : QObject(page), state_(state), images_(images), page_(page) {
  action_ = new QAction(tr("Save"), this);
  menu_ = new QMenu(page);
  menu_->setToolTipsVisible(true);
  const auto add = [this](const QString& words, const char* name, const QString& tip, auto does) {
    auto* entry = menu_->addAction(words);
    entry->setObjectName(QLatin1String(name));
    entry->setToolTip(tip);
    connect(entry, &QAction::triggered, this, does);
    return entry;
  };
  copy_ = add(tr("Copy &image"), "compareCopyImage",
              tr("Puts the three images on the clipboard, with what they are of."),
              [this] { copyImage(); });
  save_images_ = add(tr("Save &images…"), "compareSaveImages",
                     tr("The three images as PNG, PDF or SVG, or their numbers by tactel as CSV.\n"
                        "tactelier compare --images FOLDER keeps those of all presses"),
                     [this] { askSaveImages(); });
  save_figures_ = add(tr("Save &figures…"), "compareSaveFigures",
                      tr("Medians with their spread, by method and stratum, as CSV.\n"
                         "tactelier compare --json"),
                      [this] {
                        askSaveTable(QStringLiteral("figures"), tr("Save the figures"),
                                     comparison_->content.figures);
                      });
  save_by_image_ =
      add(tr("Save figures &by image…"), "compareSaveByImage",
          tr("The figures of each image press, as CSV.\ntactelier compare --json"), [this] {
            askSaveTable(QStringLiteral("images"), tr("Save the figures by image"),
                         comparison_->content.images);
          });
  menu_->addSeparator();
  menu_->addAction(actions.copyAsCommand);
  setShown(nullptr, {});
}

void CompareExports::setShown(const ComparisonPtr& comparison, const QStringList& lines) {
  comparison_ = comparison;
  lines_ = lines;
  const bool any = comparison != nullptr, image = any && !lines.isEmpty();
  copy_->setEnabled(image);
  save_images_->setEnabled(image);
  save_figures_->setEnabled(any);
  save_by_image_->setEnabled(any);
  action_->setToolTip(any ? tr("Images and figures, to the clipboard or to files; the command line "
                               "that does the same")
                          : tr("Images and figures: there is no comparison yet."));
}

void CompareExports::copyImage() {
  QGuiApplication::clipboard()->setImage(triptychImage(*images_, lines_));
  state_.notifications().status(tr("Copied: %1").arg(lines_.last()));
}

QString CompareExports::proposed(const QString& what, const QString& suffix) const {
  const auto* document = state_.recording();
  const QFileInfo recording(document != nullptr ? document->recording()->path() : QString());
  return QStringLiteral("%1/%2_%3.%4")
      .arg(recording.absolutePath(), recording.completeBaseName(), what, suffix);
}

void CompareExports::askSaveImages() {
  SaveQuestion question;
  question.title = tr("Save the images");
  question.proposal = proposed(QStringLiteral("compared"), QStringLiteral("png"));
  question.filter = tr("Picture (*.png);;Page (*.pdf);;Drawing (*.svg);;Numbers by tactel (*.csv)");
  question.suffix = QStringLiteral("png");
  askWhereToSave(page_, question, [this](const QString& file) {
    if (comparison_ == nullptr || lines_.isEmpty()) return;
    const auto suffix = QFileInfo(file).suffix().toLower();
    write(file, suffix == QLatin1String("csv") ? triptychValues(*images_, comparison_->sensor)
                                               : triptychFile(*images_, lines_, suffix));
  });
}

void CompareExports::askSaveTable(const QString& what, const QString& title, const Table& table) {
  SaveQuestion question;
  question.title = title;
  question.proposal = proposed(what, QStringLiteral("csv"));
  question.filter = tr("Table (*.csv)");
  question.suffix = QStringLiteral("csv");
  askWhereToSave(page_, question,
                 [this, bytes = csvOf(table)](const QString& file) { write(file, bytes); });
}

void CompareExports::write(const QString& file, const QByteArray& bytes) {
  const auto written = write_text_file(file.toStdString(), bytes.toStdString());
  if (!written)
    state_.notifications().notify(Message::Level::kBad, text(written.error().message),
                                  tr("Nothing half-written was left."),
                                  tr("Choose another folder, then save again."));
  else
    state_.notifications().notify(Message::Level::kInfo, tr("Saved %1").arg(file), {}, {});
}

}  // namespace tactelier::gui

#include "app/gui/pages/report/report_page.hpp"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QStackedLayout>
#include <QToolButton>

#include "app/gui/pages/report/page_preview.hpp"
#include "app/gui/pages/report/report_draft.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/widgets/empty_panel.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/gui/widgets/print_dialog.hpp"
#include "app/gui/widgets/save_dialog.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::gui {
namespace {

constexpr double kPoints_per_inch = 72;

}  // namespace

ReportPage::ReportPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Report"), parent), draft_(new ReportDraft(context.state, this)) {
  addHeaderAction(context.actions.openModel, QStringLiteral("folder"));
  addHeaderAction(context.actions.saveModel, QStringLiteral("save"));
  auto* box = new QWidget(this);
  stack_ = new QStackedLayout(box);
  empty_ = buildEmpty();
  panels_ = buildPanels();
  stack_->addWidget(empty_);
  stack_->addWidget(panels_);
  body()->addWidget(box, 1);
  connect(draft_, &ReportDraft::changed, this, &ReportPage::follow);
  connect(preview_, &PagePreview::turned, this, &ReportPage::follow);
  follow();
}

QWidget* ReportPage::buildEmpty() {
  return emptyPanel(tr("Nothing to report yet"),
                    tr("Here a sensor model becomes a report to file.\n"
                       "Fit a recording, or open a sensor model."),
                    QStringLiteral("reportEmpty"),
                    {{actions().openModel, QStringLiteral("folder")},
                     {actions().openExample, QStringLiteral("play")}},
                    this);
}

QWidget* ReportPage::buildPanels() {
  panel_ = new Panel(tr("Preview"), this);
  panel_->setBodyMargins(0);
  preview_ = new PagePreview(panel_);
  panel_->body()->addWidget(preview_, 1);
  auto* foot = new QWidget(panel_);
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(12, 8, 12, 8);
  row->setSpacing(8);
  const auto turn = [&](const QString& icon, const QString& name, int by) {
    auto* button = new QToolButton(foot);
    setThemedIcon(button, icon);
    button->setAccessibleName(name);
    button->setToolTip(name);
    connect(button, &QToolButton::clicked, this,
            [this, by] { preview_->turnTo(preview_->page() + by); });
    return button;
  };
  before_ = turn(QStringLiteral("left"), tr("Page before"), -1);
  after_ = turn(QStringLiteral("right"), tr("Next page"), 1);
  wide_ = new QToolButton(foot);
  wide_->setObjectName(QStringLiteral("reportWide"));
  wide_->setProperty("look", "segment");
  wide_->setProperty("edge", "only");
  wide_->setText(tr("Page width"));
  wide_->setCheckable(true);
  wide_->setToolTip(tr("As wide as fits, to be read; arrow keys and wheel move the page."));
  connect(wide_, &QToolButton::toggled, preview_, &PagePreview::setWide);
  words_ = new QLabel(foot);
  words_->setObjectName(QStringLiteral("reportPage"));
  beside_ = new QPushButton(foot);
  beside_->setObjectName(QStringLiteral("reportBeside"));
  beside_->setToolTip(
      tr("Other models of this sensor, to see what changed, and verification "
         "records of its exports"));
  beside_->setMenu(new QMenu(beside_));
  connect(beside_->menu(), &QMenu::aboutToShow, this, &ReportPage::fillBesideMenu);
  paper_ = new QComboBox(foot);
  paper_->setObjectName(QStringLiteral("paperSize"));
  paper_->setAccessibleName(tr("Paper size"));
  paper_->addItems({tr("A4"), tr("Letter")});
  save_pdf_ = new QPushButton(tr("Save PDF…"), foot);
  save_pdf_->setObjectName(QStringLiteral("savePdf"));
  setThemedIcon(save_pdf_, QStringLiteral("save"));
  save_html_ = new QPushButton(tr("Save HTML…"), foot);
  save_html_->setObjectName(QStringLiteral("saveHtml"));
  setThemedIcon(save_html_, QStringLiteral("save"));
  print_ = new QPushButton(tr("Print…"), foot);
  print_->setObjectName(QStringLiteral("printReport"));
  print_->setToolTip(tr("The pages of the preview, onto paper."));
  connect(print_, &QPushButton::clicked, this, &ReportPage::askPrint);
  for (QWidget* part : std::initializer_list<QWidget*>{before_, words_, after_, wide_})
    row->addWidget(part);
  row->addStretch(1);
  for (QWidget* part :
       std::initializer_list<QWidget*>{beside_, paper_, print_, save_pdf_, save_html_})
    row->addWidget(part);
  panel_->body()->addWidget(foot);
  connect(paper_, &QComboBox::currentIndexChanged, this, [this](int index) {
    draft_->setPaper(index == 1 ? PaperSize::kLetter : PaperSize::kA4);
  });
  connect(save_pdf_, &QPushButton::clicked, this,
          [this] { askSave(QStringLiteral("pdf"), tr("PDF")); });
  connect(save_html_, &QPushButton::clicked, this,
          [this] { askSave(QStringLiteral("html"), tr("HTML")); });
  return panel_;
}

void ReportPage::follow() {
  const auto model = state().model();
  stack_->setCurrentWidget(model == nullptr ? empty_ : panels_);
  const auto file = QFileInfo(state().modelDocument().file()).fileName();
  setHeaderState(model == nullptr ? tr("no model")
                 : file.isEmpty() ? tr("model not saved yet")
                                  : file);
  const auto& report = draft_->report();
  auto words = draft_->pending() ? tr("Preparing the report…") : draft_->problem();
  if (words.isEmpty() && report != nullptr && !report->pages)
    words = text(report->pages.error().message);
  if (sender() != preview_) preview_->showReport(report, words);
  const int pages = preview_->pages();
  words_->setText(pages == 0 ? QString()
                             : tr("Page %1 of %2").arg(preview_->page() + 1).arg(pages));
  before_->setEnabled(preview_->page() > 0);
  after_->setEnabled(preview_->page() + 1 < pages);
  const bool ready = report != nullptr && !draft_->pending();
  save_html_->setEnabled(ready);
  save_pdf_->setEnabled(ready && report->pages);
  print_->setEnabled(ready && report->pages);
  const auto others = static_cast<int>(draft_->beside().size());
  beside_->setText(others == 0 ? tr("Beside it…") : tr("Beside it: %n files", nullptr, others));
  const auto sessions = static_cast<int>(draft_->sessions().size());
  panel_->setCaption(draft_->pending() ? tr("preparing…")
                     : sessions == 0   ? tr("without recordings: open those of the fit to see data")
                                       : tr("with %n recordings", nullptr, sessions));
}

QString ReportPage::proposedFile(const QString& suffix) const {
  QFileInfo model(state().modelDocument().file());
  if (state().modelDocument().file().isEmpty() && state().recording() != nullptr)
    model.setFile(state().recording()->recording()->path());
  const auto folder =
      model.filePath().isEmpty() ? state().files().libraryFolder() : model.absolutePath();
  const auto base = model.completeBaseName().isEmpty() ? tr("sensor") : model.completeBaseName();
  return folder + '/' + base + QStringLiteral("_report.") + suffix;
}

void ReportPage::askSave(const QString& suffix, const QString& kind) {
  SaveQuestion question;
  question.title = tr("Save the report as %1").arg(kind);
  question.proposal = proposedFile(suffix);
  question.filter = QStringLiteral("%1 (*.%2)").arg(kind, suffix);
  question.suffix = suffix;
  askWhereToSave(this, question, [this](const QString& file) { save(file); });
}

void ReportPage::save(const QString& file) {
  const auto report = draft_->report();
  if (report == nullptr) return;
  state().jobs().run<void>(
      tr("Save %1").arg(QFileInfo(file).fileName()), Lane::kOrdered, this,
      [file, report, paper = draft_->paper()](const Job&) -> Result<void> {
        const auto bytes = report_bytes(report->made.document, file.toStdString(), paper);
        if (!bytes) return fail(bytes.error());
        return write_text_file(file.toStdString(), *bytes);
      },
      [this, file](const Result<void>& written) {
        if (!written)
          state().notifications().notify(Message::Level::kBad, text(written.error().message),
                                         tr("Nothing half-written was left."),
                                         tr("Choose another folder, then save again."));
        else
          state().notifications().notify(Message::Level::kInfo, tr("Saved %1").arg(file), {}, {});
      });
}

void ReportPage::askPrint() {
  const auto report = draft_->report();
  if (report == nullptr || !report->pages) return;
  askToPrint(
      this, tr("Print the report"), report->pages->count(),
      [this, report](std::shared_ptr<QPrinter> printer) { print(report, std::move(printer)); });
}

void ReportPage::print(const std::shared_ptr<const DraftedReport>& report,
                       std::shared_ptr<QPrinter> printer) {
  state().jobs().run<void>(
      tr("Print the report"), Lane::kOrdered, this,
      [report, printer = std::move(printer)](const Job&) -> Result<void> {
        const auto page = [&](int number, int dpi) {
          return imageOf(report->pages->image(number, dpi / kPoints_per_inch));
        };
        if (!printPages(*printer, report->pages->count(), page))
          return fail(ErrorCode::kIo, "the printer takes nothing");
        return {};
      },
      [this](const Result<void>& printed) {
        if (!printed)
          state().notifications().notify(Message::Level::kBad, text(printed.error().message), {},
                                         tr("Choose another printer, or save the PDF."));
        else
          state().notifications().status(tr("The report is printed."));
      });
}

void ReportPage::fillBesideMenu() {
  auto* menu = beside_->menu();
  menu->clear();
  menu->addAction(tr("Add models or verification records…"), this, &ReportPage::askBeside);
  if (!draft_->beside().empty()) menu->addSeparator();
  for (const auto& file : draft_->beside())
    menu->addAction(tr("Leave out %1").arg(QString::fromStdString(file.filename().string())), this,
                    [this, file] { draft_->removeBeside(file); });
}

void ReportPage::askBeside() {
  const auto model = state().modelDocument().file();
  auto* dialog = new QFileDialog(
      this, tr("Add models or verification records"),
      model.isEmpty() ? state().files().libraryFolder() : QFileInfo(model).absolutePath(),
      tr("Models and verification records (*.json *.xml)"));
  dialog->setObjectName(QStringLiteral("besideDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  dialog->setOption(QFileDialog::DontUseNativeDialog);  // STOP keys work in it
  connect(dialog, &QFileDialog::filesSelected, draft_, &ReportDraft::addBeside);
  dialog->open();
}

void ReportPage::showEvent(QShowEvent* event) {
  draft_->setShown(true);
  Page::showEvent(event);
}

void ReportPage::hideEvent(QHideEvent* event) {
  draft_->setShown(false);
  Page::hideEvent(event);
}

QWidget* ReportPage::firstFocus() {
  if (stack_->currentWidget() == empty_) return this;
  return preview_;
}

QString ReportPage::asCommand() const {
  if (state().model() == nullptr) return {};
  return draft_->command(proposedFile(QStringLiteral("pdf")));
}

QString ReportPage::whyNoCommand() const {
  if (state().model() == nullptr) return tr("There is no model to report.");
  return tr("The command line reads a file: save the model first (Ctrl+S).");
}

void ReportPage::saveState(QSettings& settings) const {
  settings.setValue(QStringLiteral("paper"), paper_->currentIndex());
  settings.setValue(QStringLiteral("wide"), wide_->isChecked());
}

void ReportPage::restoreState(QSettings& settings) {
  paper_->setCurrentIndex(settings.value(QStringLiteral("paper"), 0).toInt());
  wide_->setChecked(settings.value(QStringLiteral("wide")).toBool());
}

QString ReportPage::helpText() const {
  return tr(
      "<p>The open sensor model as a report to file: verdict, what the calibration is good for, "
      "the numbers with their uncertainty, data and fit of every stage, each tactel, the "
      "uncertainty budget, and where all of it comes from.</p>"
      "<p>The preview is the PDF's pages. Recordings that are open and belong to the sensor take "
      "part: those of the fit are drawn beside it, others are compared with the model as presses "
      "that the fit never saw, and shaped presses as real, predicted and difference. <b>Beside "
      "it</b> "
      "adds other models of the sensor (what changed, control charts) and verification records of "
      "exports.</p><p>The HTML file needs nothing else and reads on a phone.</p>"
      "<p><b>Page Up</b>, <b>Page Down</b>, <b>Home</b>, <b>End</b>: pages · <b>Page width</b>, "
      "then <b>Up</b>, <b>Down</b>: along a page · Edit › Copy as "
      "command gives the same bytes as a command line.</p>");
}

}  // namespace tactelier::gui

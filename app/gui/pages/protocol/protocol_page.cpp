#include "app/gui/pages/protocol/protocol_page.hpp"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QUndoGroup>
#include <QVBoxLayout>

#include "app/gui/pages/protocol/dry_run_panel.hpp"
#include "app/gui/pages/protocol/plan_plots.hpp"
#include "app/gui/pages/protocol/protocol_draft.hpp"
#include "app/gui/pages/protocol/step_panel.hpp"
#include "app/gui/pages/protocol/target_panel.hpp"
#include "app/gui/pages/protocol/template_panel.hpp"
#include "app/gui/pages/protocol/told_panel.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/shell_words.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/widgets/folding_columns.hpp"
#include "app/gui/widgets/save_dialog.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {
namespace {

constexpr auto kFirst = "standard";

QSplitter* stacked(Qt::Orientation orientation, const QList<QWidget*>& parts, QWidget* parent) {
  auto* split = new QSplitter(orientation, parent);
  split->setChildrenCollapsible(false);
  split->setHandleWidth(12);
  for (auto* part : parts) split->addWidget(part);
  return split;
}

}  // namespace

ProtocolPage::ProtocolPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Protocol"), parent),
      draft_(new ProtocolDraft(context.state, context.rig, this)) {
  const auto action = [this](const QString& words, const QString& tip, const QString& name) {
    auto* made = new QAction(words, this);
    made->setToolTip(tip);
    made->setObjectName(name);
    return made;
  };
  open_ = action(tr("Open…"), tr("A protocol file"), QStringLiteral("openProtocol"));
  save_ =
      action(tr("Save as…"), tr("The steps as a file of your own"), QStringLiteral("saveProtocol"));
  use_ = action(tr("Use in Session"), tr("What the Session page records next"),
                QStringLiteral("useProtocol"));
  kind_ = new Segmented(tr("What decides on the presses"), {tr("Steps"), tr("Targets")}, this);
  kind_->setObjectName(QStringLiteral("protocolKind"));
  addHeaderWidget(kind_);
  addHeaderAction(open_, QStringLiteral("folder"))->setObjectName(QStringLiteral("openButton"));
  addHeaderAction(save_, QStringLiteral("save"))->setObjectName(QStringLiteral("saveAsButton"));
  addHeaderAction(use_, QStringLiteral("right"), true)->setObjectName(QStringLiteral("useButton"));
  state().recordings().undoGroup().addStack(&draft_->undoStack());
  columns_ = new FoldingColumns(buildLeft(), buildCentre(), buildRight(), tr("Protocol"),
                                tr("Dry run"), this);
  columns_->setSizes({240, 620, 440}, {0, 3, 2});
  body()->addWidget(columns_, 1);
  connect(open_, &QAction::triggered, this, &ProtocolPage::askOpen);
  connect(save_, &QAction::triggered, this, [this] { askSave(false); });
  connect(use_, &QAction::triggered, this, &ProtocolPage::useInSession);
  connect(kind_, &Segmented::chosen, this, &ProtocolPage::showKind);
  connect(draft_, &ProtocolDraft::changedSteps, this, &ProtocolPage::refresh);
  connect(draft_, &ProtocolDraft::replanned, this, &ProtocolPage::showPictures);
  connect(draft_, &ProtocolDraft::rigChanged, this, &ProtocolPage::showAssumed);
  open(QString::fromLatin1(kFirst));
  connect(&state().protocol(), &ProtocolChoice::wantedMore, this, &ProtocolPage::addWanted);
  showAssumed();
  showKind();
}

QWidget* ProtocolPage::buildLeft() {
  templates_ = new TemplatePanel(state(), *draft_, this);
  auto* assumes = new Panel(tr("Dry run assumes"), this);
  assumed_ = new QLabel(assumes);
  assumed_->setObjectName(QStringLiteral("assumed"));
  assumed_->setWordWrap(true);
  assumed_->setTextFormat(Qt::RichText);
  assumes->body()->addWidget(assumed_);
  connect(templates_, &TemplatePanel::wanted, this, [this](const QString& name) {
    kind_->setCurrent(0);
    showKind();
    open(name);
  });
  auto* column = new QWidget(this);
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(12);
  layout->addWidget(templates_, 1);
  layout->addWidget(assumes);
  return column;
}

QWidget* ProtocolPage::buildCentre() {
  steps_ = new StepPanel(*draft_, this);
  auto* told = new ToldPanel(*draft_, this);
  connect(told, &ToldPanel::addWanted, this, &ProtocolPage::add);
  connect(steps_, &StepPanel::chosen, this, &ProtocolPage::showPictures);
  targets_ = new TargetPanel(state(), *draft_, this);
  connect(targets_, &TargetPanel::foreseen, this, &ProtocolPage::showPictures);
  auto* split = stacked(Qt::Vertical, {steps_, told}, this);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  centre_ = new QStackedWidget(this);
  centre_->addWidget(split);
  centre_->addWidget(targets_);
  return centre_;
}

QWidget* ProtocolPage::buildRight() {
  auto* path = new Panel(tr("Path over the array"), this);
  path_ = new PathPlot(path);
  path->body()->addWidget(new TableTwin(path_, path), 1);
  auto* force = new Panel(tr("Expected force"), this);
  force_ = new PlannedForcePlot(force);
  force->body()->addWidget(new TableTwin(force_, force), 1);
  auto* column = new QWidget(this);
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(12);
  layout->addWidget(path, 3);
  layout->addWidget(force, 2);
  dry_run_ = new DryRunPanel(*draft_, this);
  layout->addWidget(dry_run_);
  return column;
}

bool ProtocolPage::byTargets() const { return kind_->current() == 1; }

void ProtocolPage::showKind() {
  centre_->setCurrentIndex(kind_->current());
  dry_run_->setVisible(!byTargets());
  targets_->setShown(byTargets() && isVisible());
  save_->setEnabled(!byTargets());
  refresh();
  showPictures();
}

void ProtocolPage::showAssumed() {
  const auto setup = setup_for(draft_->rig(), bench_setup());
  const auto& pad = setup.expected;
  QString rows;
  const auto row = [&](const QString& what, const QString& value) {
    rows += QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>")
                .arg(what.toHtmlEscaped(), value.toHtmlEscaped());
  };
  row(tr("Rig"), draft_->onVirtualBench() ? tr("virtual bench") : text(draft_->rig().name));
  row(tr("Sensor"), text(draft_->sensor().model));
  row(tr("Indenter"),
      setup.indenter ? text(setup.indenter->indenter.describe()) : tr("the protocol's own"));
  if (setup.limits.max_force_N)
    row(tr("Force limit"), tr("%1 N").arg(QString::number(*setup.limits.max_force_N, 'g', 4)));
  if (setup.limits.max_depth_m)
    row(tr("Depth limit"),
        tr("%1 mm").arg(QString::number(1e3 * *setup.limits.max_depth_m, 'g', 3)));
  row(tr("Pad stiffness"), tr("%1 N/mm (%2 to %3)")
                               .arg(1e-3 * pad.punch_stiffness_N_per_m.value)
                               .arg(1e-3 * pad.punch_stiffness_N_per_m.low)
                               .arg(1e-3 * pad.punch_stiffness_N_per_m.high));
  assumed_->setText(QStringLiteral("<table cellspacing='2'>") + rows + QStringLiteral("</table>"));
  path_->setSensor(draft_->sensor());
}

void ProtocolPage::showPictures() {
  refresh();
  const auto sensor = draft_->sensor();
  if (byTargets()) {
    const auto& foresight = targets_->foresight();
    if (foresight == nullptr) return;
    std::vector<adaptive::PressThought> presses;
    for (const auto& [press, why] : foresight->first) presses.push_back(press);
    path_->setPresses(presses);
    force_->setPlan(foresight->begins, setup_for(draft_->rig(), bench_setup()), sensor);
    return;
  }
  const auto& planned = draft_->planned();
  if (planned == nullptr || draft_->pending()) return;
  const int step = steps_->current();
  path_->setPlan(planned->plan, step >= 0 ? std::optional(step + 1) : std::nullopt);
  force_->setPlan(planned->plan, planned->setup, sensor);
}

void ProtocolPage::refresh() {
  const auto source = draft_->isFile() ? QFileInfo(draft_->source()).fileName() : draft_->source();
  setHeaderState(byTargets()         ? tr("presses chosen while recording")
                 : draft_->changed() ? tr("%1 · changed, not saved").arg(source)
                                     : source);
  use_->setEnabled(byTargets() ? targets_->usable() : draft_->planned() != nullptr);
}

void ProtocolPage::open(const QString& name_or_file) {
  const auto load = [this, name_or_file] {
    const auto opened = draft_->open(name_or_file);
    if (!opened)
      state().notifications().notify(Message::Level::kBad, text(opened.error().message),
                                     tr("The protocol that was here stays."),
                                     tr("Mend the file, or choose another."));
    refresh();
  };
  if (!draft_->changed()) return load();
  auto* question =
      new QMessageBox(QMessageBox::Question, tr("Protocol"),
                      tr("The steps were changed and not saved. Open %1 instead of them?")
                          .arg(QFileInfo(name_or_file).fileName()),
                      QMessageBox::NoButton, this);
  question->setObjectName(QStringLiteral("discardProtocol"));
  question->setAttribute(Qt::WA_DeleteOnClose);
  auto* discard = question->addButton(tr("Discard the changes"), QMessageBox::DestructiveRole);
  question->addButton(tr("Keep them"), QMessageBox::RejectRole);
  connect(question, &QMessageBox::finished, this, [this, question, discard, load] {
    if (question->clickedButton() == discard) return load();
    emit draft_->changedSteps();  // the list marks what is here
  });
  question->open();
}

void ProtocolPage::askOpen() {
  auto* dialog = new QFileDialog(this, tr("Open a protocol"), state().files().libraryFolder(),
                                 tr("Protocols (*.json)"));
  dialog->setObjectName(QStringLiteral("openProtocolDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setOption(QFileDialog::DontUseNativeDialog);  // STOP keys work in it
  connect(dialog, &QFileDialog::fileSelected, this, &ProtocolPage::open);
  dialog->open();
}

void ProtocolPage::askSave(bool then_use) {
  if (!draft_->isFile()) QDir().mkpath(state().files().libraryFolder());
  SaveQuestion question;
  question.title = tr("Save the protocol");
  question.proposal =
      draft_->isFile()
          ? draft_->source()
          : QStringLiteral("%1/my-%2.json").arg(state().files().libraryFolder(), draft_->source());
  question.filter = tr("Protocols (*.json)");
  question.suffix = QStringLiteral("json");
  askWhereToSave(this, question, [this, then_use](const QString& file) {
    const auto saved = draft_->save(file);
    if (!saved)
      return state().notifications().notify(Message::Level::kBad, text(saved.error().message),
                                            tr("Nothing was written."),
                                            tr("Mend it, then save again."));
    state().notifications().status(tr("Saved %1").arg(file));
    if (then_use) useInSession();
  });
}

/// What is recorded has a name or a file that stands in the recording and on a command line.
void ProtocolPage::useInSession() {
  if (byTargets())
    state().protocol().choose(targets_->choice());
  else if (draft_->changed())
    return askSave(true);
  else
    state().protocol().choose({draft_->source(), {}, 0});
  goTo(QStringLiteral("session"));
}

void ProtocolPage::add(const QString& protocol) {
  kind_->setCurrent(0);
  showKind();
  const auto added = draft_->append(protocol);
  state().notifications().status(
      added ? tr("Added the steps of %1; Ctrl+Z takes them out again.").arg(protocol)
            : text(added.error().message));
}

/// What a number on another page asked for.
void ProtocolPage::addWanted() {
  if (const auto wanted = state().protocol().takeWanted(); !wanted.isEmpty()) add(wanted);
}

void ProtocolPage::takeUndo(bool take) {
  auto& group = state().recordings().undoGroup();
  auto* recording = state().recording();
  group.setActiveStack(take                   ? &draft_->undoStack()
                       : recording != nullptr ? recording->undoStack()
                                              : nullptr);
}

void ProtocolPage::showEvent(QShowEvent* event) {
  draft_->setShown(true);
  templates_->setShown(true);
  targets_->setShown(byTargets());
  takeUndo(true);
  Page::showEvent(event);
  addWanted();
}

void ProtocolPage::hideEvent(QHideEvent* event) {
  draft_->setShown(false);
  templates_->setShown(false);
  targets_->setShown(false);
  takeUndo(false);
  Page::hideEvent(event);
}

QWidget* ProtocolPage::firstFocus() {
  return byTargets() ? static_cast<QWidget*>(kind_) : steps_->table();
}

QString ProtocolPage::asCommand() const {
  if (byTargets()) {
    const auto choice = targets_->choice();
    if (choice.targets.isEmpty()) return {};
    return QStringLiteral(
               "tactelier record --until %1 --minutes %2 --devices devices.json --rig "
               "rig.json -o recording.tact")
        .arg(shellWord(choice.targets))
        .arg(choice.minutes);
  }
  if (draft_->changed()) return {};
  auto words =
      QStringLiteral("tactelier record --dry-run --protocol %1").arg(shellWord(draft_->source()));
  if (!draft_->onVirtualBench())
    words += QStringLiteral(" --devices %1 --rig %2")
                 .arg(shellWord(QString::fromStdString(rig().facts().place.devices.string())),
                      shellWord(QString::fromStdString(rig().facts().place.rig.string())));
  return words;
}

QString ProtocolPage::whyNoCommand() const {
  return byTargets() ? tr("Ask for at least one number.")
                     : tr("The command line reads a file: save the protocol first.");
}

void ProtocolPage::saveState(QSettings& settings) const {
  columns_->saveState(settings);
  settings.setValue(QStringLiteral("source"), draft_->source());
  settings.setValue(QStringLiteral("kind"), kind_->current());
}

void ProtocolPage::restoreState(QSettings& settings) {
  columns_->restoreState(settings);
  const auto source = settings.value(QStringLiteral("source")).toString();
  if (!source.isEmpty() && !draft_->open(source)) open(QString::fromLatin1(kFirst));
  kind_->setCurrent(settings.value(QStringLiteral("kind"), 0).toInt());
  showKind();
}

QString ProtocolPage::helpText() const {
  return tr(
      "<p>What is recorded, before anything moves. <b>Steps</b>: begin with a template, change "
      "it step by step; beside it where the tip will go, which force is expected, which numbers "
      "the fit will give and at which uncertainty, and which protocol to add for the others. "
      "<b>Targets</b>: say how well numbers are to be known; presses then choose themselves while "
      "they are recorded.</p>"
      "<p>Everything is worked out for the rig that is connected, else for the virtual bench. "
      "<i>Use in Session</i> hands it to the Session page; nothing moves.</p>"
      "<p><b>Alt+Up, Alt+Down</b> move a step · <b>Del</b> removes it · <b>Ctrl+Z</b> undoes</p>");
}

}  // namespace tactelier::gui

#include "app/gui/pages/fit/fit_page.hpp"
#include "app/gui/widgets/action_button.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "app/gui/pages/fit/data_panel.hpp"
#include "app/gui/pages/fit/fit_options.hpp"
#include "app/gui/pages/fit/map_panel.hpp"
#include "app/gui/pages/fit/result_panel.hpp"
#include "app/gui/pages/fit/stage_panel.hpp"
#include "app/gui/pages/fit/stage_plot.hpp"
#include "app/gui/pages/fit/tactel_notes.hpp"
#include "app/gui/pages/fit/verdict_strip.hpp"
#include "app/gui/pages/recording/press_panel.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/text/shell_words.hpp"
#include "app/gui/widgets/folding_columns.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"

namespace tactelier::gui {
namespace {

QSplitter* splitter(Qt::Orientation orientation, QWidget* parent) {
  auto* made = new QSplitter(orientation, parent);
  made->setHandleWidth(12);
  made->setChildrenCollapsible(false);
  return made;
}

}  // namespace

FitPage::FitPage(const PageContext& context, QWidget* parent) : Page(context, tr("Fit"), parent) {
  buildActions();
  stack_ = new QStackedWidget(this);
  body()->addWidget(stack_, 1);
  buildEmpty();
  buildColumns();
  connectState();
  stages_->chooseStage("response");
  refresh();
}

void FitPage::buildActions() {
  addHeaderAction(actions().undo, QStringLiteral("undo"));
  addHeaderAction(actions().excludePress, QStringLiteral("x"));
  options_ = new QAction(tr("Options…"), this);
  options_->setToolTip(
      tr("Hold-out, sensor description, seed, threads, what must be identified.\n"
         "tactelier fit --help"));
  connect(options_, &QAction::triggered, this, [this] {
    auto* dialog = new FitOptionsDialog(state().fit().choice(), this);
    dialog->open();
  });
  addHeaderAction(options_, QStringLiteral("settings"))
      ->setObjectName(QStringLiteral("fitOptionsButton"));
  compare_with_ = new QAction(tr("Compare with…"), this);
  compare_with_->setToolTip(
      tr("Lays another model's numbers beside these: an earlier calibration's, or another "
         "sensor's.\ntactelier diff OTHER MODEL"));
  connect(compare_with_, &QAction::triggered, this, &FitPage::askOther);
  addHeaderAction(compare_with_, QStringLiteral("compare"))
      ->setObjectName(QStringLiteral("compareWith"));
  open_report_ = new QAction(tr("Open &report"), this);
  open_report_->setObjectName(QStringLiteral("openReport"));
  open_report_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_P));
  open_report_->setToolTip(
      tr("Shows the model as a report to file.\n"
         "tactelier report MODEL SESSION -o FILE"));
  connect(open_report_, &QAction::triggered, this, [this] { goTo(QStringLiteral("report")); });
  addHeaderAction(open_report_, QStringLiteral("report"));
  addAction(open_report_);  // for its key
  addHeaderAction(actions().saveModel, QStringLiteral("save"), true);
}

void FitPage::askOther() {
  const auto model = state().modelDocument().file();
  auto* dialog = new QFileDialog(
      this, tr("Compare with another model"),
      model.isEmpty() ? state().files().libraryFolder() : QFileInfo(model).absolutePath(),
      tr("Sensor models (*.json)"));
  dialog->setObjectName(QStringLiteral("otherDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setOption(QFileDialog::DontUseNativeDialog);  // STOP keys work in it
  connect(dialog, &QFileDialog::fileSelected, results_, &ResultPanel::compareWith);
  dialog->open();
}

void FitPage::buildEmpty() {
  empty_ = new QWidget(stack_);
  auto* column = new QVBoxLayout(empty_);
  auto* words = new QLabel(tr("Add a recording, or finish a session."), empty_);
  words->setAlignment(Qt::AlignCenter);
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  row->addWidget(new ActionButton(actions().open, QStringLiteral("folder"), true, empty_));
  row->addWidget(new ActionButton(actions().openExample, QStringLiteral("session"), false, empty_));
  row->addStretch(1);
  column->addStretch(1);
  column->addWidget(words);
  column->addLayout(row);
  column->addStretch(2);
  stack_->addWidget(empty_);
}

QWidget* FitPage::buildLeft() {
  left_split_ = splitter(Qt::Vertical, this);
  left_split_->addWidget(new FitDataPanel(state(), actions(), left_split_));
  stages_ = new StagePanel(state(), actions(), left_split_);
  left_split_->addWidget(stages_);
  presses_ = new PressPanel(state(), left_split_, true);
  presses_->table()->setObjectName(QStringLiteral("fitPressTable"));
  left_split_->addWidget(presses_);
  left_split_->setSizes({130, 250, 280});
  left_split_->setStretchFactor(2, 1);
  return left_split_;
}

QWidget* FitPage::buildCentre() {
  centre_split_ = splitter(Qt::Vertical, this);
  plots_ = new QStackedWidget(centre_split_);
  auto* row = splitter(Qt::Horizontal, centre_split_);
  map_ = new MapPanel(state(), row);
  row->addWidget(map_);
  row->addWidget(new TactelNotes(state(), row));
  row->setSizes({550, 140});
  row->setStretchFactor(0, 1);
  centre_split_->addWidget(plots_);
  centre_split_->addWidget(row);
  sizePlots();
  connect(&theme(), &Theme::changed, this, &FitPage::sizePlots);
  centre_split_->setSizes({430, 220});
  centre_split_->setStretchFactor(0, 2);
  centre_split_->setStretchFactor(1, 1);
  return centre_split_;
}

/// Below that the page scrolls: curve and residuals in 200 px tell nothing.
void FitPage::sizePlots() { plots_->setMinimumHeight(theme().px(360)); }

void FitPage::buildColumns() {
  full_ = new QWidget(stack_);
  auto* column = new QVBoxLayout(full_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  verdict_ = new VerdictStrip(state(), full_);
  results_ = new ResultPanel(state(), this);
  columns_ =
      new FoldingColumns(buildLeft(), buildCentre(), results_, tr("Plots"), tr("Results"), full_);
  columns_->setSizes({232, 704, 372}, {0, 1, 0});
  column->addWidget(verdict_);
  column->addWidget(columns_, 1);
  stack_->addWidget(full_);
}

void FitPage::connectState() {
  auto& app = state();
  connect(&app.recordings(), &Recordings::listChanged, this, &FitPage::refresh);
  connect(&app.selection(), &Selection::recordingChanged, this, &FitPage::refresh);
  connect(&app.modelDocument(), &ModelDocument::changed, this, &FitPage::refresh);
  connect(&app.fit(), &FitRunner::started, this, &FitPage::refresh);
  connect(&app.fit(), &FitRunner::finished, this, &FitPage::refresh);
  connect(&app.fit().choice(), &FitChoice::changed, this, &FitPage::refresh);
  connect(&app.fit(), &FitRunner::started, this,
          [this] { offered_ = state().fit().request().sessions; });
  connect(&app.selection(), &Selection::pressChosen, this, &FitPage::followPress);
  connect(&app.selection(), &Selection::tactelChosen, this, &FitPage::refreshPlot);
  connect(&app.recordings(), &Recordings::pressChanged, this, &FitPage::refreshPlot);
  connect(&app.jobs(), &Jobs::changed, this, [this] {
    if (state().model() == nullptr && state().fit().running()) refreshPlot();
  });
  connect(stages_, &StagePanel::stageChosen, this, &FitPage::showStage);
  connect(results_, &ResultPanel::protocolWanted, this, [this](const QString& protocol) {
    goTo(QStringLiteral("protocol"));
    state().protocol().want(protocol);
  });
  connect(results_, &ResultPanel::recordingWanted, this, [this](const QString& protocol) {
    state().protocol().choose({protocol.toLower(), {}, 0});
    goTo(QStringLiteral("session"));
  });
  // The tactel cursor, wherever the focus is.
  const auto move = [this](Qt::Key key, int columns, int rows) {
    auto* shortcut = new QShortcut(QKeySequence(Qt::SHIFT | key), this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this,
            [this, columns, rows] { map_->map()->moveCursor(columns, rows); });
  };
  move(Qt::Key_Left, -1, 0);
  move(Qt::Key_Right, 1, 0);
  move(Qt::Key_Up, 0, 1);
  move(Qt::Key_Down, 0, -1);
}

void FitPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  refresh();
  // Everything that the data allow is already running. Once: after a cancel
  // nothing starts by itself.
  const auto request = state().fit().request();
  const bool news = !request.sessions.empty() && request.sessions != offered_;
  if (!news || state().model() != nullptr || state().fit().running()) return;
  offered_ = request.sessions;
  state().fit().run(request);
}

void FitPage::refresh() {
  const bool nothing = state().recordings().all().empty() && state().model() == nullptr;
  stack_->setCurrentWidget(nothing ? empty_ : full_);
  open_report_->setEnabled(state().model() != nullptr);
  compare_with_->setEnabled(state().model() != nullptr);
  showState();
  if (!state().selection().tactel()) followPress();
  if (!state().selection().tactel() && state().model() != nullptr)
    for (const auto& tactel : state().model()->response.tactels)
      if (tactel.press_gain.usable()) {
        state().selection().chooseTactel(tactel.index);
        break;
      }
  refreshPlot();
}

void FitPage::showState() {
  const auto all = state().recordings().all();
  if (all.empty()) {
    setHeaderState(state().model() != nullptr ? tr("a model without its recordings") : QString());
    return;
  }
  QStringList used;
  int presses = 0;
  for (const auto* document : all) {
    if (!state().fit().choice().uses(document)) continue;
    used << document->recording()->name();
    presses += document->usablePresses();
  }
  auto words = used.isEmpty() ? tr("no recording is chosen") : used.join(QStringLiteral(" + "));
  words += tr(" · %n presses", nullptr, presses);
  const auto* shown = state().recording();
  if (shown != nullptr && !state().fit().choice().uses(shown))
    words += tr(" · %1 is shown, not fitted").arg(shown->recording()->name());
  setHeaderState(words);
}

void FitPage::showStage() {
  const auto stage = stages_->chosenStage();
  if (stage.empty()) return;
  plot_ = nullptr;
  for (int i = 0; i < plots_->count(); ++i)
    if (auto* known = static_cast<StagePlot*>(plots_->widget(i)); known->stage() == stage)
      plot_ = known;
  if (plot_ == nullptr) {
    plot_ = makeStagePlot(stage, state(), plots_);
    plots_->addWidget(plot_);
  }
  plots_->setCurrentWidget(plot_);
  centre_split_->widget(1)->setVisible(plot_->wantsMap());
  refreshPlot();
}

/// A press that stands on a tactel brings that tactel with it.
void FitPage::followPress() {
  const auto* document = state().recording();
  const auto number = state().selection().press();
  const Press* press = document != nullptr && number ? document->press(*number) : nullptr;
  if (press != nullptr && press->tactel && press->tactel != state().selection().tactel())
    state().selection().chooseTactel(press->tactel);
  else
    refreshPlot();
}

void FitPage::refreshPlot() {
  if (plot_ != nullptr && isVisible()) plot_->refresh();
}

QWidget* FitPage::firstFocus() {
  if (stack_->currentWidget() == empty_) return empty_->findChild<QPushButton*>();
  return stages_->table();
}

QString FitPage::asCommand() const {
  const auto request = state().fit().request();
  if (request.sessions.empty()) return {};
  auto command = QStringLiteral("tactelier fit");
  for (const auto& session : request.sessions)
    command += QStringLiteral(" '%1'").arg(QString::fromStdString(session.string()));
  QStringList stages;
  for (const auto& stage : request.stages) stages << QString::fromStdString(stage);
  if (!stages.isEmpty()) command += QStringLiteral(" --stages ") + stages.join(QLatin1Char(','));
  const auto& settings = state().fit().choice().settings();
  if (settings.holdout > 0) command += QStringLiteral(" --holdout %1").arg(settings.holdout);
  if (settings.seed != FitSettings().seed)
    command += QStringLiteral(" --seed %1").arg(settings.seed);
  if (settings.threads != 0) command += QStringLiteral(" --threads %1").arg(settings.threads);
  if (!settings.sensor.empty())
    command += QStringLiteral(" --sensor %1").arg(shellWord(text(settings.sensor)));
  QStringList required;
  for (const auto& stage : settings.required) required << QString::fromStdString(stage);
  if (!required.isEmpty())
    command += QStringLiteral(" --require ") + required.join(QLatin1Char(','));
  const auto file = state().modelDocument().file();
  return command + QStringLiteral(" -o '%1'").arg(file.isEmpty() ? tr("model.json") : file);
}

void FitPage::saveState(QSettings& settings) const {
  columns_->saveState(settings);
  settings.setValue(QStringLiteral("left"), left_split_->saveState());
  settings.setValue(QStringLiteral("centre"), centre_split_->saveState());
  settings.setValue(QStringLiteral("stage"), QString::fromStdString(stages_->chosenStage()));
}

void FitPage::restoreState(QSettings& settings) {
  columns_->restoreState(settings);
  left_split_->restoreState(settings.value(QStringLiteral("left")).toByteArray());
  centre_split_->restoreState(settings.value(QStringLiteral("centre")).toByteArray());
  const auto stage = settings.value(QStringLiteral("stage")).toString().toStdString();
  if (!stage.empty()) stages_->chooseStage(stage);
}

QString FitPage::helpText() const {
  return tr(
      "<p>Turns the open recordings into a sensor model. The stages run one after the other; "
      "choose one to see the data behind its numbers with the fitted curve and the residuals. "
      "Every number stands with its expanded uncertainty (95 %); what the data don't determine "
      "says what to record.</p>"
      "<p>A press is left out with <b>X</b>, its check box, or a click on a point of the chosen "
      "press; the fit then repeats in the background and the last valid numbers stay readable. "
      "<i>Over time</i> shows the same readings over the recording's time, <i>Residual</i> in the "
      "map "
      "what each tactel's readings lie off its response.</p>"
      "<p><i>Compare with</i> lays another model's numbers beside these: ✓ within both "
      "uncertainties, ▲ beyond.</p>"
      "<p>The map chooses the tactel: click, arrow keys, or <b>Shift+arrows</b> from anywhere.</p>"
      "<p><b>Ctrl+R</b> fit · <b>X</b> exclude or include · <b>Ctrl+Z</b> undo · <b>Ctrl+S</b> "
      "save the model · <b>Return</b>, then arrows: values of a plot's points · "
      "<b>Ctrl+Shift+T</b> plot or map as a table</p>");
}

}  // namespace tactelier::gui

// Menus, file dialogs and what the shared actions do.

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <algorithm>

#include "app/gui/frame/help_dialog.hpp"
#include "app/gui/frame/main_window.hpp"
#include "app/gui/frame/message_bar.hpp"
#include "app/gui/frame/pages.hpp"
#include "app/gui/frame/rail.hpp"
#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/save_dialog.hpp"
#include "app/gui/widgets/table_twin.hpp"

namespace tactelier::gui {
namespace {

constexpr int kBarEdges = 10;  // of the menu bar, above and below its words

}  // namespace

void MainWindow::buildMenus() {
  auto& a = *actions_;
  auto* file = menuBar()->addMenu(tr("&File"));
  file->addActions({a.open, a.openModel, a.openFolder, a.openExample});
  auto* recent = file->addMenu(tr("Open &recent"));
  connect(recent, &QMenu::aboutToShow, this, [this, recent] {
    recent->clear();
    for (const auto& path : state_.files().recent())
      connect(recent->addAction(QFileInfo(path).fileName()), &QAction::triggered, this,
              [this, path] { state_.open(path); });
    if (recent->isEmpty()) recent->addAction(tr("Nothing yet"))->setEnabled(false);
  });
  file->addSeparator();
  file->addActions({a.importFolder, a.importTable});
  file->addSeparator();
  file->addActions({a.saveModel, a.exportModel});
  file->addSeparator();
  file->addActions({a.closeRecording, a.quit});
  auto* edit = menuBar()->addMenu(tr("&Edit"));
  edit->addActions({a.undo, a.redo});
  edit->addSeparator();
  edit->addActions({a.excludePress, a.fit, a.find});
  edit->addSeparator();
  edit->addAction(a.copyAsCommand);
  edit->addSeparator();
  edit->addAction(a.settings);
  auto* view = menuBar()->addMenu(tr("&View"));
  for (auto* action : QMainWindow::actions())
    if (action->objectName().startsWith(QStringLiteral("page_"))) view->addAction(action);
  view->addSeparator();
  view->addAction(a.asTable);
  view->addSeparator();
  view->addActions({a.lightDark, a.themeSystem, a.themeLight, a.themeDark});
  view->addSeparator();
  view->addActions({a.largeBanner, a.larger, a.smaller});
  auto* device = menuBar()->addMenu(tr("&Device"));
  device->addActions({a.virtualBench, a.connectAll});
  auto* session = menuBar()->addMenu(tr("&Session"));
  session->addActions({a.setUp, a.arm});
  session->addSeparator();
  session->addActions({a.pauseRun, a.repeatPress, a.skipPress, a.undoPress, a.finishRun});
  session->addSeparator();
  session->addActions({a.marker, a.note});
  session->addSeparator();
  session->addAction(a.disconnectRig);
  auto* help = menuBar()->addMenu(tr("&Help"));
  help->addActions({a.help, a.tour, a.welcome, a.eventLog, a.about});
  addAction(a.nextArea);
  document_name_ = new QLabel(this);
  document_name_->setProperty("look", "caption");
  document_name_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  document_name_->setContentsMargins(0, 0, 12, 0);
  document_name_->setObjectName(QStringLiteral("documentName"));
  menuBar()->setCornerWidget(document_name_);
  const auto height = [this] {  // of the bar: it lays its corner at the top
    document_name_->setMinimumHeight(menuBar()->fontMetrics().height() + kBarEdges);
  };
  height();
  connect(&theme(), &Theme::changed, this, height);
}

void MainWindow::connectFileActions() {
  auto& a = *actions_;
  connect(a.open, &QAction::triggered, this, &MainWindow::askOpen);
  connect(a.openModel, &QAction::triggered, this, &MainWindow::askOpenModel);
  connect(a.openFolder, &QAction::triggered, this, &MainWindow::askOpenFolder);
  connect(a.openExample, &QAction::triggered, &state_.recordings(), &Recordings::openExample);
  connect(a.importFolder, &QAction::triggered, this, &MainWindow::askImportFolder);
  connect(a.importTable, &QAction::triggered, this, &MainWindow::askImportTable);
  connect(a.saveModel, &QAction::triggered, this, &MainWindow::askSaveModel);
  connect(a.exportModel, &QAction::triggered, this, [this, &a] {
    if (auto* shown = page(current_); shown == nullptr || !shown->takes(a.exportModel))
      showPage(QStringLiteral("export"));
  });
  connect(a.closeRecording, &QAction::triggered, this,
          [this] { state_.recordings().close(state_.recording()); });
  connect(a.quit, &QAction::triggered, this, &MainWindow::close);
  connect(a.copyAsCommand, &QAction::triggered, this, [this] {
    const auto* shown = page(current_);
    const auto command = shown != nullptr ? shown->asCommand() : QString();
    if (command.isEmpty()) {
      state_.notifications().status(shown != nullptr ? shown->whyNoCommand() : QString());
      return;
    }
    QApplication::clipboard()->setText(command);
    state_.notifications().status(tr("Copied: %1").arg(command));
  });
  connect(a.excludePress, &QAction::triggered, this, [this] {
    auto* document = state_.recording();
    if (document == nullptr || !state_.selection().press()) return;
    if (const auto* press = document->press(*state_.selection().press()))
      document->setExcluded(press->number, !press->excluded);
  });
  connect(a.fit, &QAction::triggered, this, &MainWindow::fit);
  connect(a.asTable, &QAction::triggered, this, [this] {
    if (auto* twin = TableTwin::of(QApplication::focusWidget(), page(current_)))
      twin->toggle();
    else
      state_.notifications().status(tr("This page has no plot or map."));
  });
  for (auto* action : {a.virtualBench, a.connectAll})
    connect(action, &QAction::triggered, this, [this, action] {
      showPage(QStringLiteral("bench"));
      page(QStringLiteral("bench"))->takes(action);
    });
  connect(a.find, &QAction::triggered, this, [this] {
    auto* shown = page(current_);
    if (shown != nullptr && shown->searchField() != nullptr)
      shown->searchField()->setFocus(Qt::ShortcutFocusReason);
  });
}

void MainWindow::connectViewActions() {
  auto& a = *actions_;
  auto& preferences = state_.preferences();
  using Choice = Theme::Choice;
  for (const auto& [action, choice] :
       {std::pair(a.themeSystem, Choice::kSystem), std::pair(a.themeLight, Choice::kLight),
        std::pair(a.themeDark, Choice::kDark)})
    connect(action, &QAction::triggered, this,
            [&preferences, choice = choice] { preferences.setTheme(choice); });
  connect(a.lightDark, &QAction::triggered, this, [&preferences] {
    preferences.setTheme(theme().dark() ? Choice::kLight : Choice::kDark);
  });
  const auto check = [&a] {
    a.themeSystem->setChecked(theme().choice() == Theme::Choice::kSystem);
    a.themeLight->setChecked(theme().choice() == Theme::Choice::kLight);
    a.themeDark->setChecked(theme().choice() == Theme::Choice::kDark);
  };
  connect(&theme(), &Theme::changed, this, check);
  check();
  for (const auto& [action, step] : {std::pair(a.larger, 0.1), std::pair(a.smaller, -0.1)})
    connect(action, &QAction::triggered, this,
            [&preferences, step = step] { preferences.setScale(theme().scale() + step); });
  connect(a.largeBanner, &QAction::toggled, this, [this, &preferences](bool large) {
    safety_->setLarge(large);
    preferences.setLargeBanner(large);
  });
  connect(&preferences, &Preferences::changed, this,
          [&a, &preferences] { a.largeBanner->setChecked(preferences.largeBanner()); });
  connect(a.welcome, &QAction::triggered, this, [this] { showPage(QStringLiteral("welcome")); });
  connect(a.settings, &QAction::triggered, this, [this] { showPage(QStringLiteral("settings")); });
  connect(a.eventLog, &QAction::triggered, this, [this] { showPage(QStringLiteral("log")); });
  connect(messages_, &MessageBar::logWanted, a.eventLog, &QAction::trigger);
  connect(a.help, &QAction::triggered, this, &MainWindow::showHelp);
  connect(a.about, &QAction::triggered, this, &MainWindow::showAbout);
  connect(a.nextArea, &QAction::triggered, this, &MainWindow::cycleArea);
}

/// What is shown is what somebody wants fitted; on the Fit page the ticks say it.
void MainWindow::fit() {
  auto* shown = state_.recording();
  const bool chosen =
      current_ == QStringLiteral("fit") || shown == nullptr || state_.fit().choice().uses(shown);
  if (!chosen && !state_.fit().join(shown)) return;
  showPage(QStringLiteral("fit"));
  if (chosen || !state_.fit().running()) state_.fit().run(state_.fit().request());
}

FitRunner::Join MainWindow::askJoin(const FitRunner::JoinQuestion& question) {
  const auto others = question.others.join(tr(", "));
  QMessageBox box(this);
  box.setObjectName(QStringLiteral("joinFit"));
  box.setWindowTitle(tr("Fit together?"));
  box.setIcon(QMessageBox::Question);
  const bool possible = question.refusal.isEmpty();
  box.setText(possible
                  ? tr("Fit %1 together with %2?").arg(question.recording, others)
                  : tr("%1 can't be fitted together with %2.").arg(question.recording, others));
  auto words = possible ? tr("One sensor model comes of it: both must be of the same pad, mounted "
                             "in the same way.")
                        : question.refusal + tr(". A sensor model is of one sensor.");
  if (possible && !question.doubt.isEmpty())
    words += tr("\n\nTaken on trust: %1.").arg(question.doubt);
  box.setInformativeText(words);
  const auto add = [&box](const QString& text, QMessageBox::ButtonRole role, const char* name) {
    auto* button = box.addButton(text, role);
    button->setObjectName(QLatin1String(name));
    return button;
  };
  auto* alone =
      add(tr("Fit %1 alone").arg(question.recording), QMessageBox::AcceptRole, "joinAlone");
  auto* together =
      possible ? add(tr("Fit them together"), QMessageBox::YesRole, "joinTogether") : nullptr;
  auto* stay = add(tr("Leave it as it is"), QMessageBox::RejectRole, "joinStay");
  box.setDefaultButton(alone);
  box.setEscapeButton(stay);
  box.exec();
  const auto* clicked = box.clickedButton();
  return clicked == alone                             ? FitRunner::Join::kAlone
         : together != nullptr && clicked == together ? FitRunner::Join::kTogether
                                                      : FitRunner::Join::kStay;
}

void MainWindow::askOpen() {
  const auto file =
      QFileDialog::getOpenFileName(this, tr("Open"), state_.files().libraryFolder(),
                                   tr("Recordings and models (*.tact *.json);;All files (*)"));
  if (!file.isEmpty()) state_.open(file);
}

void MainWindow::askOpenModel() {
  const auto file =
      QFileDialog::getOpenFileName(this, tr("Open a sensor model"), state_.files().libraryFolder(),
                                   tr("Sensor models (*.json)"));
  if (!file.isEmpty()) state_.open(file);
}

void MainWindow::askOpenFolder() {
  const auto folder =
      QFileDialog::getExistingDirectory(this, tr("Open folder"), state_.files().libraryFolder());
  if (!folder.isEmpty()) state_.open(folder);
}

void MainWindow::askImportFolder() {
  const auto source = QFileDialog::getExistingDirectory(this, tr("Import a session folder"),
                                                        state_.files().libraryFolder());
  if (source.isEmpty()) return;
  askWhereToSave(this,
                 {tr("Import into"), source + QStringLiteral(".tact"), tr("Recording (*.tact)"),
                  QStringLiteral("tact")},
                 [this, source](const QString& target) {
                   state_.recordings().importInto(source, {}, target);
                 });
}

void MainWindow::askImportTable() {
  const auto table =
      QFileDialog::getOpenFileName(this, tr("Import a table"), state_.files().libraryFolder(),
                                   tr("Tables (*.csv *.tsv *.txt *.npy *.npz *.mat *.h5 *.hdf5 "
                                      "*.xlsx *.ods *.mcap *.db3);;All files (*)"));
  if (!table.isEmpty()) state_.recordings().look(table);
}

void MainWindow::askSaveModel() {
  if (state_.model() == nullptr) return;
  auto proposal = state_.modelDocument().file();
  if (proposal.isEmpty() && state_.recording() != nullptr) {
    const QFileInfo recording(state_.recording()->recording()->path());
    proposal = recording.path() + '/' + recording.completeBaseName() + "_model.json";
  }
  if (proposal.isEmpty())
    proposal = state_.files().libraryFolder() + QStringLiteral("/sensor_model.json");
  askWhereToSave(this,
                 {tr("Save model"), proposal, tr("Sensor model (*.json)"), QStringLiteral("json")},
                 [this](const QString& file) { state_.modelDocument().save(file); });
}

bool MainWindow::mayDiscardModel() {
  if (state_.model() == nullptr || state_.modelDocument().saved()) return true;
  QMessageBox box(this);
  box.setObjectName(QStringLiteral("discardModel"));
  box.setWindowTitle(tr("Discard the unsaved model?"));
  box.setText(tr("The sensor model has not been saved."));
  box.setInformativeText(
      tr("Recordings and edits are on disk; only the fit's result would go. "
         "Fitting again gives the same numbers."));
  auto* stay = box.addButton(tr("Stay here"), QMessageBox::RejectRole);
  auto* save = box.addButton(tr("Save it first…"), QMessageBox::ActionRole);
  auto* discard = box.addButton(tr("Discard the model"), QMessageBox::DestructiveRole);
  save->setObjectName(QStringLiteral("saveFirst"));
  box.setDefaultButton(stay);
  box.exec();
  // Where to is asked in a dialog of its own: what was wanted is asked for again afterwards.
  if (box.clickedButton() == save) askSaveModel();
  return box.clickedButton() == discard;
}

void MainWindow::showHelp() {
  const auto* shown = page(current_);
  if (shown == nullptr) return;
  const auto all = pages();
  const auto info =
      std::find_if(all.begin(), all.end(), [&](const PageInfo& one) { return one.id == current_; });
  (new HelpDialog(shown->accessibleName(), shown->helpText(), info->manual, this))->show();
}

void MainWindow::showAbout() {
  auto* box = new QMessageBox(this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setObjectName(QStringLiteral("about"));
  box->setWindowTitle(tr("About Tactelier"));
  box->setIconPixmap(windowIcon().pixmap(64));
  box->setText(tr("Tactelier %1").arg(QStringLiteral(TACTELIER_VERSION)));
  box->setInformativeText(
      tr("Calibrates tactile arrays from rig recordings. The source is under the Apache License "
         "2.0; this program as a whole is GPL-3.0-or-later, because it links QCustomPlot. STOP is "
         "software, no emergency stop."));
  box->addButton(tr("Close"), QMessageBox::RejectRole);
  box->open();
}

void MainWindow::cycleArea() {
  auto* shown = page(current_);
  if (shown == nullptr) return;
  QWidget* areas[] = {safety_->stopButton(), rail_, shown->headerFocus(), shown->firstFocus()};
  const auto* focus = QApplication::focusWidget();
  std::size_t at = 3;
  for (std::size_t i = 0; i < 4; ++i)
    if (areas[i] != nullptr && focus != nullptr &&
        (areas[i] == focus || areas[i]->isAncestorOf(focus)))
      at = i;
  for (std::size_t step = 1; step <= 4; ++step) {
    auto* next = areas[(at + step) % 4];
    if (next == nullptr) continue;
    if (next == rail_) next = rail_->findChild<QWidget*>(QStringLiteral("rail_") + current_);
    if (next == nullptr) continue;
    next->setFocus(Qt::ShortcutFocusReason);
    return;
  }
}

}  // namespace tactelier::gui

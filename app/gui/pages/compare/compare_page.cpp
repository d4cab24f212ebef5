#include "app/gui/pages/compare/compare_page.hpp"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>

#include "app/gui/pages/compare/choice_bar.hpp"
#include "app/gui/pages/compare/compare_exports.hpp"
#include "app/gui/pages/compare/figure_panel.hpp"
#include "app/gui/pages/compare/image_panel.hpp"
#include "app/gui/pages/compare/nudge_bar.hpp"
#include "app/gui/pages/compare/press_bar.hpp"
#include "app/gui/pages/compare/profile_panel.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/text/shell_words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/empty_panel.hpp"
#include "app/gui/widgets/folding_columns.hpp"

namespace tactelier::gui {
namespace {

// px: a plot with its axes; images with their bars beneath them.
constexpr int kLeastProfile = 216, kLeastImages = 264;

/// Asks for its least height, so that a page as high as its rows ask for has room for it, and takes
/// what is left.
class Parts : public QSplitter {
 public:
  using QSplitter::QSplitter;
  QSize sizeHint() const override {
    return {QSplitter::sizeHint().width(), minimumSizeHint().height()};
  }
};

}  // namespace

ComparePage::ComparePage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Compare"), parent), runner_(new ComparisonRunner(context.state, this)) {
  auto* box = new QWidget(this);
  stack_ = new QStackedLayout(box);
  empty_ = buildEmpty();
  panels_ = buildPanels();
  buildHeader();
  stack_->addWidget(empty_);
  stack_->addWidget(panels_);
  body()->addWidget(box, 1);
  connectState();
  addCursorKeys();
  follow();
}

void ComparePage::buildHeader() {
  recordings_ = new QComboBox(this);
  recordings_->setObjectName(QStringLiteral("compareRecording"));
  recordings_->setAccessibleName(tr("Recording compared with"));
  recordings_->setToolTip(tr("The open recordings."));
  addHeaderWidget(recordings_);
  addHeaderAction(actions().openModel, QStringLiteral("folder"));
  addHeaderAction(actions().open, QStringLiteral("folder"));
  exports_ = new CompareExports(state(), actions(), triptych_, this);
  auto* save = addHeaderAction(exports_->action(), QStringLiteral("save"));
  save->setObjectName(QStringLiteral("compareSave"));
  save->setMenu(exports_->menu());
  run_ = new QAction(tr("Compare"), this);
  connect(run_, &QAction::triggered, this, [this] {
    if (runner_->running())
      runner_->cancel();
    else
      runner_->run();
  });
  addHeaderAction(run_, QStringLiteral("play"), true)->setObjectName(QStringLiteral("compareRun"));
}

QWidget* ComparePage::buildEmpty() {
  return emptyPanel(
      tr("Nothing to compare yet"),
      tr("This needs a sensor model, and a recording with image presses "
         "(protocol “images”).\nOpen both; the fit need not have seen it."),
      QStringLiteral("compareEmpty"),
      {{actions().openModel, QStringLiteral("folder")}, {actions().open, QStringLiteral("folder")}},
      this);
}

QWidget* ComparePage::buildPanels() {
  auto* panels = new QWidget(this);
  auto* column = new QVBoxLayout(panels);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  verdict_ = new QFrame(panels);
  auto* said = new QVBoxLayout(verdict_);
  said->setContentsMargins(12, 6, 12, 6);
  said->setSpacing(2);
  headline_ = new QLabel(verdict_);
  headline_->setObjectName(QStringLiteral("compareHeadline"));
  headline_->setWordWrap(true);
  headline_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  notes_ = new QLabel(verdict_);
  notes_->setObjectName(QStringLiteral("compareNotes"));
  notes_->setProperty("look", "caption");
  notes_->setWordWrap(true);
  said->addWidget(headline_);
  said->addWidget(notes_);
  bar_ = new PressBar(panels);
  split_ = new Parts(Qt::Vertical, panels);
  split_->setHandleWidth(12);
  split_->setChildrenCollapsible(false);
  split_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  triptych_ = new ImageTriptych(split_);
  shown_method_ = new QComboBox(this);
  shown_method_->setObjectName(QStringLiteral("compareShownMethod"));
  shown_method_->setAccessibleName(tr("Method whose images are shown"));
  triptych_->addMethodTool(shown_method_);
  images_ = new ImagePanel(split_);
  profile_ = new ProfilePanel(split_);
  figures_ = new FigurePanel(split_);
  row_ = new FoldingColumns(images_, profile_, figures_, tr("Profile"), tr("Medians"), split_);
  row_->setSizes({460, 400, 400}, {1, 1, 1});
  split_->addWidget(triptych_);
  split_->addWidget(row_);
  split_->setSizes({330, 250});
  const auto size = [this] {
    profile_->setMinimumHeight(theme().px(kLeastProfile));
    triptych_->setMinimumHeight(theme().px(kLeastImages));
  };
  size();
  connect(&theme(), &Theme::changed, this, size);
  column->addWidget(verdict_);
  column->addWidget(bar_);
  choices_ = new ChoiceBar(runner_->methods(), panels);
  column->addWidget(choices_);
  nudge_ = new NudgeBar(panels);
  column->addWidget(nudge_);
  column->addWidget(split_, 1);
  return panels;
}

void ComparePage::connectState() {
  auto& app = state();
  connect(&app.recordings(), &Recordings::listChanged, this, &ComparePage::follow);
  connect(&app.selection(), &Selection::recordingChanged, this, &ComparePage::follow);
  connect(&app.modelDocument(), &ModelDocument::changed, this, &ComparePage::follow);
  connect(&app.selection(), &Selection::tactelChosen, this,
          [this] { triptych_->setCursor(state().selection().tactel()); });
  connect(runner_, &ComparisonRunner::changed, this, &ComparePage::follow);
  connect(&app.jobs(), &Jobs::changed, this, [this] {
    if (runner_->running()) showVerdict();
  });
  connect(&theme(), &Theme::changed, this, &ComparePage::showVerdict);
  connect(recordings_, &QComboBox::activated, this, [this](int index) {
    const auto all = state().recordings().all();
    if (index >= 0 && index < static_cast<int>(all.size()))
      state().selection().setRecording(all[static_cast<std::size_t>(index)]);
  });
  connect(choices_, &ChoiceBar::methodsChanged, this, [this] {
    runner_->setMethods(choices_->methods());
    runner_->setRegistered(choices_->registered());
  });
  connect(choices_, &ChoiceBar::looksChanged, this, &ComparePage::showLooks);
  connect(bar_, &PressBar::placeChosen, this, &ComparePage::showImage);
  connect(images_, &ImagePanel::placeChosen, this, &ComparePage::showImage);
  connect(shown_method_, &QComboBox::activated, this, &ComparePage::showResult);
  connect(nudge_, &NudgeBar::shifted, this, &ComparePage::showNudged);
  connect(nudge_, &NudgeBar::bestWanted, this, &ComparePage::fitPlace);
  connect(triptych_, &ImageTriptych::changed, this, &ComparePage::showProfile);
  connect(triptych_, &ImageTriptych::tactelChosen, &app,
          [&app](int tactel) { app.selection().chooseTactel(tactel); });
}

/// The tactel cursor and the simulated indenter, wherever the focus is.
void ComparePage::addCursorKeys() {
  const auto on = [this](const QKeySequence& keys, auto does) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, does);
  };
  const auto move = [&](Qt::Key key, int columns, int rows) {
    on(Qt::SHIFT | key, [this, columns, rows] { triptych_->moveCursor(columns, rows); });
    on(Qt::CTRL | Qt::SHIFT | key, [this, columns, rows] { nudge_->step(columns, rows, 0); });
  };
  move(Qt::Key_Left, -1, 0);
  move(Qt::Key_Right, 1, 0);
  move(Qt::Key_Up, 0, 1);
  move(Qt::Key_Down, 0, -1);
  on(Qt::CTRL | Qt::SHIFT | Qt::Key_PageUp, [this] { nudge_->step(0, 0, 1); });
  on(Qt::CTRL | Qt::SHIFT | Qt::Key_PageDown, [this] { nudge_->step(0, 0, -1); });
}

void ComparePage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  follow();
}

QWidget* ComparePage::firstFocus() {
  if (stack_->currentWidget() == empty_) return this;
  return images_->table();
}

QString ComparePage::asCommand() const {
  const auto model = state().modelDocument().file();
  if (!runner_->ready() || model.isEmpty()) return {};
  const auto command =
      QStringLiteral("tactelier compare --model %1 %2 --method %3")
          .arg(shellWord(model), shellWord(state().recording()->recording()->path()),
               runner_->methods().join(QLatin1Char(',')));
  return runner_->registered() ? command + QStringLiteral(" --registered") : command;
}

QString ComparePage::whyNoCommand() const {
  if (!runner_->ready()) return tr("Open a model and a recording, and choose a method.");
  return tr("The command line reads a file: save the model first (Ctrl+S).");
}

void ComparePage::saveState(QSettings& settings) const {
  settings.setValue(QStringLiteral("methods"), runner_->methods());
  settings.setValue(QStringLiteral("registered"), runner_->registered());
  settings.setValue(QStringLiteral("split"), split_->saveState());
  row_->saveState(settings);
}

void ComparePage::restoreState(QSettings& settings) {
  const auto methods = settings.value(QStringLiteral("methods")).toStringList();
  if (!methods.isEmpty()) choices_->setMethods(methods);
  choices_->setRegistered(settings.value(QStringLiteral("registered")).toBool());
  split_->restoreState(settings.value(QStringLiteral("split")).toByteArray());
  row_->restoreState(settings);
}

QString ComparePage::helpText() const {
  return tr(
      "<p>What the open model predicts of the image presses of a recording: shapes that were "
      "laid or pressed on the pad by protocol step <i>images</i>, which no fit uses. Real and "
      "simulated images share one scale; the difference has its own, the same both ways. "
      "<i>Unit</i> shows counts above rest, or newtons as <i>tactelier apply</i> gives them; "
      "figures are those of counts.</p>"
      "<p>The prediction error is relative to what was measured, on the tactels that the model "
      "predicts above 1 % of full scale. <i>The sensor</i> is the same figure between repeats of "
      "one press: no model can be much better. <i>Strata</i> has the figures by shape, load and "
      "tilt.</p>"
      "<p>Slider, arrow keys or a row of the list choose the image; a click, or "
      "<b>Shift+arrows</b> from anywhere, the tactel in all three; <i>Profile</i> has its row or "
      "column. <b>Ctrl+Shift+T</b> map as a "
      "table. <i>Contours</i> outlines the contact, or half of the largest real reading; "
      "<i>Centre</i> marks the centre of force and the direction: real solid, simulated dashed. "
      "<i>latency</i> and <i>loop</i> are there for presses by the "
      "stage.</p>"
      "<p>How much of an error is the place where the shape stood? <b>Ctrl+Shift+arrows</b> or the "
      "boxes move the simulated indenter, <b>Ctrl+Shift+Page up/down</b> turns it, and <i>Fit the "
      "place</i> finds where it lies best. The figures of all images stay those of the recorded "
      "poses; <i>Registered</i> has both. <i>Save</i> has images and figures for elsewhere, and "
      "the "
      "command line that does the same.</p>");
}

}  // namespace tactelier::gui

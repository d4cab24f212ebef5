#include "app/gui/pages/fit/stage_panel.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/item_models/stage_model.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/widgets/job_strip.hpp"

namespace tactelier::gui {
namespace {

constexpr double kRoomForHoldOut = 300;

QToolButton* fitButton(QAction* action, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setObjectName(QStringLiteral("fitNow"));
  button->setProperty("look", "small");
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setThemedIcon(button, QStringLiteral("play"));
  button->setText(
      StagePanel::tr("Fit  %1").arg(action->shortcut().toString(QKeySequence::NativeText)));
  button->setToolTip(action->toolTip());
  button->setAccessibleName(StagePanel::tr("Fit"));
  button->setEnabled(action->isEnabled());
  QObject::connect(button, &QToolButton::clicked, action, &QAction::trigger);
  QObject::connect(action, &QAction::changed, button,
                   [button, action] { button->setEnabled(action->isEnabled()); });
  return button;
}

}  // namespace

StagePanel::StagePanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(tr("Stages"), parent), state_(state), model_(new StageModel(state, this)) {
  table_ = new QTableView(this);
  table_->setObjectName(QStringLiteral("stageTable"));
  table_->setAccessibleName(tr("Stages of the fit"));
  table_->setModel(model_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);  // Tab leaves it
  table_->horizontalHeader()->hide();
  table_->verticalHeader()->hide();
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->horizontalHeader()->setSectionResizeMode(StageModel::kStage, QHeaderView::Stretch);
  table_->horizontalHeader()->setSectionResizeMode(StageModel::kState,
                                                   QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(StageModel::kHoldOut,
                                                   QHeaderView::ResizeToContents);
  progress_row_ = new QWidget(this);
  auto* row = new QHBoxLayout(progress_row_);
  row->setContentsMargins(12, 0, 8, 6);
  bar_ = new QProgressBar(progress_row_);
  bar_->setTextVisible(false);
  bar_->setAccessibleName(tr("Progress of the fit"));
  left_ = new QLabel(progress_row_);
  left_->setObjectName(QStringLiteral("fitLeft"));
  left_->setProperty("look", "caption");
  cancel_ = new QPushButton(tr("Cancel"), progress_row_);
  cancel_->setObjectName(QStringLiteral("fitCancel"));
  setThemedIcon(cancel_, QStringLiteral("x"));
  cancel_->setToolTip(
      tr("Stops the fit. Stages that have ended are kept when there was no model "
         "before."));
  row->addWidget(bar_, 1);
  row->addWidget(left_);
  row->addWidget(cancel_);
  setBodyMargins(0);
  body()->addWidget(table_, 1);
  body()->addWidget(progress_row_);
  addTool(fitButton(actions.fit, this));
  const auto size = [this] { table_->verticalHeader()->setDefaultSectionSize(theme().px(28)); };
  size();
  connect(&theme(), &Theme::changed, this, size);
  connect(cancel_, &QPushButton::clicked, &state_.fit(), &FitRunner::cancel);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &StagePanel::stageChosen);
  connect(&state_.jobs(), &Jobs::changed, this, &StagePanel::refresh);
  connect(&state_.fit(), &FitRunner::started, this, &StagePanel::refresh);
  connect(&state_.fit(), &FitRunner::finished, this, &StagePanel::refresh);
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &StagePanel::refresh);
  refresh();
}

std::string StagePanel::chosenStage() const {
  return table_->currentIndex().data(StageModel::kIdRole).toString().toStdString();
}

void StagePanel::chooseStage(const std::string& stage) {
  const int row = model_->rowOf(stage);
  if (row >= 0) table_->selectRow(row);
}

/// Where there is room beside the stages' names; else their tips say it.
void StagePanel::showHoldOut() {
  const bool shown = model_->anyHoldOut() && width() >= theme().px(kRoomForHoldOut);
  table_->setColumnHidden(StageModel::kHoldOut, !shown);
  table_->horizontalHeader()->setVisible(shown);
}

void StagePanel::resizeEvent(QResizeEvent* event) {
  Panel::resizeEvent(event);
  showHoldOut();
}

void StagePanel::refresh() {
  const bool fitting = state_.fit().running();
  showHoldOut();
  progress_row_->setVisible(fitting);
  if (!fitting) return;
  const auto progress = state_.fit().progress();
  const bool known = progress && progress->fraction >= 0;
  bar_->setRange(0, 1000);
  bar_->setValue(known ? static_cast<int>(1000 * progress->fraction) : 0);
  QString words = tr("working");
  if (!progress)
    words = tr("waiting");
  else if (progress->left_s >= 0)
    words = timeLeft(progress->left_s);
  else if (known)
    words = tr("%1 %").arg(static_cast<int>(100 * progress->fraction));
  left_->setText(words);
}

}  // namespace tactelier::gui

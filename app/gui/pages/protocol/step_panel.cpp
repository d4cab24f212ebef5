#include "app/gui/pages/protocol/step_panel.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/gui/pages/protocol/protocol_draft.hpp"
#include "app/gui/pages/protocol/step_form.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/theme/theme.hpp"
#include "libcalib/protocol/plan_table.hpp"

namespace tactelier::gui {
namespace {

enum Column { kNumber, kStep, kWhat, kPeak, kTime, kColumns };

}  // namespace

StepPanel::StepPanel(ProtocolDraft& draft, QWidget* parent)
    : Panel(tr("Steps"), parent), draft_(draft) {
  setBodyMargins(0);
  body()->setSpacing(0);
  table_ = new QTableWidget(0, kColumns, this);
  table_->setObjectName(QStringLiteral("protocolSteps"));
  table_->setAccessibleName(tr("Steps of the protocol"));
  table_->setHorizontalHeaderLabels({tr("#"), tr("Step"), tr("What"), tr("Peak [N]"), tr("Time")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setSectionResizeMode(kWhat, QHeaderView::Stretch);
  table_->installEventFilter(this);
  const auto size = [this] {
    const int widths[] = {30, 104, 0, 76, 72};
    for (int column = 0; column < kColumns; ++column)
      if (widths[column] > 0) table_->setColumnWidth(column, theme().px(widths[column]));
    table_->verticalHeader()->setDefaultSectionSize(theme().px(26));
  };
  size();
  connect(&theme(), &Theme::changed, this, size);
  body()->addWidget(table_, 3);
  auto* row = new QWidget(this);
  auto* buttons = new QHBoxLayout(row);
  buttons->setContentsMargins(12, 8, 12, 8);
  buttons->setSpacing(8);
  auto* add_it = button(tr("Add step"), QStringLiteral("plus"), QStringLiteral("addStep"));
  add_it->setMenu(new QMenu(add_it));
  for (const auto& kind : step_names()) {
    if (!example_step(kind)) continue;
    auto* action = add_it->menu()->addAction(
        tr("%1: %2").arg(text(kind), text(step_description(kind))));
    action->setObjectName(QStringLiteral("add_") + text(kind));
    connect(action, &QAction::triggered, this, [this, kind] { add(kind); });
  }
  duplicate_ = button(tr("Duplicate"), QStringLiteral("copy"), QStringLiteral("duplicateStep"));
  up_ = button(tr("Up"), QStringLiteral("up"), QStringLiteral("stepUp"));
  down_ = button(tr("Down"), QStringLiteral("down"), QStringLiteral("stepDown"));
  remove_ = button(tr("Remove"), QStringLiteral("x"), QStringLiteral("removeStep"));
  up_->setToolTip(tr("Earlier (Alt+Up)"));
  down_->setToolTip(tr("Later (Alt+Down)"));
  remove_->setToolTip(tr("Out of the protocol (Del); Ctrl+Z brings it back"));
  for (auto* one : {add_it, duplicate_, up_, down_, remove_}) buttons->addWidget(one);
  buttons->addStretch(1);
  body()->addWidget(row);
  form_ = new StepForm(this);
  auto* holder = new QWidget(this);
  auto* margin = new QVBoxLayout(holder);
  margin->setContentsMargins(12, 4, 12, 12);
  margin->addWidget(form_);
  margin->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(holder);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  holder->setAutoFillBackground(false);
  scroll->viewport()->setAutoFillBackground(false);
  body()->addWidget(scroll, 2);
  connect(duplicate_, &QPushButton::clicked, this, [this] {
    const int at = current();
    draft_.insertStep(at + 1, draft_.step(at), tr("duplicate step %1").arg(at + 1));
    choose(at + 1);
  });
  connect(up_, &QPushButton::clicked, this, [this] { move(-1); });
  connect(down_, &QPushButton::clicked, this, [this] { move(1); });
  connect(remove_, &QPushButton::clicked, this, &StepPanel::remove);
  connect(table_, &QTableWidget::currentCellChanged, this, [this](int to, int, int from) {
    if (to != from) showStep();
  });
  connect(form_, &StepForm::edited, this, [this](const StepForm::Json& step, const QString& what) {
    draft_.setStep(current(), step, what);
  });
  connect(&draft_, &ProtocolDraft::changedSteps, this, &StepPanel::refresh);
  connect(&draft_, &ProtocolDraft::replanned, this, &StepPanel::showPlan);
  refresh();
}

QPushButton* StepPanel::button(const QString& words, const QString& icon, const QString& name) {
  auto* made = new QPushButton(words, this);
  made->setObjectName(name);
  setThemedIcon(made, icon);
  return made;
}

int StepPanel::current() const { return table_->currentRow(); }

void StepPanel::choose(int row) {
  if (row >= 0 && row < table_->rowCount()) table_->setCurrentCell(row, kStep);
}

void StepPanel::refresh() {
  const int at = current();
  {
    const QSignalBlocker quiet(table_);
    table_->setRowCount(draft_.steps());
    for (int row = 0; row < table_->rowCount(); ++row) {
      const auto step = draft_.step(row);
      const auto put = [&](int column, const QString& words) {
        auto* item = table_->item(row, column);
        if (item == nullptr) table_->setItem(row, column, item = new QTableWidgetItem);
        item->setText(words);
      };
      const auto kind = step.value("do", std::string());
      put(kNumber, QString::number(row + 1));
      put(kStep, text(kind));
      table_->item(row, kStep)->setToolTip(text(step_description(kind)));
      put(kWhat, text(step.value("note", std::string())));
      put(kPeak, {});
      put(kTime, {});
      for (const int column : {kPeak, kTime})
        table_->item(row, column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (table_->rowCount() > 0)
      table_->setCurrentCell(std::clamp(at, 0, table_->rowCount() - 1), kStep);
  }
  showPlan();
  showStep();
}

/// A step that stands in a repeat is part of that one's row.
void StepPanel::showPlan() {
  const auto& planned = draft_.planned();
  setCaption(draft_.pending() ? tr("working it out…")
             : planned == nullptr
                 ? QString()
                 : tr("%n steps, %1 presses, %2", nullptr, draft_.steps())
                       .arg(planned->plan.presses)
                       .arg(text(duration_text(planned->plan.duration_s))));
  if (planned == nullptr || draft_.pending()) return;
  for (int row = 0; row < table_->rowCount(); ++row) {
    double seconds = 0, peak_N = 0;
    QStringList what;
    QString code;
    for (const auto& step : planned->plan.steps) {
      const auto label = text(step.label);
      const auto number = QString::number(row + 1);
      if (label != number && !label.startsWith(number + QLatin1Char('.'))) continue;
      seconds += step.duration_s;
      peak_N = std::max(peak_N, step.peak_force_N);
      what << text(step.what);
      if (code.isEmpty()) code = text(step.protocol);
    }
    const auto kind = text(draft_.step(row).value("do", std::string()));
    table_->item(row, kStep)->setText(code.isEmpty() ? kind : code + QLatin1Char(' ') + kind);
    auto words = what.join(QStringLiteral("; "));
    if (words.isEmpty()) words = tr("left out on this rig");
    table_->item(row, kWhat)->setText(words);
    table_->item(row, kWhat)->setToolTip(words);
    table_->item(row, kPeak)->setText(peak_N > 0 ? QString::number(peak_N, 'g', 3)
                                                 : QStringLiteral("–"));
    table_->item(row, kTime)->setText(clockTime(seconds));
  }
}

void StepPanel::showStep() {
  const int row = current();
  const bool any = row >= 0 && row < draft_.steps();
  for (auto* one : {duplicate_, remove_}) one->setEnabled(any);
  remove_->setEnabled(any && draft_.steps() > 1);
  up_->setEnabled(any && row > 0);
  down_->setEnabled(any && row + 1 < draft_.steps());
  if (any)
    form_->show(row + 1, draft_.step(row));
  else
    form_->clear();
  emit chosen(row);
}

void StepPanel::add(const std::string& kind) {
  const auto step = example_step(kind);
  if (!step) return;
  const int at = draft_.steps() == 0 ? 0 : current() + 1;
  draft_.insertStep(at, StepForm::Json::parse(*step), tr("add %1").arg(text(kind)));
  choose(at);
}

void StepPanel::remove() {
  if (current() >= 0 && draft_.steps() > 1) draft_.removeStep(current());
}

void StepPanel::move(int by) {
  const int from = current(), to = from + by;
  if (from < 0 || to < 0 || to >= draft_.steps()) return;
  draft_.moveStep(from, to);
  choose(to);
}

bool StepPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Delete) return remove(), true;
    if (key->modifiers() == Qt::AltModifier && key->key() == Qt::Key_Up) return move(-1), true;
    if (key->modifiers() == Qt::AltModifier && key->key() == Qt::Key_Down) return move(1), true;
  }
  return Panel::eventFilter(watched, event);
}

}  // namespace tactelier::gui

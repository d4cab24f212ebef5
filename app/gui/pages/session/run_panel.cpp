#include "app/gui/pages/session/run_panel.hpp"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/job_strip.hpp"

namespace tactelier::gui {

RunPanel::RunPanel(RigLink& rig, QWidget* parent) : Panel(tr("Protocol"), parent), rig_(rig) {
  bar_ = new QProgressBar(this);
  bar_->setObjectName(QStringLiteral("runBar"));
  bar_->setTextVisible(false);
  bar_->setAccessibleName(tr("Progress of the recording"));
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("runWords"));
  words_->setWordWrap(true);
  table_ = new QTableWidget(0, 4, this);
  table_->setObjectName(QStringLiteral("runSteps"));
  table_->setAccessibleName(tr("Steps of the protocol"));
  table_->setHorizontalHeaderLabels({QString(), tr("Step"), tr("What"), tr("Time")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionMode(QAbstractItemView::NoSelection);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setMinimumSectionSize(theme().px(26));
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
  table_->setColumnWidth(0, theme().px(26));
  table_->setColumnWidth(1, theme().px(90));
  table_->setColumnWidth(3, theme().px(64));
  body()->addWidget(words_);
  standing_ = new QLabel(this);
  standing_->setObjectName(QStringLiteral("standing"));
  standing_->setWordWrap(true);
  standing_->hide();
  body()->addWidget(bar_);
  body()->addWidget(standing_);
  body()->addWidget(table_, 1);
  note_ = new QLineEdit(this);
  note_->setObjectName(QStringLiteral("note"));
  note_->setAccessibleName(tr("Note for the recording"));
  note_->setPlaceholderText(tr("Note for the recording (N), then Enter"));
  note_->setMaxLength(1000);
  note_->hide();
  marker_ = new QToolButton(this);
  marker_->setObjectName(QStringLiteral("markerButton"));
  marker_->setProperty("look", "small");
  marker_->setText(tr("Marker  M"));
  marker_->setToolTip(tr("Marks this moment in the recording, as a note that says so."));
  marker_->hide();
  auto* notes = new QHBoxLayout;
  notes->setSpacing(8);
  notes->addWidget(note_, 1);
  notes->addWidget(marker_);
  body()->addLayout(notes);
  connect(marker_, &QToolButton::clicked, this, [this] { rig_.note(tr("marker")); });
  connect(note_, &QLineEdit::returnPressed, this, &RunPanel::sendNote);
  connect(&rig_, &RigLink::changed, this, &RunPanel::refresh);
}

void RunPanel::setPlan(const RecordPreview& preview) {
  standing_->hide();
  steps_ = preview.plan.steps;
  time_scale_ = preview.time_scale;
  table_->setRowCount(static_cast<int>(steps_.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const auto& step = steps_[static_cast<std::size_t>(row)];
    const auto put = [&](int column, const QString& words) {
      table_->setItem(row, column, new QTableWidgetItem(words));
    };
    put(0, QStringLiteral("○"));
    put(1, text(step.label + " " + step.name));
    put(2, text(step.what));
    table_->item(row, 2)->setToolTip(text(step.what));
    put(3, clockTime(step.duration_s / time_scale_));
  }
  refresh();
}

void RunPanel::showChoice(const AdaptiveNews& news) {
  QStringList lines;
  for (const auto& line : standing_lines(news.state)) lines << text(line);
  if (news.state.targets.empty()) lines << tr("Nothing is fitted yet.");
  QStringList why;
  for (const auto& press : news.next)
    if (const auto one = text(press.why); !why.contains(one)) why << one;
  if (news.state.done)
    lines << tr("Ends: %1").arg(text(news.state.outcome));
  else if (!why.isEmpty())
    lines << tr("Next %n presses: %1", nullptr, static_cast<int>(news.next.size()))
                 .arg(why.join(QStringLiteral("; ")));
  if (news.state.left_s && !news.state.done)
    lines << tr("Left: %1 to %2 min")
                 .arg(std::floor((*news.state.left_s)[0] / 60 / time_scale_))
                 .arg(std::ceil((*news.state.left_s)[1] / 60 / time_scale_));
  standing_->setText(lines.join(QLatin1Char('\n')));
  standing_->show();
}

/// -1 for none of the plan.
int RunPanel::rowOf(const std::string& step) const {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (step == steps_[i].label + " " + steps_[i].name) return static_cast<int>(i);
  return -1;
}

/// A step that the recording has grown by.
int RunPanel::addRow(const std::string& step) {
  PlannedStep added;
  const auto blank = step.find(' ');
  added.label = step.substr(0, blank);
  added.name = blank == step.npos ? "" : step.substr(blank + 1);
  steps_.push_back(added);
  const int row = table_->rowCount();
  table_->setRowCount(row + 1);
  const QStringList cells{QStringLiteral("○"), text(step), tr("chosen while it records"), {}};
  for (int column = 0; column < cells.size(); ++column)
    table_->setItem(row, column, new QTableWidgetItem(cells[column]));
  return row;
}

void RunPanel::beginNote() {
  if (note_->isVisible()) note_->setFocus(Qt::ShortcutFocusReason);
}

void RunPanel::sendNote() {
  const auto text = note_->text().trimmed();
  if (text.isEmpty()) return;
  rig_.note(text);
  note_->clear();
  words_->setText(tr("Noted: %1").arg(text));
  emit noted();
}

void RunPanel::refresh() {
  note_->setVisible(rig_.status().recording.has_value());
  marker_->setVisible(rig_.status().recording.has_value());
  const auto& progress = rig_.progress();
  if (!progress) return;
  const bool records = rig::messages::task_kind(progress->what) == rig::messages::TaskKind::kRecord;
  if (!records) {
    bar_->setRange(0, progress->total > 0 ? 100 : 0);
    if (progress->total > 0)
      bar_->setValue(static_cast<int>(100 * progress->done / progress->total));
    words_->setText(progress->total > 0 ? tr("Set-up: %1, %2 of %3")
                                              .arg(text(progress->what))
                                              .arg(progress->done)
                                              .arg(progress->total)
                                        : tr("Set-up: %1").arg(text(progress->what)));
    setCaption(progress->left_s ? timeLeft(*progress->left_s) : QString());
    return;
  }
  bar_->setRange(0, 1000);
  bar_->setValue(progress->total > 0 ? static_cast<int>(1000 * progress->done / progress->total)
                                     : 0);
  words_->setText(text(progress->detail));
  setCaption(progress->left_s ? timeLeft(*progress->left_s) : QString());
  int now = rowOf(progress->step);
  if (now < 0 && !progress->step.empty()) now = addRow(progress->step);
  for (int row = 0; now >= 0 && row < table_->rowCount(); ++row)
    table_->item(row, 0)->setText(row < now    ? QStringLiteral("●")
                                  : row == now ? QStringLiteral("▶")
                                               : QStringLiteral("○"));
  if (now >= 0) table_->scrollToItem(table_->item(now, 0));
}

}  // namespace tactelier::gui

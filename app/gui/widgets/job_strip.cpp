#include "app/gui/widgets/job_strip.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>
#include <cmath>

#include "app/gui/state/jobs.hpp"
#include "app/gui/theme/icons.hpp"

namespace tactelier::gui {
namespace {

constexpr double kShowAfter_s = 0.3;

}  // namespace

QString timeLeft(double seconds) {
  if (seconds >= 90) return JobStrip::tr("%1 min left").arg(std::lround(seconds / 60));
  return JobStrip::tr("%1 s left").arg(std::max(1L, std::lround(seconds)));
}

JobStrip::JobStrip(Jobs& jobs, QWidget* parent) : QWidget(parent), jobs_(jobs) {
  setObjectName(QStringLiteral("jobStrip"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 8, 0);
  row->setSpacing(8);
  name_ = new QLabel(this);
  bar_ = new QProgressBar(this);
  bar_->setTextVisible(false);
  bar_->setAccessibleName(tr("Progress of what is worked on"));
  bar_->setFixedWidth(90);
  left_ = new QLabel(this);
  more_ = new QToolButton(this);
  more_->setProperty("look", "flat");
  more_->setToolTip(tr("Lists all work that is going on."));
  cancel_ = new QToolButton(this);
  cancel_->setObjectName(QStringLiteral("jobCancel"));
  cancel_->setProperty("look", "flat");
  cancel_->setAccessibleName(tr("Cancel"));
  cancel_->setToolTip(tr("Cancels this work. What is done is kept."));
  setThemedIcon(cancel_, QStringLiteral("x"));
  for (QWidget* part : std::initializer_list<QWidget*>{name_, bar_, left_, more_, cancel_})
    row->addWidget(part);
  connect(cancel_, &QToolButton::clicked, this, [this] { jobs_.cancel(shown_); });
  connect(more_, &QToolButton::clicked, this, &JobStrip::showAll);
  connect(&jobs_, &Jobs::changed, this, &JobStrip::refresh);
  hide();
}

void JobStrip::refresh() {
  const auto running = jobs_.running();
  const JobView* first = nullptr;
  for (const auto& job : running)
    if (first == nullptr && job.elapsed_s >= kShowAfter_s) first = &job;
  setVisible(first != nullptr);
  if (first == nullptr) return;
  shown_ = first->id;
  name_->setText(first->what.isEmpty() ? first->name : tr("%1: %2").arg(first->name, first->what));
  bar_->setVisible(first->fraction >= 0);
  bar_->setRange(0, 1000);
  bar_->setValue(static_cast<int>(first->fraction * 1000));
  QString left;
  if (first->fraction >= 0) left = tr("%1 %").arg(static_cast<int>(first->fraction * 100));
  if (first->left_s >= 0) left += QStringLiteral(" · ") + timeLeft(first->left_s);
  if (first->fraction < 0 && first->done > 0)  // length unknown: how much is done
    left = tr("%1 done").arg(QLocale::c().toString(first->done, 'f', 0));
  left_->setText(left);
  more_->setVisible(running.size() > 1);
  more_->setText(tr("+%n more", nullptr, static_cast<int>(running.size()) - 1));
  setAccessibleName(tr("Working: %1 %2").arg(name_->text(), left));
}

void JobStrip::showAll() {
  QMenu menu(this);
  for (const auto& job : jobs_.running())
    connect(menu.addAction(tr("Cancel: %1").arg(job.name)), &QAction::triggered, this,
            [this, id = job.id] { jobs_.cancel(id); });
  menu.exec(more_->mapToGlobal(QPoint(0, -menu.sizeHint().height())));
}

}  // namespace tactelier::gui

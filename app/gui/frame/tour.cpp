#include "app/gui/frame/tour.hpp"

#include <QScrollArea>
#include <QWidget>
#include <algorithm>
#include <numeric>

#include "app/gui/frame/tour_strip.hpp"
#include "app/gui/state/tour_recordings.hpp"

namespace tactelier::gui {
namespace {

constexpr int kLook_ms = 100;

}  // namespace

Tour::Tour(QWidget& window, TourStrip& strip, TourRecordings& recordings,
           std::function<void(const QString&)> show_page,
           std::function<QString(const QString&)> title_of, Steps steps, QObject* parent)
    : QObject(parent),
      window_(window),
      strip_(strip),
      recordings_(recordings),
      show_page_(std::move(show_page)),
      title_of_(std::move(title_of)),
      make_steps_(std::move(steps)),
      outline_(new TourOutline(&window)) {
  tick_.setInterval(kLook_ms);
  connect(&tick_, &QTimer::timeout, this, &Tour::look);
  connect(&strip_, &TourStrip::backWanted, this, &Tour::back);
  connect(&strip_, &TourStrip::doWanted, this, &Tour::act);
  connect(&strip_, &TourStrip::nextWanted, this, &Tour::next);
  connect(&strip_, &TourStrip::endWanted, this, &Tour::end);
}

void Tour::start() {
  recordings_.make();
  steps_ = make_steps_(recordings_);
  tick_.start();
  go(0);
}

void Tour::end() {
  tick_.stop();
  at_ = -1;
  outline_->setTarget(nullptr);
  strip_.hide();
  emit changed();
}

void Tour::back() {
  if (at_ > 0) go(at_ - 1);
}

void Tour::next() {
  if (at_ + 1 < static_cast<int>(steps_.size()))
    go(at_ + 1);
  else
    end();
}

void Tour::act() {
  if (!running()) return;
  if (const auto act = steps_[static_cast<std::size_t>(at_)].act) act();
}

void Tour::go(int step) {
  at_ = step;
  const auto& now = steps_[static_cast<std::size_t>(at_)];
  if (!now.page.isEmpty()) show_page_(now.page);
  if (now.begin) now.begin();
  was_done_ = now.done && now.done();
  outline_->setTarget(nullptr);
  look();
  emit changed();
}

/// The one that shows, where two pages have a control of one name.
QWidget* Tour::find(const QString& name) const {
  QWidget* found = nullptr;
  for (auto* one : window_.findChildren<QWidget*>(name))
    if (found == nullptr || one->isVisible()) found = one;
  return found;
}

void Tour::look() {
  if (!running()) return;
  const auto& now = steps_[static_cast<std::size_t>(at_)];
  const bool done = !now.done || now.done();
  // What was done before is read first; what is done now leads on.
  if (now.done && done && !was_done_) return next();
  if (!done) was_done_ = false;
  auto* target = now.target.isEmpty() ? nullptr : find(now.target);
  if (target != nullptr && target != outline_->target())
    for (auto* up = target->parentWidget(); up != nullptr; up = up->parentWidget())
      if (auto* frame = qobject_cast<QScrollArea*>(up)) frame->ensureWidgetVisible(target);
  outline_->setTarget(target);
  TourStrip::View view;
  const int seconds =
      std::accumulate(steps_.begin() + at_, steps_.end(), 0,
                      [](int sum, const TourStep& step) { return sum + step.seconds; });
  const auto title = title_of_(now.page);
  view.place = (seconds >= 60 ? tr("Tour: %1 of %2 · %3 · about %4 min left")
                                    .arg(at_ + 1)
                                    .arg(steps_.size())
                                    .arg(title)
                                    .arg((seconds + 30) / 60)
                              : tr("Tour: %1 of %2 · %3 · less than a minute left")
                                    .arg(at_ + 1)
                                    .arg(steps_.size())
                                    .arg(title));
  view.words = now.words();
  view.first = at_ == 0;
  view.last = at_ + 1 == static_cast<int>(steps_.size());
  view.can_do = static_cast<bool>(now.act);
  view.done = done;
  strip_.show(view);
}

}  // namespace tactelier::gui

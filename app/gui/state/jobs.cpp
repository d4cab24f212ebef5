#include "app/gui/state/jobs.hpp"

#include <algorithm>
#include <mutex>

namespace tactelier::gui {

struct Jobs::Entry {
  int id = 0;
  QString name;
  Lane lane{};
  bool shown() const { return lane == Lane::kWork || lane == Lane::kOrdered; }
  std::stop_source stop;
  QElapsedTimer since;
  std::mutex mutex;  // guards what follows
  QString what;
  double done = 0;
  double total = 0;
};

Jobs::Jobs(QObject* parent) : QObject(parent) {
  // A fit uses the cores itself; a view must never wait behind it.
  work_.setMaxThreadCount(2);
  ordered_.setMaxThreadCount(1);
  quiet_.setMaxThreadCount(2);
  attended_.setMaxThreadCount(1);
  tick_.setInterval(100);
  connect(&tick_, &QTimer::timeout, this, &Jobs::changed);
}

Jobs::~Jobs() {
  for (const auto& entry : entries_) entry->stop.request_stop();
  work_.waitForDone();
  ordered_.waitForDone();
  quiet_.waitForDone();
  attended_.waitForDone();
}

int Jobs::start(const QString& name, Lane lane, QObject* receiver,
                std::function<Completion(const Job&)> work) {
  auto entry = std::make_shared<Entry>();
  entry->id = next_id_++;
  entry->name = name;
  entry->lane = lane;
  entry->since.start();
  entries_.push_back(entry);
  auto& pool = lane == Lane::kOrdered    ? ordered_
               : lane == Lane::kQuiet    ? quiet_
               : lane == Lane::kAttended ? attended_
                                         : work_;
  pool.start([this, entry, work = std::move(work), guard = QPointer<QObject>(receiver)] {
    Job job;
    job.stop = entry->stop.get_token();
    job.on_progress = [entry](const Progress& progress) {
      const std::lock_guard lock(entry->mutex);
      entry->what = QString::fromUtf8(progress.what.data(), qsizetype(progress.what.size()));
      entry->done = progress.done;
      entry->total = progress.total;
    };
    auto completion = work(job);
    QMetaObject::invokeMethod(
        this, [this, id = entry->id, guard, completion] { finish(id, guard, completion); },
        Qt::QueuedConnection);
  });
  if (entry->shown()) {
    tick_.start();
    emit changed();
  }
  return entry->id;
}

void Jobs::finish(int id, const QPointer<QObject>& receiver, const Completion& completion) {
  std::erase_if(entries_, [id](const auto& entry) { return entry->id == id; });
  if (receiver) completion();
  if (running().empty()) tick_.stop();
  emit changed();
}

void Jobs::cancel(int id) {
  for (const auto& entry : entries_) {
    if (entry->id != id) continue;
    entry->stop.request_stop();
    emit cancelling(entry->name);
  }
}

void Jobs::cancelAll() {
  for (const auto& entry : entries_) entry->stop.request_stop();
}

bool Jobs::busy() const {
  return std::ranges::any_of(entries_,
                             [](const auto& entry) { return entry->lane != Lane::kAttended; });
}

std::vector<JobView> Jobs::running() const {
  std::vector<JobView> views;
  for (const auto& entry : entries_) {
    if (!entry->shown()) continue;
    const std::lock_guard lock(entry->mutex);
    JobView view{entry->id, entry->name, entry->what, entry->done, -1, 0, -1};
    view.elapsed_s = static_cast<double>(entry->since.elapsed()) / 1000.0;
    if (entry->total > 0) view.fraction = std::clamp(entry->done / entry->total, 0.0, 1.0);
    if (view.fraction > 0.02 && view.elapsed_s > 0.5)
      view.left_s = view.elapsed_s * (1 - view.fraction) / view.fraction;
    views.push_back(view);
  }
  return views;
}

}  // namespace tactelier::gui

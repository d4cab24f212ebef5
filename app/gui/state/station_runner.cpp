#include "app/gui/state/station_runner.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "app/gui/text/message.hpp"

namespace tactelier::gui {

/// The operator as the station's thread sees him: what it says goes to the window's thread as an
/// event, what it asks it waits for.
class StationRunner::Bridge : public StationOperator {
 public:
  Bridge(StationRunner& runner, std::stop_token stop) : runner_(runner), stop_(std::move(stop)) {}

  // --- On the station's thread -----------------------------------------------------------------
  Result<std::optional<std::string>> next_line(const StationPrompt& prompt) override {
    post([this, prompt] {
      runner_.now_ = StationMoment{prompt, true, {}, -1};
      runner_.asked_.start();
      if (runner_.ending_) runner_.end();
    });
    return wait_for(line_);
  }
  void begins(StationStep step, const std::string& serial) override {
    post([this, step, serial] {
      runner_.now_ = StationMoment{{step, serial, {}, {}}, false, {}, -1};
    });
  }
  void tell(const std::string& line) override {
    post([this, line] { emit runner_.told(text(line)); });
  }
  void not_measured(const std::string& serial, const std::string& why) override {
    post([this, serial, why] { emit runner_.notMeasured(text(serial), text(why)); });
  }
  void judged(const StationLabel& label) override {
    post([this, label] { emit runner_.judged(label); });
  }
  Result<std::optional<double>> answer(const std::string& text, const std::string& key) override {
    post([this, text, key] { runner_.question_ = StationQuestion{text, key}; });
    auto answered = wait_for(answer_);
    post([this] { runner_.question_.reset(); });
    return answered;
  }
  void progress(const Progress& at) {
    post([this, what = std::string(at.what), done = at.done, total = at.total] {
      if (!runner_.now_ || runner_.now_->waits) return;
      runner_.now_->what = what;
      runner_.now_->fraction = total > 0 ? std::clamp(done / total, 0.0, 1.0) : -1;
    });
  }

  // --- On the window's thread ------------------------------------------------------------------
  void give_line(std::string line) { give(line_, std::optional(std::move(line))); }
  void give_answer(std::optional<double> value) { give(answer_, value); }

 private:
  /// What somebody has still to say; the outer one is empty until then.
  template <class T>
  using Awaited = std::optional<std::optional<T>>;

  void post(std::function<void()> news) {
    QMetaObject::invokeMethod(
        &runner_, [this, news = std::move(news)] { runner_.take(news); }, Qt::QueuedConnection);
  }
  template <class T>
  Result<std::optional<T>> wait_for(Awaited<T>& awaited) {
    std::unique_lock lock(mutex_);
    if (!given_.wait(lock, stop_, [&] { return awaited.has_value(); })) return Job::cancelled();
    return *std::exchange(awaited, std::nullopt);
  }
  template <class T>
  void give(Awaited<T>& awaited, std::optional<T> value) {
    const std::lock_guard lock(mutex_);
    awaited.emplace(std::move(value));
    given_.notify_all();
  }

  StationRunner& runner_;
  std::stop_token stop_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any given_;
  Awaited<std::string> line_;
  Awaited<double> answer_;
};

StationRunner::StationRunner(Jobs& jobs, QObject* parent)
    : QObject(parent),
      jobs_(jobs),
      make_rig_([](const RigPlace& place) { return station_rig(place, false); }) {}

void StationRunner::begin(const StationSettings& settings) {
  if (running()) return;
  settings_ = settings;
  failure_.clear();
  ending_ = false;
  job_ = jobs_.run<StationTally>(
      tr("Station"), Lane::kAttended, this,
      [this, settings, make = make_rig_](const Job& job) -> Result<StationTally> {
        const auto sensor = check_station(settings);
        if (!sensor) return fail(sensor.error());
        const auto bridge = std::make_shared<Bridge>(*this, job.stop);
        QMetaObject::invokeMethod(
            this,
            [this, bridge] {
              bridge_ = bridge;
              emit begun();
            },
            Qt::QueuedConnection);
        Job watched = job;
        watched.on_progress = [&bridge](const Progress& at) { bridge->progress(at); };
        const auto rig = make(settings.place);
        return run_station(settings, *sensor, *rig, *bridge, watched);
      },
      [this](const Result<StationTally>& tally) { finish(tally); });
  emit changed();
}

void StationRunner::take(const std::function<void()>& news) {
  if (!running()) return;
  news();
  emit changed();
}

void StationRunner::finish(const Result<StationTally>& tally) {
  job_ = 0;
  now_.reset();
  question_.reset();
  bridge_.reset();
  ending_ = false;
  if (!tally && tally.error().code != ErrorCode::kCancelled) failure_ = tally.error().message;
  emit changed();
  emit ended();
}

void StationRunner::enter(const QString& line) {
  if (bridge_ == nullptr || !now_ || !now_->waits) return;
  const auto typed = line.trimmed().toStdString();
  const bool confirms =
      now_->at.step != StationStep::kScan && (typed.empty() || typed == now_->at.serial);
  if (confirms && asked_.elapsed() < settle_ms_) return;
  if (now_->at.step == StationStep::kScan && typed.empty()) return;
  now_->waits = false;
  bridge_->give_line(typed);
  emit changed();
}

void StationRunner::answer(std::optional<double> value) {
  if (bridge_ == nullptr || !question_) return;
  question_.reset();
  bridge_->give_answer(value);
  emit changed();
}

void StationRunner::end() {
  if (!running()) return;
  ending_ = true;
  if (bridge_ != nullptr && now_ && now_->waits) {
    now_->waits = false;
    bridge_->give_line(kStationEnd);
  }
  emit changed();
}

void StationRunner::cancel() {
  if (running()) jobs_.cancel(job_);
}

}  // namespace tactelier::gui

#include "tests/app_gui/benchmark/live.hpp"

#include <sys/resource.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <thread>

#include "app/gui/frame/main_window.hpp"
#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/state/rig_link.hpp"
#include "tests/app_gui/fake_rig.hpp"

namespace tactelier::gui::benchmark {
namespace {

using Clock = std::chrono::steady_clock;

// As a rig process sends them, whatever its devices do: 300 frames/s of 16 x 16 tactels and 7000
// forces a second come to the window as 60 pictures with least and greatest force.
constexpr double kPictures_hz = 60;
constexpr const char* kSensor =
    R"({"rows": 16, "columns": 16, "pitch_x_mm": 2, "pitch_y_mm": 2,
        "adc": {"bits": 12, "min": 0, "max": 4095}, "rate_hz": 300})";

double threadCpu_s() {
  rusage use{};
  ::getrusage(RUSAGE_THREAD, &use);
  return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

class Paints : public QObject {
 public:
  int count = 0;
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Paint) ++count;
    return false;
  }
};

/// Presses of 4 N and 2 s, one after the other, sent at their times whatever was late before.
class Sender : public QObject {
 public:
  explicit Sender(test::FakeRig& fake) : fake_(fake) {
    since_.start();
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, [this] {
      const double now_s = 1e-9 * static_cast<double>(since_.nsecsElapsed());
      if (sent_ >= now_s * kPictures_hz) return;
      sent_ = std::max(sent_ + 1, std::floor(now_s * kPictures_hz));
      const double before_s = threadCpu_s();
      const double force_N = 4 * std::max(0.0, std::sin(3.14159 * now_s));
      fake_.frame(force_N, -1e-3 * force_N);
      cpu_s += threadCpu_s() - before_s;
    });
    timer_.start(2);
  }
  double cpu_s = 0;

 private:
  test::FakeRig& fake_;
  QTimer timer_;
  QElapsedTimer since_;
  double sent_ = 0;
};

void run(double seconds) {
  QElapsedTimer since;
  since.start();
  while (static_cast<double>(since.elapsed()) < 1000 * seconds)
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  return values[at];
}

void measurePictures(QWidget* map, const Sender& sender, int seconds) {
  Paints paints;
  map->installEventFilter(&paints);
  std::vector<double> a_second;
  const double cpu_before_s = threadCpu_s(), sender_before_s = sender.cpu_s;
  const auto begun = Clock::now();
  for (int i = 0; i < seconds; ++i) {
    paints.count = 0;
    QElapsedTimer since;
    since.start();
    run(1);
    a_second.push_back(1000.0 * paints.count / static_cast<double>(since.elapsed()));
  }
  const double passed_s = std::chrono::duration<double>(Clock::now() - begun).count();
  const double cpu_s = threadCpu_s() - cpu_before_s - (sender.cpu_s - sender_before_s);
  map->removeEventFilter(&paints);
  std::printf("live: %.0f pictures/s of the map (median; least %.0f), %.0f %% of a core\n",
              quantile(a_second, 0.5), quantile(a_second, 0), 100 * cpu_s / passed_s);
}

/// From the click's coming into the event queue, at any time, to the byte's at the other end.
double stop_ms(test::FakeRig& fake, QWidget* button, double wait_ms) {
  fake.setDeafToStop(true);
  double took_ms = -1;
  std::atomic<bool> done = false;
  std::thread hand([&] {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(wait_ms));
    const QPointF at(20, 20);
    const auto clicked = Clock::now();
    QCoreApplication::postEvent(
        button, new QMouseEvent(QEvent::MouseButtonPress, at, at, Qt::LeftButton, Qt::LeftButton,
                                Qt::NoModifier));
    while (Clock::now() - clicked < std::chrono::seconds(5)) {
      if (fake.unreadStop().find("stop") != std::string::npos) {
        took_ms = std::chrono::duration<double, std::milli>(Clock::now() - clicked).count();
        break;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    QCoreApplication::postEvent(
        button, new QMouseEvent(QEvent::MouseButtonRelease, at, at, Qt::LeftButton, Qt::NoButton,
                                Qt::NoModifier));
    done = true;
  });
  while (!done) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  hand.join();
  fake.setDeafToStop(false);
  return took_ms;
}

}  // namespace

void measureLive(MainWindow& window, RigLink& rig, int seconds, int stops) {
  test::FakeRig fake(kSensor);
  fake.noisy = true;
  fake.status.surface_found = fake.status.registered = fake.status.position_trusted = true;
  fake.status.task = rig::messages::TaskKind::kRecord;
  fake.status.recording = rig::messages::RunningRecording{"/tmp/live.tact"};
  window.showPage(QStringLiteral("session"));
  rig.take(fake.connect());
  while (!fake.watched()) QCoreApplication::processEvents();
  const Sender sender(fake);
  run(12);  // plots of 10 s are full
  auto* map = window.findChild<QWidget*>(QStringLiteral("liveMap"));
  if (map == nullptr || !map->isVisible()) qFatal("the Session page shows no map");
  measurePictures(map, sender, seconds);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> wait_ms(0, 100);
  std::vector<double> took_ms;
  for (int i = 0; i < stops; ++i) {
    took_ms.push_back(stop_ms(fake, window.safetyBar()->stopButton(), wait_ms(random)));
    fake.status.trip.reset();
    run(0.4);  // what was held is live again
  }
  std::printf(
      "STOP, click to its bytes at the rig process: p50 %.2f ms, p99 %.2f ms, worst %.2f ms "
      "of %d\n",
      quantile(took_ms, 0.5), quantile(took_ms, 0.99), quantile(took_ms, 1), stops);
}

}  // namespace tactelier::gui::benchmark

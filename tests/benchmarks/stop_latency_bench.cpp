// From the force record that passes the limit to the stop byte at the controller: how long, and how
// far the force goes on. Everything runs as in a recording (LiveRig); the emulators live in another
// thread, which notes when it sends the first record above the limit and when the byte arrives.
// TACTELIER_BENCH_TRIALS sets how many stops (200 when unset); run it once on an idle machine and
// once beside "stress-ng --cpu 2". The supervisor asks for records in a row above a limit:
// two periods of the force sensor are part of the latency.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <random>

#include "devices/acquisition/live_rig.hpp"
#include "devices/bench/bench_of_rig.hpp"
#include "devices/bench/running_bench.hpp"
#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/sensor/sensor_document.hpp"
#include "tests/benchmarks/full_load_rig.hpp"

namespace tactelier {
namespace {

using namespace devices;

constexpr double kLimit_N = 3, kRest_N = 0.5, kTooMuch_N = 4;
constexpr double kPrepared_s = 50e-3;  // of motion that the controller has ready
constexpr double kStep_m = 1e-6;

int trials() {
  const char* text = std::getenv("TACTELIER_BENCH_TRIALS");
  int number = 200;
  if (text != nullptr) std::from_chars(text, text + std::string_view(text).size(), number);
  return number;
}

/// What the two ends of a stop saw, in host time; 0: not yet.
struct Stopwatch {
  std::atomic<bool> too_much{false};
  std::atomic<std::int64_t> sent_ns{0}, stopped_ns{0};
};

/// The controller, with somebody who notes when it is told to stop.
class NotingStage final : public Emulator {
 public:
  NotingStage(Emulator& grbl, Stopwatch& watch) : grbl_(grbl), watch_(watch) {}
  void receive(ByteView bytes, int peer, std::int64_t now_ns) override {
    const bool stop = std::any_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) {
      return byte == grbl::kHold || byte == grbl::kSoftReset;
    });
    if (stop && watch_.sent_ns != 0 && watch_.stopped_ns == 0)
      watch_.stopped_ns = steady_host_clock().now_ns();
    grbl_.receive(bytes, peer, now_ns);
  }
  void run_until(std::int64_t now_ns) override { grbl_.run_until(now_ns); }
  std::int64_t next_ns() const override { return grbl_.next_ns(); }
  std::optional<Outgoing> take(std::int64_t now_ns) override { return grbl_.take(now_ns); }
  void inject(const Fault& fault, std::int64_t now_ns) override { grbl_.inject(fault, now_ns); }
  bool hung_up(std::int64_t now_ns) override { return grbl_.hung_up(now_ns); }

 private:
  Emulator& grbl_;
  Stopwatch& watch_;
};

/// Presses along z; a little sway, because equal records look like a sensor that hangs.
WrenchSource pressing(Stopwatch& watch) {
  return [&watch](std::int64_t time_ns) {
    const double sway_N = 1e-3 * std::sin(1e-6 * static_cast<double>(time_ns));
    const bool over = watch.too_much;
    if (over && watch.sent_ns == 0) watch.sent_ns = steady_host_clock().now_ns();
    return std::array<double, 6>{0, 0, sway_N + (over ? kTooMuch_N : kRest_N), 0, 0, 0};
  };
}

RigFile limited_rig() {
  auto rig = virtual_bench_rig();
  rig.limits.max_force_N = kLimit_N;
  rig.document = R"({"force_sensor": {"press_axis": "z"}})";
  return rig;
}

/// One stop; its latency in ms.
Result<double> stop_once(rig::LiveRig& live, Stopwatch& watch, double rest_s) {
  rig::ContactState contact;
  contact.touching = contact.on_pad = true;
  live.set_contact(contact);
  auto& clock = steady_host_clock();
  const auto begin_ns = clock.now_ns() + static_cast<std::int64_t>(rest_s * 1e9);
  while (clock.now_ns() < begin_ns)
    if (auto heard = live.pump(Timeout(1)); !heard) return fail(heard.error());
  watch.sent_ns = watch.stopped_ns = 0;
  watch.too_much = true;
  while (watch.stopped_ns == 0) {
    (void)live.pump(Timeout(1));
    if (clock.now_ns() - begin_ns > 5'000'000'000)
      return fail(ErrorCode::kTimeout, "nothing stopped within 5 s");
  }
  watch.too_much = false;
  if (auto safe = live.secure(); !safe) return fail(safe.error());
  live.forget_soft_trips();
  return static_cast<double>(watch.stopped_ns - watch.sent_ns) * 1e-6;
}

void stop_latency(benchmark::State& state) {
  const auto folder = std::filesystem::temp_directory_path() / "tactelier-stop";
  std::filesystem::create_directories(folder);
  const auto refuse = [&](const Error& error) { state.SkipWithError(error.message.c_str()); };
  for (auto unused : state) {
    (void)unused;
    Stopwatch watch;
    FullLoadRig lab(static_cast<int>(state.range(0)), pressing(watch));
    NotingStage stage(lab.grbl, watch);
    auto file = lab.start(folder, stage, state.range(1) != 0);
    if (!file) return refuse(file.error());
    auto live = rig::LiveRig::open(std::move(*file), limited_rig());
    if (!live) return refuse(live.error());
    std::mt19937 random(1);
    std::vector<double> all_ms;
    for (int i = 0; i < trials(); ++i) {
      const auto latency_ms = stop_once(**live, watch, 1e-3 * static_cast<double>(random() % 40));
      if (!latency_ms) return refuse(latency_ms.error());
      all_ms.push_back(*latency_ms);
    }
    std::sort(all_ms.begin(), all_ms.end());
    state.counters["p50_ms"] = all_ms[all_ms.size() / 2];
    state.counters["p99_ms"] = all_ms[all_ms.size() * 99 / 100];
    state.counters["max_ms"] = all_ms.back();
  }
  std::filesystem::remove_all(folder);
}

/// The virtual bench at real speed, the tip 0.5 mm above the pad.
struct PressingRig {
  std::unique_ptr<RunningBench> bench;
  std::unique_ptr<rig::LiveRig> live;

  static Result<PressingRig> start() {
    auto rig = virtual_bench_rig();
    rig.limits.max_force_N = kLimit_N;
    const auto sensor = load_sensor("weiss-wts0614").value();
    pad::DrawOptions draw;
    draw.relaxation = false;
    const auto truth = pad::draw_truth(sensor, 1, draw).value();
    auto lab = pad::clean();
    lab.stage.step_m = kStep_m;
    lab.force.noise_N = 1e-4;  // the bench's peak is a sample; none at all would look frozen
    PressingRig pressing;
    auto bench = RunningBench::start(bench_setup_of(rig, truth, lab, 1).value());
    if (!bench) return fail(bench.error());
    pressing.bench = std::move(*bench);
    auto file = parse_device_file(
        pressing.bench->device_file(sensor_document(sensor).dump(), rig.stage.safe_height_m),
        "bench");
    if (!file) return fail(file.error());
    auto live = rig::LiveRig::open(std::move(*file), rig);
    if (!live) return fail(live.error());
    pressing.live = std::move(*live);
    return pressing.live->stage().home().map([&] { return std::move(pressing); });
  }
  Result<void> above() {
    auto& stage = live->stage();
    stage.unlock();
    if (auto sent = stage.move_to({0, 0, 0.5e-3}, 5e-3); !sent) return sent;
    if (auto idle = stage.wait_until_idle(Timeout(60'000)); !idle) return idle;
    live->in_free_air(true);
    auto rested = live->quiet_mean(0.5);
    live->in_free_air(false);
    return rested.map([](const auto&) {});
  }
};

struct Press {
  double peak_N = 0, slope_N_per_m = 0;
};

/// Down at a constant speed, with nobody but the supervisor to end it.
Result<Press> press(PressingRig& rig, double speed_m_per_s) {
  auto& live = *rig.live;
  if (auto there = rig.above(); !there) return fail(there.error());
  (void)rig.bench->take_peak_N();
  rig::ContactState contact;
  contact.touching = contact.on_pad = true;
  live.set_contact(contact);
  if (auto sent = live.stage().move_to({0, 0, -4e-3}, speed_m_per_s); !sent)
    return fail(sent.error());
  std::vector<std::pair<double, double>> rise;  // s, N: the last half newton below the limit
  while (live.pump(Timeout(2))) {
    const auto now = live.reading();
    const double pad_N = now.raw_N - now.bias_N;
    if (pad_N > kLimit_N - 0.5 && pad_N < kLimit_N)
      rise.emplace_back(1e-9 * static_cast<double>(now.force_ns), pad_N);
  }
  if (auto safe = live.secure(); !safe) return fail(safe.error());
  live.forget_soft_trips();
  Press done{rig.bench->take_peak_N(), 0};  // before the wire
  if (rise.size() > 2 && rise.back().first > rise.front().first)
    done.slope_N_per_m = (rise.back().second - rise.front().second) /
                         (rise.back().first - rise.front().first) / speed_m_per_s;
  return done;
}

void overshoot(benchmark::State& state) {
  const auto refuse = [&](const Error& error) { state.SkipWithError(error.message.c_str()); };
  const double speed_m_per_s = 1e-6 * static_cast<double>(state.range(0));
  for (auto unused : state) {
    (void)unused;
    auto rig = PressingRig::start();
    if (!rig) return refuse(rig.error());
    double most_N = 0, slope_N_per_m = 0;
    for (int i = 0; i < 5; ++i) {
      const auto pressed = press(*rig, speed_m_per_s);
      if (!pressed) return refuse(pressed.error());
      most_N = std::max(most_N, pressed->peak_N - kLimit_N);
      slope_N_per_m = std::max(slope_N_per_m, pressed->slope_N_per_m);
    }
    const double promised_N =
        rig::overshoot_N({slope_N_per_m, speed_m_per_s, 4e-3, kPrepared_s,
                          rig->live->stage().travel().acceleration_m_per_s2[2]}) +
        rig::stepping_N(kLimit_N, kStep_m);
    state.counters["overshoot_N"] = most_N;
    state.counters["promised_N"] = promised_N;
    state.counters["N_per_mm"] = 1e-3 * slope_N_per_m;
  }
}

// Speed of the press, um/s; 1000 force records a second.
BENCHMARK(overshoot)->Arg(100)->Arg(500)->Arg(2000)->ArgName("um_s")->Iterations(1)->Unit(
    benchmark::kSecond);

// Force records a second; the controller behind a pseudo-terminal (0) or a TCP socket (1).
BENCHMARK(stop_latency)
    ->ArgsProduct({{7000, 1000}, {0, 1}})
    ->ArgNames({"force_hz", "tcp"})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace tactelier

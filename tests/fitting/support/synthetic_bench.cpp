#include "tests/fitting/support/synthetic_bench.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "fitting/statistics/random.hpp"
#include "libcalib/session/session_writer.hpp"

namespace tactelier::synthetic {
namespace {

template <class T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  std::cerr << "synthetic bench: " << result.error().message << '\n';
  std::abort();
}

void must(const Result<void>& result) {
  if (result) return;
  std::cerr << "synthetic bench: " << result.error().message << '\n';
  std::abort();
}

std::string metadata_text(const Bench& bench) {
  return fmt::format(
      R"({{"format": "tactelier/session", "version": 1, "sensor": {{"vendor": "Synthetic",
"model": "pad", "rows": {}, "columns": {}, "pitch_x_mm": 3.4, "pitch_y_mm": 3.4, "channels": 1{}}},
"indenter": {{"id": "pin", "shape": "cylinder", "diameter_mm": 1.0}},
"force_sensor": {{"model": "cell", "press_axis": "{}"}}{}{}}})",
      bench.rows, bench.columns, bench.sensor_extra,
      bench.described_axis.empty() ? bench.press_axis : bench.described_axis,
      !bench.force_clock && !bench.tactile_clock
          ? ""
          : fmt::format(R"(, "clocks": {{"force": "{}", "stage": "host", "tactile": "{}"}})",
                        bench.force_clock ? "own" : "host", bench.tactile_clock ? "own" : "host"),
      bench.metadata_extra);
}

/// Columns of whole numbers at fixed decimal places, written chunk by chunk.
class Table {
 public:
  Table(StreamInfo info, std::vector<int> places)
      : info_(std::move(info)), places_(std::move(places)) {
    start();
  }

  void row(SessionWriter& writer, std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      chunk_.columns[i].mantissas.push_back(std::llround(values[i] * std::pow(10.0, -places_[i])));
    if (chunk_.rows() >= 256) flush(writer);
  }

  void flush(SessionWriter& writer) {
    if (chunk_.rows() > 0) must(writer.append(info_.kind, chunk_));
    start();
  }

  const StreamInfo& info() const { return info_; }

  /// Rows carry the device's time, arrival and counter from now on.
  void give_clock(const DeviceClock& clock) {
    clock_ = clock;
    info_.columns.push_back({"t_host", "s"});
    info_.columns.push_back({"seq", ""});
    places_.insert(places_.end(), {-6, 0});
    start();
  }

  /// values[0] is the host's time of the sample.
  void stamped_row(SessionWriter& writer, std::vector<double> values, RandomSource& random) {
    if (clock_) {
      const double host_s = values[0];
      const double number = counter_++;
      if (host_s >= clock_->gap_begin_s && host_s < clock_->gap_end_s) return;
      values[0] = clock_->start_s + host_s * (1 + clock_->skew);
      values.push_back(host_s + clock_->transport_s -
                       clock_->jitter_s * std::log(1 - random.uniform()));
      values.push_back(std::fmod(number, std::exp2(clock_->counter_bits)));
    }
    row(writer, values);
  }

 private:
  void start() {
    chunk_ = {};
    chunk_.columns.resize(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) chunk_.columns[i].exponent = places_[i];
  }

  StreamInfo info_;
  std::vector<int> places_;
  StreamChunk chunk_;
  std::optional<DeviceClock> clock_;
  double counter_ = 0;
};

StreamInfo tactile_info(int tactels) {
  StreamInfo info{StreamKind::kTactile, {{"t", "s"}}};
  for (int i = 0; i < tactels; ++i) info.columns.push_back({fmt::format("{}", i), ""});
  return info;
}

class Rig {
 public:
  Rig(const Bench& bench, SessionWriter& writer)
      : b_(bench),
        writer_(writer),
        random_(bench.seed),
        force_({StreamKind::kForce, {{"t", "s"}, {"Fx", "N"}, {"Fy", "N"}, {"Fz", "N"}}},
               {-6, -6, -6, -6}),
        stage_({StreamKind::kStage, {{"t", "s"}, {"x", "mm"}, {"y", "mm"}, {"z", "mm"}}},
               {-6, -3, -3, -6}),
        tactile_(tactile_info(bench.rows * bench.columns), [&] {
          std::vector<int> places(static_cast<std::size_t>(bench.rows * bench.columns) + 1);
          places[0] = -6;
          return places;
        }()) {
    if (b_.force_clock) force_.give_clock(*b_.force_clock);
    if (b_.tactile_clock) tactile_.give_clock(*b_.tactile_clock);
  }

  void run() {
    for (auto* table : {&force_, &stage_, &tactile_}) must(writer_.add_stream(table->info()));
    event("zero_begin", "{}");
    move(nullptr, 0, 1.0, false);
    event("zero_end", "{}");
    if (b_.plate_N > 0) {
      event("plate_begin", "{}");
      move(nullptr, b_.plate_N, b_.ramp_s, true);
      event("plate_end", "{}");
    }
    int number = 1;
    for (const auto& press : b_.presses) {
      event("press_begin", fmt::format(R"({{"press": {}, "tactel": {}, "kind": "{}"}})", number,
                                       press.tactel, press.kind));
      move(&press, press.peak_N, press.ramp_s > 0 ? press.ramp_s : b_.ramp_s, false);
      event("press_end", fmt::format(R"({{"press": {}, "outcome": "ok"}})", number));
      ++number;
    }
    for (const auto& weight : b_.weights) lie(weight, number++);
    for (auto* table : {&force_, &stage_, &tactile_}) table->flush(writer_);
  }

 private:
  void lie(const WeightPlan& weight, int number) {
    wait(weight.after_s);
    weight_ = &weight;
    steps_.push_back({time_s_, 1});
    wait(weight.rest_s);
    event("press_begin", fmt::format(R"({{"press": {}, "tactel": {}, "kind": "ramp"}})", number,
                                     weight.beside.tactel));
    move(&weight.beside, weight.beside.peak_N, b_.ramp_s, false);
    event("press_end", fmt::format(R"({{"press": {}, "outcome": "preloaded"}})", number));
    wait(1);
    steps_.push_back({time_s_, -1});
    wait(1);
  }
  void wait(double time_s) {
    for (const double end_s = time_s_ + time_s; time_s_ < end_s; time_s_ += 1 / b_.rate_hz)
      sample(nullptr, 0, 0, true, 0);
  }

  void event(std::string_view name, const std::string& data) {
    const auto t = must(Result<Decimal>(Decimal{std::llround(time_s_ * 1e6), -6}));
    must(writer_.add_event(must(make_event(t, name, data, "synthetic"))));
  }

  /// Down and up at constant speed, with free air around; force follows from travel.
  void move(const PressPlan* press, double peak_N, double ramp_s, bool plate) {
    const double deepest_m =
        (plate ? 0 : peak_N / b_.stiffness_N_per_m) + b_.compliance_m_per_N * peak_N;
    const double top_m = b_.surface_m + deepest_m;
    const double speed = peak_N > 0 ? deepest_m / ramp_s : 1e-4;
    const double start_m = b_.surface_m - speed * b_.free_s;
    const double total_s = 2 * (peak_N > 0 ? ramp_s + b_.free_s : b_.free_s);
    const auto steps = static_cast<int>(std::lround(total_s * b_.rate_hz));
    pressed_.clear();
    for (int i = 0; i < steps; ++i) {
      const double t = i / b_.rate_hz;
      const bool down = t <= total_s / 2;
      const double travel =
          peak_N > 0 ? (down ? start_m + speed * t : top_m - speed * (t - total_s / 2)) : start_m;
      const double inside = std::max(0.0, travel - b_.surface_m);
      const double softness = (plate ? 0 : 1 / b_.stiffness_N_per_m) + b_.compliance_m_per_N;
      const double force = inside > 0 ? inside / softness : 0;
      sample(press, travel, force, down, peak_N);
      time_s_ += 1 / b_.rate_hz;
    }
  }

  void sample(const PressPlan* press, double travel_m, double force_N, bool down, double peak_N) {
    const double sign = b_.press_axis.front() == '-' ? -1 : 1;
    if (b_.creep != 0) pressed_.push_back({time_s_, force_N});
    const double read_N = b_.force_bias_N + force_N + b_.force_noise_N * random_.normal();
    force_.stamped_row(writer_, {time_s_, 0.0, 0.0, sign * read_N}, random_);
    stage_.row(writer_, std::vector{time_s_, 0.0, 0.0, -1e3 * travel_m});
    std::vector<double> cells{time_s_ + b_.latency_s};
    for (int i = 0; i < b_.rows * b_.columns; ++i)
      cells.push_back(reading(i, press, force_N, down, peak_N));
    tactile_.stamped_row(writer_, std::move(cells), random_);
  }

  double reading(int index, const PressPlan* press, double force_N, bool down, double peak_N) {
    const auto& tactel = b_.tactels[static_cast<std::size_t>(index)];
    if (tactel.stuck) return *tactel.stuck;
    double counts = tactel.offset;
    if (lies_on(index))
      counts += std::max(0.0, resting_N() - tactel.threshold_N) / tactel.gain_N_per_count;
    if (press && (press->read_by < 0 ? press->tactel : press->read_by) == index && !tactel.dead) {
      const double threshold = tactel.threshold_N + press->threshold_shift_N;
      const double gain = tactel.gain_N_per_count * press->gain_factor;
      counts += std::max(0.0, force_N + b_.creep * decades_N() - threshold) / gain;
      const double u = peak_N > 0 ? force_N / peak_N : 0;
      if (!down) counts += b_.hysteresis * (peak_N / gain) * 4 * u * (1 - u);
    }
    counts = std::round(counts + tactel.noise * random_.normal());
    if (b_.floor_at_zero) counts = std::max(0.0, counts);
    return std::min(counts, tactel.ceiling);
  }

  bool lies_on(int index) const {
    return weight_ != nullptr &&
           std::ranges::find(weight_->tactels, index) != weight_->tactels.end();
  }
  /// On each tactel that bears the weight, as it reads it: each time the weight came or went added
  /// its own creep.
  double resting_N() const {
    double creep = 0;
    for (const auto& [at_s, sign] : steps_) creep += sign * std::log10(1 + time_s_ - at_s);
    const bool on = !steps_.empty() && steps_.back().second > 0;
    return weight_->force_N * ((on ? 1 : 0) + b_.creep * creep);
  }
  /// The same of the press, step by step.
  double decades_N() const {
    double sum_N = 0;
    for (std::size_t i = 1; i < pressed_.size() && b_.creep != 0; ++i)
      sum_N += (pressed_[i].second - pressed_[i - 1].second) *
               std::log10(1 + time_s_ - (pressed_[i].first + pressed_[i - 1].first) / 2);
    return sum_N;
  }

  const Bench& b_;
  SessionWriter& writer_;
  RandomSource random_;
  const WeightPlan* weight_ = nullptr;
  std::vector<std::pair<double, int>> steps_;       // when weights came (1) and went (-1)
  std::vector<std::pair<double, double>> pressed_;  // time and force since the press began
  Table force_, stage_, tactile_;
  double time_s_ = 0;
};

}  // namespace

Bench Bench::uniform(int rows, int columns, int repeats, const Tactel& tactel) {
  Bench bench;
  bench.rows = rows;
  bench.columns = columns;
  bench.tactels.assign(static_cast<std::size_t>(rows * columns), tactel);
  for (int t = 0; t < rows * columns; ++t)
    for (int r = 0; r < repeats; ++r) bench.presses.push_back({.tactel = t});
  return bench;
}

Recording::Recording(const Bench& bench) {
  static std::atomic<int> counter{0};
  folder_ = std::filesystem::temp_directory_path() /
            fmt::format("tactelier-fit-{}-{}", getpid(), counter++);
  std::filesystem::create_directories(folder_);
  const auto file = folder_ / "synthetic.tact";
  const auto metadata = must(parse_session_metadata(metadata_text(bench), "session.json"));
  {
    auto writer = must(SessionWriter::create_import(file, metadata));
    Rig(bench, writer).run();
    must(writer.finish());
  }
  session_ = std::make_unique<Session>(must(Session::open(file)));
}

Recording::~Recording() {
  session_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

FitSession Recording::fit_session() const {
  return {session_.get(),
          must(presses(session_->events(), session_->edits(), session_->metadata())),
          {}};
}

Result<SensorModel> Recording::fit(std::vector<std::string> stages, const FitOptions& options,
                                   const Job& job) const {
  return tactelier::fit({fit_session()}, stages, options, job);
}

}  // namespace tactelier::synthetic

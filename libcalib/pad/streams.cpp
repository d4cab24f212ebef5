#include "libcalib/pad/streams.hpp"

#include <cmath>

namespace tactelier::pad {
namespace {

constexpr double kRoom_degC = 22;

double between(double a, double b, double part) { return a + part * (b - a); }

double part_of(const Instant& before, const Instant& after, double t_s) {
  return (t_s - before.t_s) / (after.t_s - before.t_s);
}

}  // namespace

Streams::Streams(const PadTruth& truth, const Effects& effects, std::uint64_t seed)
    : stage_(effects.stage),
      latency_s_(truth.latency_s),
      row_scan_(effects.reading.row_scan),
      swing_K_(effects.reading.temperature_swing_K),
      force_clock_(effects.clock, effects.clock.crystal_ppm, seed, "force clock"),
      stage_clock_({false, 0, 0, 0, 0, 0, 0}, 0, seed, "stage clock"),
      tactile_clock_(effects.clock, effects.clock.array_ppm, seed, "tactile clock"),
      force_sensor_(effects.force, seed),
      polls_(seed, "stage polls"),
      force_s_(1 / (effects.force.rate_hz * (1 + force_clock_.skew()))),
      frame_s_(1 / (truth.rate_hz * (1 + tactile_clock_.skew()))),
      frame_(truth.tactels.size()) {
  std::size_t first = 0;
  for (const auto& array : truth.sensor.arrays)
    for (int i = 0; i < array.rows; ++i) {
      const std::size_t last = first + static_cast<std::size_t>(array.columns);
      rows_.push_back({first, last});
      first = last;
    }
  if (!row_scan_) rows_.assign(1, {0, frame_.size()});
  next_poll();
}

void Streams::next_poll() {
  poll_.request_s = static_cast<double>(poll_count_++) / stage_.report_hz;
  const double answer =
      stage_.answer_max_s > 0 ? polls_.uniform(stage_.answer_min_s, stage_.answer_max_s) : 0;
  poll_.latch_s = poll_.request_s + (answer > 0 ? answer * polls_.uniform() : 0);
  poll_.reply_s = poll_.request_s + answer;
}

void Streams::sample(const Instant& before, const Instant& after, Readout& readout,
                     PadOutput& output) {
  sample_force(before, after, output);
  sample_stage(before, after, output);
  sample_tactile(before, after, readout, output);
  while (static_cast<double>(temperature_count_) <= after.t_s) {
    const auto t_s = static_cast<double>(temperature_count_++);
    if (swing_K_ != 0)
      output.temperature.push_back({{t_s, t_s, t_s, 0}, kRoom_degC + readout.warmer_K(t_s)});
  }
}

void Streams::sample_force(const Instant& before, const Instant& after, PadOutput& output) {
  for (;;) {
    const double t_s = static_cast<double>(force_count_) * force_s_;
    if (t_s > after.t_s) return;
    ++force_count_;
    const double part = part_of(before, after, t_s);
    Wrench truth;
    for (std::size_t i = 0; i < truth.size(); ++i)
      truth[i] = between(before.wrench[i], after.wrench[i], part);
    output.force.push_back(
        {force_clock_.stamp(t_s), force_sensor_.sample(t_s, force_s_, truth, after.stepping)});
  }
}

void Streams::sample_stage(const Instant& before, const Instant& after, PadOutput& output) {
  while (poll_.latch_s <= after.t_s) {
    const double part = part_of(before, after, poll_.latch_s);
    StageSample sample{stage_clock_.stamp((poll_.request_s + poll_.reply_s) / 2), {}};
    for (std::size_t i = 0; i < 3; ++i) {
      double& at = sample.position_m[i];
      at = between(before.reported_m[i], after.reported_m[i], part);
      if (stage_.step_m > 0) at = std::round(at / stage_.step_m) * stage_.step_m;
    }
    output.stage.push_back(sample);
    next_poll();
  }
}

void Streams::sample_tactile(const Instant& before, const Instant& after, Readout& readout,
                             PadOutput& output) {
  while (next_row_s_ <= after.t_s) {
    const double part = part_of(before, after, next_row_s_);
    const double contact_N = between(before.contact_N, after.contact_N, part);
    readout.read(next_row_s_, contact_N, rows_[row_].first, rows_[row_].last, frame_);
    if (++row_ == rows_.size()) {
      const double frame_start_s = static_cast<double>(frame_count_++) * frame_s_;
      Stamp stamp = tactile_clock_.stamp(frame_start_s + latency_s_);
      stamp.host_s += next_row_s_ - frame_start_s;
      output.frames.push_back(stamp);
      output.counts.insert(output.counts.end(), frame_.begin(), frame_.end());
      row_ = 0;
    }
    next_row_s_ = (static_cast<double>(frame_count_) +
                   static_cast<double>(row_) / static_cast<double>(rows_.size())) *
                  frame_s_;
  }
}

}  // namespace tactelier::pad

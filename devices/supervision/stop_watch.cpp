#include "devices/supervision/stop_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

constexpr double kGrace_s = 0.15;
constexpr double kMoved_m = 5e-6;
constexpr double kRise_N = 0.1;
constexpr double kMean_s = 0.02;

double distance_m(const Vector3& a, const Vector3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

std::int64_t s_to_ns(double time_s) { return std::llround(time_s * 1e9); }

}  // namespace

StopWatch::StopWatch(double timeout_scale, double silence_s)
    : timeout_scale_(std::max(1.0, timeout_scale)), silence_s_(silence_s) {}

void StopWatch::begin(std::int64_t told_ns, double braking_s) {
  if (told_ns_) return;
  told_ns_ = told_ns;
  braking_s_ = braking_s;
  due_ns_ = told_ns + s_to_ns(braking_s + kGrace_s * timeout_scale_);
  rested_.reset();
  after_due_.reset();
  force_at_due_N_.reset();
  mean_ = {};
}

double StopWatch::since_stop_ms(std::int64_t time_ns) const {
  return static_cast<double>(time_ns - *told_ns_) * 1e-6;
}

std::optional<std::string> StopWatch::see_report(std::int64_t time_ns, const Vector3& at_m,
                                                 bool rests) {
  if (!told_ns_ || time_ns < *told_ns_) return std::nullopt;
  if (rests && rested_ && distance_m(rested_->at_m, at_m) <= kMoved_m) {
    end();
    return std::nullopt;
  }
  rested_ = rests ? std::optional(Place{time_ns, at_m}) : std::nullopt;
  if (time_ns < due_ns_) return std::nullopt;
  if (!after_due_) after_due_ = Place{time_ns, at_m};
  const double moved_m = distance_m(after_due_->at_m, at_m);
  if (moved_m <= kMoved_m) return std::nullopt;
  const auto why = fmt::format(
      "the stage does not stop: {:.0f} ms after it was told to, {:.0f} ms to brake, it still moves "
      "({:.3f} mm in {:.0f} ms)",
      since_stop_ms(time_ns), braking_s_ * 1e3, m_to_mm(moved_m),
      static_cast<double>(time_ns - after_due_->time_ns) * 1e-6);
  end();
  return why;
}

std::optional<std::string> StopWatch::see_force(std::int64_t time_ns, double force_N) {
  if (!told_ns_ || time_ns < *told_ns_ || !(braking_s_ > 0)) return std::nullopt;
  const double after_s = static_cast<double>(time_ns - due_ns_) * 1e-9;
  const auto bin = static_cast<std::int64_t>(std::floor(after_s / kMean_s));
  std::optional<std::string> why;
  if (mean_.samples > 0 && bin != mean_.bin) {
    if (mean_.bin < 0 || !force_at_due_N_)
      force_at_due_N_ = mean_.mean_N();
    else if (const double rise_N = mean_.mean_N() - *force_at_due_N_; rise_N > kRise_N)
      why = fmt::format(
          "the stage does not stop: {:.0f} ms after it was told to, {:.0f} ms to brake, the force "
          "still rises ({:.2f} N more)",
          since_stop_ms(time_ns), braking_s_ * 1e3, rise_N);
    mean_ = {bin, 0, 0};
  }
  mean_.bin = bin;
  mean_.sum_N += std::abs(force_N);
  ++mean_.samples;
  if (why) end();
  return why;
}

std::optional<std::string> StopWatch::look(std::int64_t now_ns) {
  const bool unheard = told_ns_ && !after_due_ && !rested_ && braking_s_ > 0;
  if (!unheard || now_ns < due_ns_ + s_to_ns(silence_s_)) return std::nullopt;
  const auto why =
      fmt::format("the stage was told to stop and has told no place for {:.0f} ms since",
                  since_stop_ms(now_ns));
  end();
  return why;
}

}  // namespace tactelier::rig

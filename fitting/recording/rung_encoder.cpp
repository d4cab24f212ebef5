#include <array>
#include <cmath>
#include <numbers>

#include "fitting/recording/virtual_encoder.hpp"

namespace tactelier {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
constexpr double kGap = 1.5;  // periods between times, beyond which they do not follow each other
constexpr double kStill_m = 1e-9;
constexpr std::size_t kPlaces = 64;  // of a step within a period
constexpr double kSeriesAngle = 1;   // rad, up to which the field's series is good to 3e-6

/// What is left of a lag and of a speed after a while.
struct Decay {
  double place_of_lag = 1, place_of_speed = 0;  // s
  double speed_of_lag = 0, speed_of_speed = 1;  // 1/s
};

Decay decay_after(const AxisRing& ring, double t_s) {
  const double w = kTwoPi * ring.frequency_hz;
  const double turning = w * std::sqrt(1 - ring.damping * ring.damping);
  const double fading = ring.damping * w;
  const double left = std::exp(-fading * t_s);
  const double c = left * std::cos(turning * t_s), s = left * std::sin(turning * t_s) / turning;
  return {c + fading * s, s, -w * w * s, c - fading * s};
}

/// One axis: the lag behind where it is held, period by period.
class RungAxis {
 public:
  RungAxis(const AxisRing& ring, double period_s)
      : period_s_(period_s),
        per_m_(ring.field_m > 0 ? kTwoPi / ring.field_m : 0),
        kick_per_s_(period_s * kTwoPi * ring.frequency_hz * kTwoPi * ring.frequency_hz),
        whole_(decay_after(ring, period_s)) {
    for (std::size_t i = 0; i <= kPlaces; ++i)
      after_[i] = decay_after(ring, period_s * static_cast<double>(i) / kPlaces);
  }

  void rest() { lag_m_ = speed_m_per_s_ = 0; }
  /// The next period; steps within it are added by `step`.
  void next() {
    const double lag_m = lag_m_;
    lag_m_ = whole_.place_of_lag * lag_m + whole_.place_of_speed * speed_m_per_s_;
    speed_m_per_s_ = whole_.speed_of_lag * lag_m + whole_.speed_of_speed * speed_m_per_s_;
    if (std::abs(lag_m_) < kStill_m && std::abs(speed_m_per_s_) < kStill_m / period_s_) rest();
  }
  /// What holds the axis jumped by `by_m`, `ago_s` before the end of the period.
  void step(double by_m, double ago_s) {
    const double at = std::min(ago_s / period_s_, 1.0) * kPlaces;
    const auto low = std::min(kPlaces - 1, static_cast<std::size_t>(at));
    const double share = at - static_cast<double>(low);
    const auto &a = after_[low], &b = after_[low + 1];
    lag_m_ -= by_m * (a.place_of_lag + share * (b.place_of_lag - a.place_of_lag));
    speed_m_per_s_ -= by_m * (a.speed_of_lag + share * (b.speed_of_lag - a.speed_of_lag));
  }
  /// What the field falls short of a spring, as a kick between periods: second order in time.
  void soften() { speed_m_per_s_ += kick_per_s_ * shortfall_m(); }
  double lag_m() const { return lag_m_; }

 private:
  /// lag - P/(2 pi) sin(2 pi lag/P)
  double shortfall_m() const {
    const double angle = per_m_ * lag_m_;
    if (std::abs(angle) > kSeriesAngle) return lag_m_ - std::sin(angle) / per_m_;
    const double squared = angle * angle;
    return lag_m_ * squared * (1.0 / 6 - squared * (1.0 / 120 - squared / 5040));
  }

  double period_s_;
  double per_m_;
  double kick_per_s_;
  Decay whole_;
  std::array<Decay, kPlaces + 1> after_;
  double lag_m_ = 0;
  double speed_m_per_s_ = 0;
};

}  // namespace

std::vector<double> rung_encoder_m(const CommandedPath& path, std::size_t axis,
                                   const AxisDrive& drive, const AxisRing& ring, double period_s,
                                   std::span<const double> times_s) {
  const auto& lines = path.lines();
  if (lines.empty()) return {};
  Screw screw(drive, lines.front().motion.from_m()[axis]);
  RungAxis rotor(ring, period_s);
  std::vector<double> places_m;
  places_m.reserve(times_s.size());
  std::size_t at = 0;  // the line under way
  double before_m = lines.front().motion.from_m()[axis], before_s = -HUGE_VAL;
  for (const double time_s : times_s) {
    const double told_s = time_s - drive.delay_s;
    for (; at + 1 < lines.size() && lines[at + 1].begin_s <= told_s; ++at) {
      screw.command(lines[at].place_m(lines[at].end_s)[axis]);
      screw.command(lines[at + 1].motion.from_m()[axis]);
    }
    const double told_m = lines[at].place_m(told_s)[axis];
    if (told_s - before_s > kGap * period_s) {
      screw.command(told_m);
      rotor.rest();
    } else {
      rotor.next();
      const auto last = std::llround(told_m / drive.step_m);
      const int way = told_m > before_m ? 1 : -1;
      for (auto nut = std::llround(before_m / drive.step_m); nut != last; nut += way) {
        const double due_m = (static_cast<double>(nut) + 0.5 * way) * drive.step_m;
        const double left = (told_m - due_m) / (told_m - before_m);
        const double held_m = screw.place_m();
        screw.turn_to(static_cast<double>(nut + way) * drive.step_m);
        rotor.step(screw.place_m() - held_m, std::max(0.0, left) * period_s);
      }
      rotor.soften();
    }
    before_m = told_m;
    before_s = told_s;
    places_m.push_back(screw.place_m() + rotor.lag_m());
  }
  return places_m;
}

}  // namespace tactelier

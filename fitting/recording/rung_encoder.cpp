#include <array>
#include <cmath>
#include <numbers>

#include "fitting/recording/axis_turns.hpp"

namespace tactelier {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
constexpr double kStill_m = 1e-9;
constexpr std::size_t kPlaces = 64;      // of a step within a period
constexpr double kSeriesAngle = 1;       // rad, up to which the field's series is good to 3e-6
constexpr std::int32_t kTableRows = 64;  // steps in a period of the microstep error, at most
constexpr double kDecayStep = 1e-5;      // of the differences by ring and damping

/// One harmonic of the microstep error as a sin + b cos of its phase.
struct TurnedWave {
  double sin_m = 0, cos_m = 0, per_m = 0;  // factors of sine and cosine; phase over way

  explicit TurnedWave(const AxisDrive::Harmonic& harmonic)
      : sin_m(harmonic.amplitude_m * std::cos(harmonic.phase_rad)),
        cos_m(harmonic.amplitude_m * std::sin(harmonic.phase_rad)),
        per_m(harmonic.period_m > 0 ? kTwoPi / harmonic.period_m : 0) {}
};

/// Where it stands.
struct WaveAt {
  double sin = 0, cos = 0;

  double error_m(const TurnedWave& wave) const { return wave.sin_m * sin + wave.cos_m * cos; }
  double slope(const TurnedWave& wave) const {
    return wave.per_m * (wave.sin_m * cos - wave.cos_m * sin);
  }
};

/// The screw and its nut (axis_drive.hpp) with derivatives. The microstep error repeats over whole
/// steps and is looked up.
class TurnedScrew {
 public:
  TurnedScrew(const AxisTurns& turns, const AxisDrive& drive)
      : up_(drive.up_drives),
        play_m_(drive.backlash_m),
        waves_{TurnedWave(drive.microstep[0]), TurnedWave(drive.microstep[1])} {
    set_tables(turns.step_m);
    driven_m_ = turns.start_m;
    take(waves_at(driven_m_));
  }

  void turn_to(const AxisTurns::Turn& turn) {
    const double low_m = up_ ? turn.nut_m : turn.nut_m - play_m_;
    const double high_m = up_ ? turn.nut_m + play_m_ : turn.nut_m;
    if (driven_m_ >= low_m && driven_m_ <= high_m) return;
    const bool below = driven_m_ < low_m;
    driven_m_ = below ? low_m : high_m;
    far_ = below != up_;
    if (rows_ == 0) return take(waves_at(driven_m_));
    const std::int32_t row = turn.nut % rows_;
    take(table_[far_][static_cast<std::size_t>(row < 0 ? row + rows_ : row)]);
  }

  double place_m() const { return driven_m_ + error_m_; }
  void slopes(AxisSlopes& by) const {
    const double moved = 1 + at_[0].slope(waves_[0]) + at_[1].slope(waves_[1]);
    by[kAxisBacklash] = far_ ? (up_ ? 1 : -1) * moved : 0;
    by[kAxisRippleCos] = at_[0].sin;
    by[kAxisRippleSin] = at_[0].cos;
    by[kAxisSecondCos] = at_[1].sin;
    by[kAxisSecondSin] = at_[1].cos;
  }

 private:
  using Waves = std::array<WaveAt, 2>;

  Waves waves_at(double at_m) const {
    Waves at;
    for (std::size_t k = 0; k < at.size(); ++k)
      if (const double angle = waves_[k].per_m * at_m; waves_[k].per_m > 0)
        at[k] = {std::sin(angle), std::cos(angle)};
    return at;
  }
  void take(const Waves& at) {
    at_ = at;
    error_m_ = at[0].error_m(waves_[0]) + at[1].error_m(waves_[1]);
  }
  /// Steps after which the whole error is the same again; 0 where there are none, or many.
  std::int32_t steps_of_period(double step_m) const {
    if (!(step_m > 0) || !(waves_[0].per_m > 0)) return 0;
    const double rows = std::round(kTwoPi / (waves_[0].per_m * step_m));
    if (rows < 1 || rows > kTableRows) return 0;
    for (const auto& wave : waves_) {
      const double periods = rows * step_m * wave.per_m / kTwoPi;
      if (std::abs(periods - std::round(periods)) > 1e-12 * periods) return 0;
    }
    return static_cast<std::int32_t>(rows);
  }
  void set_tables(double step_m) {
    rows_ = steps_of_period(step_m);
    const double far_m = up_ ? play_m_ : -play_m_;
    for (std::int32_t i = 0; i < rows_; ++i) {
      table_[0][static_cast<std::size_t>(i)] = waves_at(i * step_m);
      table_[1][static_cast<std::size_t>(i)] = waves_at(i * step_m + far_m);
    }
  }

  bool up_, far_ = false;  // which flank drove last
  double play_m_;
  std::array<TurnedWave, 2> waves_;
  std::int32_t rows_ = 0;
  std::array<std::array<Waves, kTableRows>, 2> table_{};
  double driven_m_ = 0, error_m_ = 0;
  Waves at_;
};

/// What is left of a lag and of a speed after a while.
struct Decay {
  double place_of_lag = 1, place_of_speed = 0;  // s
  double speed_of_lag = 0, speed_of_speed = 1;  // 1/s
};

Decay decay_after(double frequency_hz, double damping, double t_s) {
  const double w = kTwoPi * frequency_hz;
  const double turning = w * std::sqrt(1 - damping * damping);
  const double fading = damping * w;
  const double left = std::exp(-fading * t_s);
  const double c = left * std::cos(turning * t_s), s = left * std::sin(turning * t_s) / turning;
  return {c + fading * s, s, -w * w * s, c - fading * s};
}

Decay between(const Decay& a, const Decay& b, double share) {
  return {a.place_of_lag + share * (b.place_of_lag - a.place_of_lag),
          a.place_of_speed + share * (b.place_of_speed - a.place_of_speed),
          a.speed_of_lag + share * (b.speed_of_lag - a.speed_of_lag),
          a.speed_of_speed + share * (b.speed_of_speed - a.speed_of_speed)};
}

Decay slope_of(const Decay& more, const Decay& less) {
  const auto by = [](double a, double b) { return (a - b) / (2 * kDecayStep); };
  return {by(more.place_of_lag, less.place_of_lag), by(more.place_of_speed, less.place_of_speed),
          by(more.speed_of_lag, less.speed_of_lag), by(more.speed_of_speed, less.speed_of_speed)};
}

/// A decay and its derivatives by kAxisLogRing and kAxisRingDamping.
struct BentDecay {
  Decay value, by_log_ring, by_damping;

  BentDecay() = default;
  BentDecay(const AxisRing& ring, double t_s)
      : value(decay_after(ring.frequency_hz, ring.damping, t_s)),
        by_log_ring(
            slope_of(decay_after(ring.frequency_hz * std::exp(kDecayStep), ring.damping, t_s),
                     decay_after(ring.frequency_hz * std::exp(-kDecayStep), ring.damping, t_s))),
        by_damping(slope_of(decay_after(ring.frequency_hz, ring.damping + kDecayStep, t_s),
                            decay_after(ring.frequency_hz, ring.damping - kDecayStep, t_s))) {}
};

/// The rotor's lag behind where it is held, period by period, with derivatives where asked for.
template <bool kSlopes>
class RungAxis {
 public:
  RungAxis(const AxisRing& ring, double period_s)
      : period_s_(period_s),
        per_m_(ring.field_m > 0 ? kTwoPi / ring.field_m : 0),
        kick_per_s_(period_s * kTwoPi * ring.frequency_hz * kTwoPi * ring.frequency_hz),
        whole_(ring, period_s) {
    for (std::size_t i = 0; i <= kPlaces; ++i)
      after_[i] = BentDecay(ring, period_s * static_cast<double>(i) / kPlaces);
  }

  void rest() {
    lag_m_ = speed_m_per_s_ = 0;
    if constexpr (kSlopes) lag_by_ = speed_by_ = AxisSlopes::Zero();
  }
  /// The next period; steps within it are added by `step`.
  void next() {
    if (lag_m_ == 0 && speed_m_per_s_ == 0) return;
    const double lag_m = lag_m_, speed_m_per_s = speed_m_per_s_;
    const auto& d = whole_.value;
    lag_m_ = d.place_of_lag * lag_m + d.place_of_speed * speed_m_per_s;
    speed_m_per_s_ = d.speed_of_lag * lag_m + d.speed_of_speed * speed_m_per_s;
    if constexpr (kSlopes) {
      const AxisSlopes by = d.place_of_lag * lag_by_ + d.place_of_speed * speed_by_;
      speed_by_ = d.speed_of_lag * lag_by_ + d.speed_of_speed * speed_by_;
      lag_by_ = by;
      add(kAxisLogRing, whole_.by_log_ring, lag_m, speed_m_per_s);
      add(kAxisRingDamping, whole_.by_damping, lag_m, speed_m_per_s);
    }
    if (std::abs(lag_m_) < kStill_m && std::abs(speed_m_per_s_) < kStill_m / period_s_) rest();
  }
  /// What holds the axis jumped by `by_m`, when `left` of the period was to come.
  void step(double by_m, const AxisSlopes& by, double left) {
    const double at = left * kPlaces;
    const auto low = std::min(kPlaces - 1, static_cast<std::size_t>(at));
    const double share = at - static_cast<double>(low);
    const auto &a = after_[low], &b = after_[low + 1];
    const auto d = between(a.value, b.value, share);
    lag_m_ -= by_m * d.place_of_lag;
    speed_m_per_s_ -= by_m * d.speed_of_lag;
    if constexpr (kSlopes) {
      lag_by_ -= d.place_of_lag * by;
      speed_by_ -= d.speed_of_lag * by;
      add(kAxisLogRing, between(a.by_log_ring, b.by_log_ring, share), -by_m, 0);
      add(kAxisRingDamping, between(a.by_damping, b.by_damping, share), -by_m, 0);
    }
  }
  /// What the field falls short of a spring, as a kick between periods: second order in time.
  void soften() {
    if (per_m_ == 0 || lag_m_ == 0) return;
    const double angle = per_m_ * lag_m_;
    const double squared = angle * angle;
    const bool small = squared < kSeriesAngle * kSeriesAngle;
    // lag - P/(2 pi) sin(2 pi lag/P)
    const double shortfall_m =
        small ? lag_m_ * squared * (1.0 / 6 - squared * (1.0 / 120 - squared / 5040))
              : lag_m_ - std::sin(angle) / per_m_;
    speed_m_per_s_ += kick_per_s_ * shortfall_m;
    if constexpr (kSlopes) {
      const double by_lag =
          small ? squared * (0.5 - squared * (1.0 / 24 - squared / 720)) : 1 - std::cos(angle);
      speed_by_ += (kick_per_s_ * by_lag) * lag_by_;
      speed_by_[kAxisLogRing] += 2 * kick_per_s_ * shortfall_m;
    }
  }
  double lag_m() const { return lag_m_; }
  const AxisSlopes& slopes() const { return lag_by_; }

 private:
  void add(AxisParameter parameter, const Decay& d, double lag_m, double speed_m_per_s) {
    lag_by_[parameter] += d.place_of_lag * lag_m + d.place_of_speed * speed_m_per_s;
    speed_by_[parameter] += d.speed_of_lag * lag_m + d.speed_of_speed * speed_m_per_s;
  }

  double period_s_;
  double per_m_;
  double kick_per_s_;
  BentDecay whole_;
  std::array<BentDecay, kPlaces + 1> after_;
  double lag_m_ = 0;
  double speed_m_per_s_ = 0;
  AxisSlopes lag_by_ = AxisSlopes::Zero(), speed_by_ = AxisSlopes::Zero();
};

template <bool kSlopes>
std::vector<double> rung_axis_m(const AxisTurns& turns, const AxisDrive& drive,
                                const AxisRing& ring, std::vector<AxisSlopes>* slopes) {
  TurnedScrew screw(turns, drive);
  RungAxis<kSlopes> rotor(ring, turns.period_s);
  AxisSlopes held_by = AxisSlopes::Zero(), before_by = held_by;
  if constexpr (kSlopes) screw.slopes(held_by);
  std::vector<double> places_m(turns.end.size());
  std::size_t turn = 0;
  for (std::size_t i = 0; i < places_m.size(); ++i) {
    if (turns.rested[i])
      rotor.rest();
    else
      rotor.next();
    for (; turn < turns.end[i]; ++turn) {
      const auto& to = turns.turns[turn];
      const double held_m = screw.place_m();
      screw.turn_to(to);
      const double by_m = screw.place_m() - held_m;
      if (by_m == 0) continue;
      if constexpr (kSlopes) {
        before_by = held_by;
        screw.slopes(held_by);
      }
      if (to.left >= 0) rotor.step(by_m, held_by - before_by, to.left);
    }
    if (!turns.rested[i]) rotor.soften();
    places_m[i] = screw.place_m() + rotor.lag_m();
    if constexpr (kSlopes) (*slopes)[i] = held_by + rotor.slopes();
  }
  return places_m;
}

std::vector<double> stepped_axis_m(const AxisTurns& turns, const AxisDrive& drive,
                                   std::vector<AxisSlopes>* slopes) {
  TurnedScrew screw(turns, drive);
  std::vector<double> places_m(turns.end.size());
  std::size_t turn = 0;
  for (std::size_t i = 0; i < places_m.size(); ++i) {
    for (; turn < turns.end[i]; ++turn) screw.turn_to(turns.turns[turn]);
    places_m[i] = screw.place_m();
    if (slopes) screw.slopes((*slopes)[i]);
  }
  return places_m;
}

}  // namespace

std::vector<double> turned_axis_m(const AxisTurns& turns, const AxisDrive& drive,
                                  const AxisRing* ring, std::vector<AxisSlopes>* slopes) {
  if (slopes) slopes->assign(turns.end.size(), AxisSlopes::Zero());
  if (!ring) return stepped_axis_m(turns, drive, slopes);
  return slopes ? rung_axis_m<true>(turns, drive, *ring, slopes)
                : rung_axis_m<false>(turns, drive, *ring, nullptr);
}

std::vector<double> rung_encoder_m(const CommandedPath& path, std::size_t axis,
                                   const AxisDrive& drive, const AxisRing& ring, double period_s,
                                   std::span<const double> times_s) {
  if (path.lines().empty()) return {};
  const auto turns = axis_turns(path, axis, drive.step_m, drive.delay_s, period_s, times_s);
  return turned_axis_m(turns, drive, &ring, nullptr);
}

}  // namespace tactelier

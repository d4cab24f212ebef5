#include "reports/verify/verification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libcalib/forward/foundation_column.hpp"

namespace tactelier {
namespace {

constexpr std::array kLevels{0.1, 0.3, 0.5, 0.7, 0.9};  // of the range
constexpr double kStaticTolerance_percent = 1;
constexpr double kHardeningTolerance_percent = 0.1;
constexpr double kDampingTolerance_percent = 3;
constexpr double kFrictionTolerance_percent = 1;
constexpr double kMostOfTravel = 0.95;  // beyond, the pad's lower stop begins to act

std::vector<double> magnitudes(const std::vector<VerifiedPress>& presses) {
  std::vector<double> errors;
  for (const auto& press : presses) errors.push_back(std::abs(press.error_percent));
  std::sort(errors.begin(), errors.end());
  return errors;
}

VerifiedPress compared(std::string press, double expected, double seen, double reference) {
  return {std::move(press), expected, seen, 100 * (seen - expected) / reference};
}

/// The spring of our own soft contact, hardening included where the format holds it.
class SpringLaw {
 public:
  SpringLaw(const SensorModel& model, const MujocoPad& pad)
      : column_(column_of(model, 0).value_or(FoundationColumn{})) {
    if (!pad.hardening) column_.hardening = {};
    most_m_ = pad.hardening ? pad.hardening->end_m : std::numeric_limits<double>::infinity();
    if (pad.travel_m) most_m_ = std::min(most_m_, kMostOfTravel * *pad.travel_m);
  }

  /// As deep as the pad gives way and the law is known.
  double most_m() const { return most_m_; }
  double force_N(double depth_m) const { return column_.spring_N(depth_m); }
  /// Straight on beyond the last point of a curve.
  double depth_m(double force_N) const {
    double low_m = 0, high_m = force_N / column_.stiffness_N_per_m;
    if (column_.spring_N(high_m) == force_N) return high_m;
    while (high_m - low_m > 1e-9 * high_m) {
      const double middle_m = (low_m + high_m) / 2;
      (column_.spring_N(middle_m) < force_N ? low_m : high_m) = middle_m;
    }
    return high_m;
  }

 private:
  FoundationColumn column_;
  double most_m_ = 0;
};

Result<std::array<double, 2>> range_N(const SensorModel& model, const MujocoPad& pad) {
  const auto stated = model.validity.force_N;
  const SpringLaw law(model, pad);
  if (!stated && !std::isfinite(law.most_m()))
    return fail(
        ErrorCode::kUnidentifiable,
        "validity.force_N: the model states no range of forces, nor how far a tactel gives: "
        "there is nothing to press over; --assume stiffness.max_penetration=VALUE");
  if (!std::isfinite(law.most_m())) return *stated;
  const double full_N = law.force_N(law.most_m());
  if (!stated) return std::array{0.0, full_N};
  return std::array{std::min((*stated)[0], full_N), std::min((*stated)[1], full_N)};
}

/// What our model says, and the list of presses, carried out one after the other.
class PadPresses {
 public:
  PadPresses(const SensorModel& model, const MujocoPad& pad, PressTarget& target, const Job& job,
             Verification& found)
      : pad_(pad),
        target_(target),
        job_(job),
        found_(found),
        law_(model, pad),
        c_N_s_per_m_(*model.damping.c_n.value),
        fastest_m_per_s_(model.validity.speed_m_per_s.value_or(std::array{0.0, 0.05})[1]) {}

  Result<void> run() {
    const bool level = is_level(pad_.places);
    auto done = level ? plate() : skip("plate, damping and friction", "the pad is not level");
    if (done && level) done = damping();
    if (done && level) done = friction();
    if (done) done = single_tactels();
    found_.left_out.push_back(
        "images of shapes: one tip per tactel holds no pressure between tactels");
    return done;
  }

 private:
  double load_N(double level) const {
    return found_.force_N[0] + level * (found_.force_N[1] - found_.force_N[0]);
  }

  /// What tactel i shows under a force.
  double shown_N(std::size_t i, double force_N) const {
    const auto& readout = pad_.readouts[i];
    if (!readout.reads) return 0;
    return std::min(force_N, readout.saturation_N().value_or(force_N));
  }

  Result<void> skip(const char* what, const char* why) {
    found_.left_out.push_back(fmt::format("{}: {}", what, why));
    return {};
  }

  Result<void> step(const std::string& press) {
    if (job_.stopped()) return Job::cancelled();
    job_.progress(press, static_cast<double>(done_++),
                  static_cast<double>(3 * kLevels.size() + pad_.places.size()));
    return {};
  }

  void add_forces(const std::string& press, double force_N, const std::vector<double>& seen_N,
                  VerifiedQuantity& quantity) const {
    for (std::size_t i = 0; i < pad_.places.size(); ++i)
      quantity.presses.push_back(compared(fmt::format("{}: tactel {}", press, i),
                                          shown_N(i, force_N), seen_N[i], force_N));
  }

  Result<void> plate() {
    VerifiedQuantity depth{"depth under a plate", "m", kStaticTolerance_percent, {}};
    VerifiedQuantity written{
        "depth under a plate, by the written cubic", "m", kHardeningTolerance_percent, {}};
    VerifiedQuantity force{"force on each tactel under a plate", "N", kStaticTolerance_percent, {}};
    for (const double level : kLevels) {
      const double each_N = load_N(level);
      const auto press = fmt::format("plate, {:.4g} N on each tactel", each_N);
      if (auto go = step(press); !go) return go;
      const auto seen = target_.plate_at_rest(each_N * static_cast<double>(pad_.places.size()));
      if (!seen) return fail(seen.error(), press);
      const double expected_m = law_.depth_m(each_N);
      depth.presses.push_back(compared(press, expected_m, seen->depth_m, expected_m));
      const double written_m = pad_.spring().depth_m(each_N);
      written.presses.push_back(compared(press, written_m, seen->depth_m, written_m));
      add_forces(press, each_N, seen->force_N, force);
    }
    found_.quantities.push_back(std::move(depth));
    if (pad_.hardening) found_.quantities.push_back(std::move(written));
    found_.quantities.push_back(std::move(force));
    return {};
  }

  /// Slow enough that the way is many time steps long.
  double speed_to_m_per_s(double depth_m) const {
    constexpr double kSteps = 100;
    return std::min(fastest_m_per_s_, depth_m / (kSteps * found_.target.time_step_s));
  }

  /// Of forces at two speeds: the spring's share, a thousand times the damper's, falls out.
  Result<void> damping() {
    if (c_N_s_per_m_ == 0) return skip("damping", "the model's is 0");
    VerifiedQuantity damping{"damping of each tactel", "N*s/m", kDampingTolerance_percent, {}};
    for (const double level : kLevels) {
      const double depth_m = law_.depth_m(load_N(level));
      const double speed_m_per_s = speed_to_m_per_s(depth_m);
      const auto press =
          fmt::format("plate moving at {:.4g} m/s, {:.4g} m deep", speed_m_per_s, depth_m);
      if (auto go = step(press); !go) return go;
      const auto fast = target_.plate_moving(depth_m, speed_m_per_s);
      if (!fast) return fail(fast.error(), press);
      const auto slow = target_.plate_moving(depth_m, speed_m_per_s / 10);
      if (!slow) return fail(slow.error(), press);
      add_damping(press, speed_m_per_s, *fast, *slow, damping);
    }
    if (damping.presses.empty()) return skip("damping", "every tactel is saturated or dead");
    found_.quantities.push_back(std::move(damping));
    return {};
  }

  void add_damping(const std::string& press, double speed_m_per_s, const PressSeen& fast,
                   const PressSeen& slow, VerifiedQuantity& damping) const {
    const double difference_m_per_s = 0.9 * speed_m_per_s;
    for (std::size_t i = 0; i < pad_.places.size(); ++i) {
      const double most_N = law_.force_N(fast.depth_m) + c_N_s_per_m_ * speed_m_per_s;
      if (shown_N(i, most_N) < most_N) continue;  // what is clipped says nothing of speed
      const double spring_N =
          pad_.spring().force_N(fast.depth_m) - pad_.spring().force_N(slow.depth_m);
      damping.presses.push_back(compared(
          fmt::format("{}: tactel {}", press, i), c_N_s_per_m_,
          (fast.force_N[i] - slow.force_N[i] - spring_N) / difference_m_per_s, c_N_s_per_m_));
    }
  }

  Result<void> friction() {
    if (!pad_.friction || *pad_.friction == 0)
      return skip("friction", "the model has none to compare with");
    VerifiedQuantity friction{"friction of a sliding plate", "", kFrictionTolerance_percent, {}};
    for (const double level : kLevels) {
      const double depth_m = law_.depth_m(load_N(level));
      const double speed_m_per_s = speed_to_m_per_s(depth_m);
      const auto press =
          fmt::format("plate sliding at {:.4g} m/s, {:.4g} m deep", speed_m_per_s, depth_m);
      if (auto go = step(press); !go) return go;
      const auto seen = target_.friction_of_plate(depth_m, speed_m_per_s);
      if (!seen) return fail(seen.error(), press);
      friction.presses.push_back(compared(press, *pad_.friction, *seen, *pad_.friction));
    }
    found_.quantities.push_back(std::move(friction));
    return skip("force on each tactel while something slides",
                "contacts chatter there; what is compared is lateral by normal force");
  }

  /// Every tactel by itself: that it stands where it should, in its place among the readings.
  Result<void> single_tactels() {
    VerifiedQuantity depth{"depth of a ball on one tactel", "m", kStaticTolerance_percent, {}};
    VerifiedQuantity force{"force on the tactel under a ball", "N", kStaticTolerance_percent, {}};
    VerifiedQuantity beside{"force on all others", "N", kStaticTolerance_percent, {}};
    const double each_N = load_N(0.5);
    for (std::size_t i = 0; i < pad_.places.size(); ++i) {
      const auto press = fmt::format("ball on tactel {}, {:.4g} N", i, each_N);
      if (auto go = step(press); !go) return go;
      const auto seen = target_.tactel_at_rest(static_cast<int>(i), each_N);
      if (!seen) return fail(seen.error(), press);
      const double expected_m = law_.depth_m(each_N);
      depth.presses.push_back(compared(press, expected_m, seen->depth_m, expected_m));
      force.presses.push_back(compared(press, shown_N(i, each_N), seen->force_N[i], each_N));
      double others_N = -seen->force_N[i];
      for (const double one_N : seen->force_N) others_N += one_N;
      beside.presses.push_back(compared(press, 0, others_N, each_N));
    }
    for (auto* quantity : {&depth, &force, &beside})
      found_.quantities.push_back(std::move(*quantity));
    return {};
  }

  const MujocoPad& pad_;
  PressTarget& target_;
  const Job& job_;
  Verification& found_;
  SpringLaw law_;
  double c_N_s_per_m_, fastest_m_per_s_;
  int done_ = 0;
};

}  // namespace

double VerifiedQuantity::median_percent() const {
  const auto errors = magnitudes(presses);
  const auto half = errors.size() / 2;
  return errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
}

double VerifiedQuantity::worst_percent() const { return magnitudes(presses).back(); }

bool Verification::passed() const {
  return std::all_of(quantities.begin(), quantities.end(),
                     [](const auto& quantity) { return quantity.passed(); });
}

Result<Verification> verify_pad(const SensorModel& model, const MujocoPad& pad, PressTarget& target,
                                const Job& job) {
  const auto range = range_N(model, pad);
  if (!range) return fail(range.error());
  Verification found;
  found.target = target.facts();
  found.force_N = *range;
  if (auto done = PadPresses(model, pad, target, job, found).run(); !done)
    return fail(done.error());
  return found;
}

}  // namespace tactelier

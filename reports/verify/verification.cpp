#include "reports/verify/verification.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/units.hpp"
#include "reports/verify/pad_shapes.hpp"
#include "reports/verify/press_list.hpp"

namespace tactelier {
namespace {

constexpr double kActive = 0.01;  // of the range: below, a tactel is none of an image

std::vector<double> magnitudes(const std::vector<VerifiedPress>& presses) {
  std::vector<double> errors;
  for (const auto& press : presses) errors.push_back(std::abs(press.error_percent));
  std::sort(errors.begin(), errors.end());
  return errors;
}

VerifiedPress compared(std::string press, double expected, double seen, double reference) {
  return {std::move(press), expected, seen, 100 * (seen - expected) / reference};
}

/// What our model says, and the list of presses, carried out one after the other.
class PadPresses {
 public:
  PadPresses(const SensorModel& model, const MujocoPad& pad, const PressList& list,
             PressTarget& target, const Job& job, Verification& found)
      : model_(model),
        pad_(pad),
        target_(target),
        job_(job),
        found_(found),
        list_(list),
        c_N_s_per_m_(*model.damping.c_n.value) {}

  Result<void> run() {
    const bool level = is_level(pad_.places);
    auto done = level ? plate() : skip("plate, damping and friction", "the pad is not level");
    if (done && level) done = damping();
    if (done && level) done = friction();
    if (done) done = single_tactels();
    if (done) done = images();
    return done;
  }

 private:
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
                  static_cast<double>(5 * kPressLevels.size() + pad_.places.size()));
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
    for (const double level : kPressLevels) {
      const double each_N = list_.load_N(level);
      const auto press = fmt::format("plate, {:.4g} N on each tactel", each_N);
      if (auto go = step(press); !go) return go;
      const auto seen = target_.plate_at_rest(each_N * static_cast<double>(pad_.places.size()));
      if (!seen) return fail(seen.error(), press);
      const double expected_m = list_.depth_m(each_N);
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

  /// Of forces at two speeds: the spring's share, a thousand times the damper's, falls out.
  Result<void> damping() {
    if (c_N_s_per_m_ == 0) return skip("damping", "the model's is 0");
    VerifiedQuantity damping{"damping of each tactel", "N*s/m", kDampingTolerance_percent, {}};
    for (const double level : kPressLevels) {
      const double depth_m = list_.depth_m(list_.load_N(level));
      const double speed_m_per_s = list_.speed_m_per_s(depth_m, found_.target.time_step_s);
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
      const double most_N = list_.force_N(fast.depth_m) + c_N_s_per_m_ * speed_m_per_s;
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
    for (const double level : kPressLevels) {
      const double depth_m = list_.depth_m(list_.load_N(level));
      const double speed_m_per_s = list_.speed_m_per_s(depth_m, found_.target.time_step_s);
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
    const double each_N = list_.load_N(0.5);
    for (std::size_t i = 0; i < pad_.places.size(); ++i) {
      const auto press = fmt::format("ball on tactel {}, {:.4g} N", i, each_N);
      if (auto go = step(press); !go) return go;
      const auto seen = target_.tactel_at_rest(static_cast<int>(i), each_N);
      if (!seen) return fail(seen.error(), press);
      const double expected_m = list_.depth_m(each_N);
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

  /// Of shapes larger than a tactel: sum of differences over the sum, of the tactels that our model
  /// has above 1 % of the range.
  Result<void> images() {
    const auto shapes = pad_shapes(pad_, list_);
    if (!shapes)
      return skip("images", "the pad is not level, its tips differ, or it is too narrow");
    found_.left_out.push_back(fmt::format(
        "images of shapes as they are: tips of {:.3g} mm feel them grown by as much, so the ball "
        "of {:.4g} mm is that much smaller in the target; nothing is said of shapes that lean "
        "more or fit between tactels",
        m_to_mm(shapes->tip_radius_m), m_to_mm(shapes->ball_radius_m)));
    for (const auto& [shape, name] :
         {std::pair{PadShape::kBall, "ball"}, std::pair{PadShape::kStrip, "strip"}}) {
      VerifiedQuantity image{
          fmt::format("image of a {}, relative L1", name), "N", kImageTolerance_percent, {}};
      for (const double level : kPressLevels)
        if (auto done = add_image(*shapes, shape, level, image); !done) return done;
      if (!image.presses.empty()) found_.quantities.push_back(std::move(image));
    }
    return {};
  }

  Result<void> add_image(const PadShapes& shapes, PadShape shape, double level,
                         VerifiedQuantity& image) {
    const double depth_m = list_.depth_m(list_.load_N(level));
    const auto expected = shape_image(model_, pad_, shapes, shape, depth_m);
    if (!expected) return fail(expected.error());
    const auto press =
        fmt::format("{}, {:.4g} N", shape == PadShape::kBall ? "ball" : "strip", expected->load_N);
    if (auto go = step(press); !go) return go;
    const auto seen = target_.shape_at_rest(shape, expected->load_N);
    if (!seen) return fail(seen.error(), press);
    double all_N = 0, off_N = 0, seen_N = 0;
    for (std::size_t i = 0; i < pad_.places.size(); ++i) {
      const double one_N = shown_N(i, expected->force_N[i]);
      if (one_N <= kActive * found_.force_N[1]) continue;
      all_N += one_N;
      seen_N += seen->force_N[i];
      off_N += std::abs(seen->force_N[i] - one_N);
    }
    if (all_N > 0) image.presses.push_back({press, all_N, seen_N, 100 * off_N / all_N});
    return {};
  }

  const SensorModel& model_;
  const MujocoPad& pad_;
  PressTarget& target_;
  const Job& job_;
  Verification& found_;
  const PressList& list_;
  double c_N_s_per_m_;
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
  const auto list = PressList::create(model, pad);
  if (!list) return fail(list.error());
  Verification found;
  found.target = target.facts();
  found.force_N = list->force_N();
  if (auto done = PadPresses(model, pad, *list, target, job, found).run(); !done)
    return fail(done.error());
  return found;
}

}  // namespace tactelier

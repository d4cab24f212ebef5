#include "reports/verify/mujoco_target.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reports/verify/mjcf_parts.hpp"
#include "reports/verify/mujoco_rest.hpp"
#include "reports/verify/mujoco_scene.hpp"

namespace tactelier {
namespace {

constexpr Vector3 kUp{0, 0, 1};
constexpr double kStill_m_per_s = 1e-8;
constexpr int kStillSteps = 25;  // twice in a row
constexpr int kLongestSteps = 10'000;
constexpr int kApproachSteps = 200, kSteadySteps = 100, kSlideSteps = 100;

class MujocoTarget final : public PressTarget {
 public:
  MujocoTarget(std::unique_ptr<MujocoEngine> engine, const MujocoPad& pad,
               const std::optional<PadShapes>& shapes)
      : engine_(std::move(engine)),
        pad_(pad),
        shapes_(shapes),
        plate_{engine_->body(kPlateBody), engine_->dof(kPlatePress)},
        ram_{engine_->body(kRamBody), engine_->dof(kRamPress)},
        ball_{engine_->body(kBallBody), engine_->dof(kBallPress)},
        slide_(engine_->dof(kRamSlide)) {
    if (!shapes_) return;
    large_ball_ = {engine_->body(kLargeBallBody), engine_->dof(kLargeBallPress)};
    strip_ = {engine_->body(kStripBody), engine_->dof(kStripPress)};
  }

  TargetFacts facts() const override { return engine_->facts(); }

  Result<PressSeen> plate_at_rest(double load_N) override {
    return guarded<PressSeen>([&] {
      place_flat(plate_);
      return at_rest(plate_, load_N);
    });
  }

  Result<PressSeen> plate_moving(double depth_m, double speed_m_per_s) override {
    return guarded<PressSeen>([&]() -> Result<PressSeen> {
      place_flat(ram_);
      const double begin_m = drive_to(depth_m, speed_m_per_s);
      return PressSeen{begin_m, forces_N()};
    });
  }

  Result<double> friction_of_plate(double depth_m, double speed_m_per_s) override {
    return guarded<double>([&]() -> Result<double> {
      place_flat(ram_);
      drive_to(depth_m, speed_m_per_s);
      move(0, speed_m_per_s, kSlideSteps);
      double lateral_N = 0, normal_N = 0;
      for (int step = 0; step < kSlideSteps; ++step) {
        move(0, speed_m_per_s);
        lateral_N -= engine_->state(slide_).constraint_N;
        normal_N += engine_->state(ram_.dof).constraint_N;
      }
      return lateral_N / normal_N;
    });
  }

  Result<PressSeen> tactel_at_rest(int tactel, double load_N) override {
    return guarded<PressSeen>([&] {
      place_ball(pad_.places[static_cast<std::size_t>(tactel)]);
      return at_rest(ball_, load_N);
    });
  }

  Result<PressSeen> shape_at_rest(PadShape shape, double load_N) override {
    return guarded<PressSeen>([&]() -> Result<PressSeen> {
      const double surface_m = pad_.places[0].position_m[2];
      const bool ball = shape == PadShape::kBall;
      const double radius_m = shapes_->ball_radius_m - shapes_->tip_radius_m;
      if (ball) place(large_ball_, {0, 0, surface_m + radius_m}, kUp);
      if (!ball) place(strip_, {shapes_->strip_x_m, 0, surface_m + mjcf::kPlateHalf_m}, kUp);
      return pressed_under(*engine_, (ball ? large_ball_ : strip_).dof, load_N, pad_);
    });
  }

 private:
  struct Indenter {
    int body = 0, dof = 0;
  };

  double position_m(const Indenter& indenter) const {
    return engine_->state(indenter.dof).position_m;
  }
  std::vector<double> forces_N() const { return engine_->sensors(pad_.places.size()); }

  /// Steps of the ram; the forces after one belong to where it began.
  void move(double down_m_per_s, double along_m_per_s, int steps = 1) {
    engine_->step(std::array{DofSpeed{ram_.dof, -down_m_per_s}, DofSpeed{slide_, along_m_per_s}},
                  steps);
  }

  /// Where the step began in which the depth was reached: most of the way at any speed, the last
  /// kSteadySteps, in which tips have come to move like the ram, at the speed asked for.
  double drive_to(double depth_m, double speed_m_per_s) {
    const double dt_s = pad_.time_step_s;
    const double left_m = depth_m - kSteadySteps * speed_m_per_s * dt_s;
    if (left_m > 0) move(left_m / (kApproachSteps * dt_s), 0, kApproachSteps);
    double begin_m = 0;
    while (begin_m < depth_m && engine_->time_s() < 1 + 2 * depth_m / speed_m_per_s) {
      begin_m = -position_m(ram_);
      move(speed_m_per_s, 0);
    }
    return begin_m;
  }

  /// All but one out of the way, then back to the begin.
  void place(const Indenter& pressing, const Vector3& position_m, const Vector3& normal) {
    for (const auto* indenter : {&plate_, &ram_, &ball_, &large_ball_, &strip_})
      if (indenter->body > 0) engine_->place(indenter->body, {0, 0, parked_m()}, kUp);
    engine_->place(pressing.body, position_m, normal);
    engine_->reset();
  }

  /// Above the pad by more than anything is large.
  double parked_m() const { return kParked_m + (shapes_ ? 2 * shapes_->ball_radius_m : 0); }

  void place_flat(const Indenter& flat) {
    place(flat, {0, 0, pad_.places[0].position_m[2] + mjcf::kPlateHalf_m}, kUp);
  }

  void place_ball(const TactelPlace& at) {
    auto centre_m = at.position_m;
    for (std::size_t i = 0; i < 3; ++i) centre_m[i] += ball_radius_m(pad_) * at.normal[i];
    place(ball_, centre_m, at.normal);
  }

  double longest_s() const { return kLongestSteps * pad_.time_step_s + 1 + creep_s(pad_); }

  Result<PressSeen> at_rest(const Indenter& indenter, double load_N) {
    engine_->push(indenter.dof, -load_N);
    for (int still = 0; still < 2;) {
      engine_->step({}, kStillSteps);
      const double speed_m_per_s = std::abs(engine_->state(indenter.dof).speed_m_per_s);
      still = speed_m_per_s < kStill_m_per_s ? still + 1 : 0;
      if (engine_->time_s() > longest_s())
        return fail(
            ErrorCode::kInvalidInput,
            "not at rest after {:g} s under {:g} N: {:.2g} m/s. Tips whose dampers are "
            "weaker than their step or whose contacts are soft swing on: c_n/k is {:.2g} s, "
            "the step {:g} s",
            engine_->time_s(), load_N, speed_m_per_s,
            pad_.damping_N_s_per_m / pad_.stiffness_N_per_m, pad_.time_step_s);
    }
    engine_->forward();
    return PressSeen{-position_m(indenter), forces_N()};
  }

  template <class T, class Press>
  Result<T> guarded(Press press) {
    try {
      return press();
    } catch (const std::exception& error) {
      return fail(ErrorCode::kInvalidInput, "MuJoCo: {}", error.what());
    }
  }

  std::unique_ptr<MujocoEngine> engine_;
  MujocoPad pad_;
  std::optional<PadShapes> shapes_;
  Indenter plate_, ram_, ball_, large_ball_, strip_;
  int slide_ = 0;
};

}  // namespace

std::unique_ptr<PressTarget> mujoco_target(std::unique_ptr<MujocoEngine> engine,
                                           const MujocoPad& pad,
                                           const std::optional<PadShapes>& shapes) {
  return std::make_unique<MujocoTarget>(std::move(engine), pad, shapes);
}

}  // namespace tactelier

#include "reports/verify/mujoco_target.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reports/verify/mujoco_scene.hpp"

namespace tactelier {
namespace {

constexpr double kStill_m_per_s = 1e-8;
constexpr int kStillSteps = 50;
constexpr Vector3 kUp{0, 0, 1};

class MujocoTarget final : public PressTarget {
 public:
  MujocoTarget(std::unique_ptr<MujocoEngine> engine, const MujocoPad& pad)
      : engine_(std::move(engine)),
        pad_(pad),
        plate_{engine_->body(kPlateBody), engine_->dof(kPlatePress)},
        ram_{engine_->body(kRamBody), engine_->dof(kRamPress)},
        ball_{engine_->body(kBallBody), engine_->dof(kBallPress)},
        slide_(engine_->dof(kRamSlide)) {}

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
      constexpr double kWay_m = 0.01;  // the plate reaches 50 mm beyond the pad
      double lateral_N = 0, normal_N = 0;
      for (const double end_s = engine_->time_s() + kWay_m / speed_m_per_s;
           engine_->time_s() < end_s;) {
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

 private:
  struct Indenter {
    int body = 0, dof = 0;
  };

  double position_m(const Indenter& indenter) const {
    return engine_->state(indenter.dof).position_m;
  }
  std::vector<double> forces_N() const { return engine_->sensors(pad_.places.size()); }

  /// One step of the ram; the forces after it belong to where the step began.
  void move(double down_m_per_s, double along_m_per_s) {
    engine_->step(std::array{DofSpeed{ram_.dof, -down_m_per_s}, DofSpeed{slide_, along_m_per_s}});
  }

  /// Where the step began in which the depth was reached.
  double drive_to(double depth_m, double speed_m_per_s) {
    double begin_m = 0;
    while (begin_m < depth_m && engine_->time_s() < 1 + 2 * depth_m / speed_m_per_s) {
      begin_m = -position_m(ram_);
      move(speed_m_per_s, 0);
    }
    return begin_m;
  }

  /// All but one out of the way, then back to the begin.
  void place(const Indenter& pressing, const Vector3& position_m, const Vector3& normal) {
    for (const auto* indenter : {&plate_, &ram_, &ball_})
      engine_->place(indenter->body, {0, 0, kParked_m}, kUp);
    engine_->place(pressing.body, position_m, normal);
    engine_->reset();
  }

  void place_flat(const Indenter& flat) {
    place(flat, {0, 0, pad_.places[0].position_m[2] + kPlateHalf_m}, kUp);
  }

  void place_ball(const TactelPlace& at) {
    auto centre_m = at.position_m;
    for (std::size_t i = 0; i < 3; ++i) centre_m[i] += ball_radius_m(pad_) * at.normal[i];
    place(ball_, centre_m, at.normal);
  }

  double longest_s() const { return 30 + 40 * pad_.damping_N_s_per_m / pad_.stiffness_N_per_m; }

  Result<PressSeen> at_rest(const Indenter& indenter, double load_N) {
    engine_->push(indenter.dof, -load_N);
    for (int still = 0; still < kStillSteps;) {
      engine_->step({});
      const bool stands = std::abs(engine_->state(indenter.dof).speed_m_per_s) < kStill_m_per_s;
      still = stands ? still + 1 : 0;
      if (engine_->time_s() > longest_s())
        return fail(ErrorCode::kInvalidInput, "not at rest after {:g} s under {:g} N",
                    engine_->time_s(), load_N);
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
  Indenter plate_, ram_, ball_;
  int slide_ = 0;
};

}  // namespace

std::unique_ptr<PressTarget> mujoco_target(std::unique_ptr<MujocoEngine> engine,
                                           const MujocoPad& pad) {
  return std::make_unique<MujocoTarget>(std::move(engine), pad);
}

}  // namespace tactelier

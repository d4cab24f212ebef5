#include "reports/verify/mujoco_target.hpp"

#ifdef TACTELIER_MUJOCO

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reports/verify/mujoco_scene.hpp"

namespace tactelier {
namespace {

constexpr double kStill_m_per_s = 1e-8;
constexpr int kStillSteps = 50;

struct FreeModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct FreeData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};

/// MuJoCo would end the program after an error and write a log file after a warning.
std::string mujoco_said;  // NOLINT: its handlers take no argument of ours
void keep_warning(const char* text) { mujoco_said = text; }
void throw_error(const char* text) { throw std::runtime_error(text); }

void take_over_messages() {
  mju_user_warning = keep_warning;
  mju_user_error = throw_error;
}

/// Turns +z into the normal: w x y z.
void turn_to(const Vector3& normal, mjtNum* quaternion) {
  const mjtNum along[3] = {normal[0], normal[1], normal[2]};
  mju_quatZ2Vec(quaternion, along);
}

class MujocoTarget final : public PressTarget {
 public:
  MujocoTarget(mjModel* model, const MujocoPad& pad)
      : model_(model), data_(mj_makeData(model)), pad_(pad) {
    mju_zero3(model_->opt.gravity);
    plate_ = {id(mjOBJ_BODY, kPlateBody), dof(kPlatePress)};
    ram_ = {id(mjOBJ_BODY, kRamBody), dof(kRamPress)};
    ball_ = {id(mjOBJ_BODY, kBallBody), dof(kBallPress)};
    slide_ = dof(kRamSlide);
  }

  TargetFacts facts() const override {
    return {"MuJoCo", mj_versionString(), model_->opt.timestep, model_->opt.tolerance};
  }

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
      for (const double end_s = data_->time + kWay_m / speed_m_per_s; data_->time < end_s;) {
        move(0, speed_m_per_s);
        lateral_N -= data_->qfrc_constraint[slide_];
        normal_N += data_->qfrc_constraint[ram_.dof];
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

  int id(mjtObj kind, const char* name) const { return mj_name2id(model_.get(), kind, name); }
  int dof(const char* joint) const { return model_->jnt_dofadr[id(mjOBJ_JOINT, joint)]; }
  /// All joints are slides, so that positions stand where speeds do.
  double position_m(const Indenter& indenter) const { return data_->qpos[indenter.dof]; }
  std::vector<double> forces_N() const {
    return {data_->sensordata, data_->sensordata + pad_.places.size()};
  }

  /// One step of the ram; the forces after it belong to where the step began.
  void move(double down_m_per_s, double along_m_per_s) {
    data_->qvel[ram_.dof] = -down_m_per_s;
    data_->qvel[slide_] = along_m_per_s;
    mj_step(model_.get(), data_.get());
  }

  /// Where the step began in which the depth was reached.
  double drive_to(double depth_m, double speed_m_per_s) {
    double begin_m = 0;
    while (begin_m < depth_m && data_->time < 1 + 2 * depth_m / speed_m_per_s) {
      begin_m = -position_m(ram_);
      move(speed_m_per_s, 0);
    }
    return begin_m;
  }

  void park_all() {
    for (const auto* indenter : {&plate_, &ram_, &ball_})
      model_->body_pos[3 * indenter->body + 2] = kParked_m;
  }

  void place_flat(const Indenter& flat) {
    park_all();
    model_->body_pos[3 * flat.body + 2] = pad_.places[0].position_m[2] + kPlateHalf_m;
    mj_resetData(model_.get(), data_.get());
  }

  void place_ball(const TactelPlace& place) {
    park_all();
    for (std::size_t i = 0; i < 3; ++i)
      model_->body_pos[3 * ball_.body + static_cast<int>(i)] =
          place.position_m[i] + ball_radius_m(pad_) * place.normal[i];
    turn_to(place.normal, model_->body_quat + 4 * ball_.body);
    mj_resetData(model_.get(), data_.get());
  }

  double longest_s() const { return 30 + 40 * pad_.damping_N_s_per_m / pad_.stiffness_N_per_m; }

  Result<PressSeen> at_rest(const Indenter& indenter, double load_N) {
    data_->qfrc_applied[indenter.dof] = -load_N;
    for (int still = 0; still < kStillSteps;) {
      mj_step(model_.get(), data_.get());
      still = std::abs(data_->qvel[indenter.dof]) < kStill_m_per_s ? still + 1 : 0;
      if (data_->time > longest_s())
        return fail(ErrorCode::kInvalidInput, "not at rest after {:g} s under {:g} N", data_->time,
                    load_N);
    }
    mj_forward(model_.get(), data_.get());
    return PressSeen{-position_m(indenter), forces_N()};
  }

  /// A warning is a failure here: a number that came of it proves nothing.
  template <class T, class Press>
  Result<T> guarded(Press press) {
    mujoco_said.clear();
    try {
      Result<T> seen = press();
      if (mujoco_said.empty()) return seen;
    } catch (const std::exception& error) {
      mujoco_said = error.what();
    }
    return fail(ErrorCode::kInvalidInput, "MuJoCo: {}", mujoco_said);
  }

  std::unique_ptr<mjModel, FreeModel> model_;
  std::unique_ptr<mjData, FreeData> data_;
  MujocoPad pad_;
  Indenter plate_, ram_, ball_;
  int slide_ = 0;
};

}  // namespace

Result<std::unique_ptr<PressTarget>> mujoco_target(const std::filesystem::path& scene,
                                                   const MujocoPad& pad) {
  take_over_messages();
  char refusal[1000] = "";
  try {
    mjModel* model = mj_loadXML(scene.c_str(), nullptr, refusal, sizeof refusal);
    if (model != nullptr) return std::make_unique<MujocoTarget>(model, pad);
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInvalidInput, "MuJoCo: {}", error.what());
  }
  return fail(ErrorCode::kInvalidInput, "MuJoCo refuses the exported file: {}",
              static_cast<const char*>(refusal));
}

}  // namespace tactelier

#else

namespace tactelier {

Result<std::unique_ptr<PressTarget>> mujoco_target(const std::filesystem::path&, const MujocoPad&) {
  return fail(ErrorCode::kUsage,
              "this program was built without MuJoCo: install libmujoco-dev (apt-get install "
              "libmujoco-dev), then build it again");
}

}  // namespace tactelier

#endif

#include "reports/verify/libmujoco_engine.hpp"

#ifdef TACTELIER_MUJOCO

#include <mujoco/mujoco.h>

#include <stdexcept>
#include <utility>

namespace tactelier {
namespace {

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

void throw_warning() {
  if (mujoco_said.empty()) return;
  throw std::runtime_error(std::exchange(mujoco_said, ""));
}

class LibmujocoEngine final : public MujocoEngine {
 public:
  explicit LibmujocoEngine(mjModel* model) : model_(model), data_(mj_makeData(model)) {
    mujoco_said.clear();
    model_->opt.mpr_tolerance = kDepthTolerance;
    model_->opt.mpr_iterations = kDepthIterations;
  }

  TargetFacts facts() override {
    return {"MuJoCo", mj_versionString(), model_->opt.timestep, model_->opt.tolerance};
  }
  int body(const std::string& name) override { return id(mjOBJ_BODY, name); }
  int dof(const std::string& joint) override { return model_->jnt_dofadr[id(mjOBJ_JOINT, joint)]; }

  void place(int body, const Vector3& position_m, const Vector3& normal) override {
    for (std::size_t i = 0; i < 3; ++i)
      model_->body_pos[3 * body + static_cast<int>(i)] = position_m[i];
    const mjtNum along[3] = {normal[0], normal[1], normal[2]};
    mju_quatZ2Vec(model_->body_quat + 4 * body, along);
  }
  void reset() override {
    mj_resetData(model_.get(), data_.get());
    throw_warning();
  }
  void push(int dof, double force_N) override { data_->qfrc_applied[dof] = force_N; }
  void step(std::span<const DofSpeed> speeds, int times) override {
    for (int i = 0; i < times; ++i) {
      for (const auto& [dof, speed_m_per_s] : speeds) data_->qvel[dof] = speed_m_per_s;
      mj_step(model_.get(), data_.get());
      throw_warning();
    }
  }
  void forward() override {
    mj_forward(model_.get(), data_.get());
    throw_warning();
  }

  double time_s() override { return data_->time; }
  DofState state(int dof) override {
    return {data_->qpos[dof], data_->qvel[dof], data_->qfrc_constraint[dof]};
  }
  std::vector<double> sensors(std::size_t count) override {
    return {data_->sensordata, data_->sensordata + count};
  }

 private:
  int id(mjtObj kind, const std::string& name) const {
    return mj_name2id(model_.get(), kind, name.c_str());
  }

  std::unique_ptr<mjModel, FreeModel> model_;
  std::unique_ptr<mjData, FreeData> data_;
};

}  // namespace

Result<std::unique_ptr<MujocoEngine>> libmujoco_engine(const std::filesystem::path& scene) {
  take_over_messages();
  char refusal[1000] = "";
  try {
    mjModel* model = mj_loadXML(scene.c_str(), nullptr, refusal, sizeof refusal);
    if (model != nullptr) return std::make_unique<LibmujocoEngine>(model);
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInvalidInput, "MuJoCo: {}", error.what());
  }
  return fail(ErrorCode::kInvalidInput, "MuJoCo refuses the exported file: {}",
              static_cast<const char*>(refusal));
}

}  // namespace tactelier

#else

namespace tactelier {

Result<std::unique_ptr<MujocoEngine>> libmujoco_engine(const std::filesystem::path&) {
  return fail(ErrorCode::kUsage,
              "this program was built without MuJoCo: install libmujoco-dev (apt-get install "
              "libmujoco-dev), then build it again");
}

}  // namespace tactelier

#endif

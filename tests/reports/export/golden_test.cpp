// What formats write of a full and of a sparse model of a 2 x 3 array, letter by letter: a change
// of a file that others read is seen here first. TACTELIER_WRITE_GOLDEN=1 writes the files anew.
#include <gtest/gtest.h>

#include <regex>

#include "libcalib/text_file.hpp"
#include "reports/export/exporter.hpp"
#include "tests/paths/paths.hpp"
#include "tests/reports/export/run_files.hpp"
#include "tests/reports/export/runtime_models.hpp"

namespace tactelier {
namespace {

using namespace testing_models;

SensorModel small_model() {
  SensorDescription sensor;
  sensor.vendor = "Acme";
  sensor.model = "Pad 2x3";
  sensor.arrays = {SensorArray{2, 3, 3.4e-3, 5e-3, {}, {}, {}, {}}};
  sensor.adc.max = 4095;
  auto model = empty_model(sensor);
  model.serial = "A-7";
  model.tool = "tactelier 0.1.0";
  model.created = "2026-11-20T10:00:00Z";
  return model;
}

SensorModel sparse_model() {
  auto model = small_model();
  model.response.tactels[4].offset = identified(20, "counts");
  model.response.tactels[4].press_gain = identified(4e-4, "N/count");
  return model;
}

/// A curve on tactels 0 to 2, a line on 4 and 5, and tactel 3 dead; mechanics by assumption.
SensorModel small_full_model() {
  auto model = small_model();
  model.validity = {{{0.0, 1.5}}, {{0.0, 1e-3}}, std::nullopt, std::nullopt, {"cylinder 1 mm"}};
  model.response.model = "monotone";
  model.response.calibration_indenter = "cylinder 1 mm";
  model.provenance.sessions = {{"monday.tact", std::string(64, 'a'), {"exclude press 7"}}};
  for (auto& tactel : model.response.tactels) {
    tactel.offset = identified(60 + tactel.index, "counts");
    tactel.noise = identified(4, "counts");
    tactel.press_threshold = identified(0.1, "N");
    tactel.press_gain = identified(0.00125, "N/count");
    tactel.saturation = identified(3840, "counts");
    if (tactel.index < 3) tactel.knots = {{0.1, 60}, {0.5, 460}, {1.5, 960.0 + tactel.index}};
  }
  model.response.tactels[3].press_gain =
      unidentifiable("N/count", "RS-01 Tactel 3 stayed at its offset.", "response");
  for (const auto* assumption : {"sensor.thickness_m=0.006", "stiffness.k=58.5",
                                 "friction.mu_s=0.435", "friction.mu_d=0.23"})
    EXPECT_TRUE(assume(model, assumption, "user"));
  return model;
}

/// With what images need, besides: a kernel, and gains of the tactels' own.
SensorModel image_full_model() {
  auto model = small_full_model();
  model.psf.form = "sampled";
  model.psf.edge = "zero";
  model.psf.kernel_sampled.s = identified(0.4, "tactels");
  for (auto& tactel : model.response.tactels) {
    tactel.gain = identified(0.001, "N/count");
    tactel.threshold = identified(0.05, "N");
  }
  model.response.tactels[3].gain =
      unidentifiable("N/count", "RS-01 Tactel 3 stayed at its offset.", "psf");
  return model;
}

SensorModel image_sparse_model() {
  auto model = sparse_model();
  model.psf.kernel_sampled.s = identified(0.4, "tactels");
  model.response.tactels[4].gain = identified(0.001, "N/count");
  return model;
}

/// Tactel 3 is dead, and damping is assumed, without which a pad in MuJoCo rings.
SensorModel mujoco_full_model() {
  auto model = image_full_model();
  model.response.tactels[3].status = TactelStatus::kDead;
  EXPECT_TRUE(assume(model, "damping.c_n=0.0583", "user"));
  model.validity.force_N = {{0.0, 0.2}};
  return model;
}

SensorModel hardening_full_model() {
  auto model = mujoco_full_model();
  EXPECT_TRUE(assume(model, "stiffness.linear_to=0.001", "user"));
  model.stiffness.curve = {{0, 0}, {1e-3, 0.06}, {2e-3, 0.15}, {3e-3, 0.3}};
  return model;
}

SensorModel with_bristles(SensorModel model) {
  for (const auto* assumption :
       {"friction.mu_s=0.435", "friction.mu_d=0.23", "friction.v_s=0.01", "friction.sigma0=1000",
        "friction.sigma1=0.1", "friction.c_t=0.05"})
    EXPECT_TRUE(assume(model, assumption, "user"));
  return model;
}

SensorModel mujoco_sparse_model() {
  auto model = sparse_model();
  for (const auto* assumption : {"stiffness.k=58.5", "damping.c_n=0.0583"})
    EXPECT_TRUE(assume(model, assumption, "user"));
  return model;
}

/// A soft box needs a layer at most half as thick as the array is wide.
SensorModel with_layer(SensorModel model) {
  for (const auto* assumption :
       {"sensor.thickness_m=0.002", "friction.mu_s=0.435", "friction.mu_d=0.23"})
    EXPECT_TRUE(assume(model, assumption, "user"));
  model.validity.force_N = {{0.0, 0.2}};
  return model;
}

/// Elements of SkinSim are as long as they are wide.
SensorModel with_squares(SensorModel model) {
  model.sensor.arrays[0].pitch_y_m = model.sensor.arrays[0].pitch_x_m;
  return model;
}

SensorModel with_largest_pressure(SensorModel model) {
  model.sensor.max_pressure_Pa = 250e3;
  return model;
}

/// The model's hash changes with every member that the model file gains.
std::string without_hash(const std::string& text) {
  return std::regex_replace(text, std::regex("(sha256\"?:? \"?)[0-9a-f]{64}"), "$1...");
}

void expect_golden_text(const std::string& written, const std::string& name) {
  const auto text = without_hash(written);
  const std::filesystem::path file =
      fmt::format("{}/tests/reports/export/golden/{}", paths::source_dir(), name);
  if (std::getenv("TACTELIER_WRITE_GOLDEN")) test::save_text(file, text);
  const auto golden = read_text_file(file, 1 << 20);
  ASSERT_TRUE(golden) << golden.error().message;
  EXPECT_EQ(text, *golden) << file;
}

void expect_golden(std::string_view format, const char* name, const SensorModel& model) {
  const auto* writer = *exporter(format);
  const auto written = writer->write(model);
  ASSERT_TRUE(written) << written.error().message;
  expect_golden_text(written->text, fmt::format("{}.{}{}", name, format, writer->extension()));
  for (const auto& sidecar : written->sidecars)
    expect_golden_text(sidecar.text, fmt::format("{}.{}.{}", name, format, sidecar.name));
}

TEST(GoldenExports, OfAFullModel) {
  for (const auto* format : {"runtime-cpp", "runtime-python", "openrave", "urdf-tactile"})
    expect_golden(format, "full", small_full_model());
  for (const auto* format : {"xml", "image-model", "image-model-yaml"})
    expect_golden(format, "full", image_full_model());
  for (const auto* format : {"mujoco", "sdf", "sdf-ode", "bullet"})
    expect_golden(format, "full", mujoco_full_model());
  expect_golden("drake", "full", with_layer(mujoco_full_model()));
  expect_golden("mujoco-3.7", "full", with_bristles(hardening_full_model()));
  expect_golden("hydroelastic-touch", "full", with_layer(mujoco_full_model()));
  expect_golden("newton", "full", with_layer(mujoco_full_model()));
  for (const auto* format : {"isaac", "genesis", "chrono", "tacto", "schunk", "robworksim"})
    expect_golden(format, "full", mujoco_full_model());
  expect_golden("skinsim", "full", with_squares(mujoco_full_model()));
}

TEST(GoldenExports, OfASparseModel) {
  for (const auto* format : {"runtime-cpp", "runtime-python", "openrave", "urdf-tactile"})
    expect_golden(format, "sparse", sparse_model());
  for (const auto* format : {"xml", "image-model", "image-model-yaml"})
    expect_golden(format, "sparse", image_sparse_model());
  for (const auto* format : {"mujoco", "sdf", "sdf-ode", "bullet", "drake"})
    expect_golden(format, "sparse", mujoco_sparse_model());
  expect_golden("mujoco-3.7", "sparse", with_bristles(mujoco_sparse_model()));
  expect_golden("hydroelastic-touch", "sparse", with_layer(mujoco_sparse_model()));
  for (const auto* format : {"newton", "isaac", "genesis", "chrono"})
    expect_golden(format, "sparse", mujoco_sparse_model());
  expect_golden("tacto", "sparse", with_layer(mujoco_sparse_model()));
  expect_golden("schunk", "sparse", image_sparse_model());
  expect_golden("robworksim", "sparse", with_largest_pressure(sparse_model()));
  expect_golden("skinsim", "sparse", with_squares(mujoco_sparse_model()));
}

}  // namespace
}  // namespace tactelier

// Both files are read by Python's readers and must say the same.
#include <gmock/gmock.h>

#include "reports/export/exporter.hpp"
#include "tests/reports/export/run_files.hpp"
#include "tests/reports/export/runtime_models.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;

Exported written(std::string_view format, const SensorModel& model) {
  const auto exported = (*exporter(format))->write(model);
  EXPECT_TRUE(exported) << exported.error().message;
  return exported.value_or(Exported{});
}

Error refusal(const SensorModel& model) {
  const auto refused = (*exporter("image-model"))->write(model);
  EXPECT_FALSE(refused);
  return refused ? Error{} : refused.error();
}

/// `checks`: lines of Python on `model`, what both readers found.
void expect_in_both(const SensorModel& model, const std::string& checks) {
  const test::TemporaryFolder folder;
  test::save_text(folder / "model.json", written("image-model", model).text);
  test::save_text(folder / "model.yaml", written("image-model-yaml", model).text);
  test::save_text(folder / "check.py", R"(import json, math, yaml
model = json.load(open("model.json", encoding="utf-8"))
other = yaml.safe_load(open("model.yaml", encoding="utf-8"))
assert model == other, [key for key in model if model[key] != other[key]]
)" + checks);
  EXPECT_EQ(test::run_in(folder, "/usr/bin/python3 check.py"), 0);
}

TEST(ImageModel, HoldsKernelScaleAndEachTactelInIndexOrder) {
  expect_in_both(image_model(), R"(
kernel = model["kernel"]["weights"]
assert len(kernel) == 5 and all(len(row) == 5 for row in kernel)  # half width ceil(3 * 0.5)
assert abs(sum(map(sum, kernel)) - 1) < 1e-12
assert abs(kernel[2][3] / kernel[2][2] - math.exp(-2)) < 1e-12  # exp(-1 / (2 * 0.5 ** 2))
assert kernel[1][2] == kernel[2][1] and model["kernel"]["s_tactels"] == 0.5
assert model["arrays"] == [{"first_tactel": 0, "rows": 14, "columns": 6, "pitch_x_m": 0.0034,
                            "pitch_y_m": 0.0034}]
assert [tactel["index"] for tactel in model["tactels"]] == list(range(84))
assert abs(model["tactels"][83]["k_scale_counts_per_N"] - 1083) < 1e-9
dead = model["tactels"][7]
assert dead["k_scale_counts_per_N"] is None and dead["status"] == "dead"
assert model["tactels"][9]["full_scale_counts"] is None
assert model["tactels"][3]["offset_counts"] == 61 and model["tactels"][3]["threshold_N"] == 0.05
assert abs(model["k_scale_counts_per_N"] - 1042) < 1e-9  # the middle one of 83
assert model["pad"]["max_penetration_m"] == 2e-5 and model["pad"]["stiffness_N_per_m"] == 2000
assert model["origin"]["serial"] == "image" and model["falling"] is False
)");
}

TEST(ImageModel, HoldsSeveralArraysThatAreNotSquareAndOddTexts) {
  auto model = two_arrays_model();
  model.psf.kernel_sampled.s = identified(0.8, "tactels");
  model.response.tactels[4].gain = identified(2e-3, "N/count");
  expect_in_both(model, R"(
places = [(one["first_tactel"], one["rows"], one["columns"]) for one in model["arrays"]]
assert places == [(0, 2, 3), (6, 1, 4)]
assert model["arrays"][0]["pitch_y_m"] == 0.005 and len(model["tactels"]) == 10
assert model["k_scale_counts_per_N"] == 500 and model["full_scale_counts"] is None
assert model["origin"]["serial"] == 'two arrays """ */ \\'
)");
  const auto warnings = written("image-model", model).warnings;
  EXPECT_EQ(std::count_if(warnings.begin(), warnings.end(),
                          [](const auto& warning) { return warning.code == "NOT-SQUARE"; }),
            2);
}

TEST(ImageModel, StopsWithTheReasonUnlessWidthAndScaleAreKnownOrAssumed) {
  auto model = line_model();
  model.psf.kernel_sampled.s = unidentifiable("tactels", "PS-03 Presses lie on centres.", "psf");
  EXPECT_EQ(refusal(model).code, ErrorCode::kUnidentifiable);
  EXPECT_EQ(refusal(model).message,
            "psf.kernel_sampled.s: unidentifiable: PS-03 Presses lie on centres; an image model "
            "can't do without it: --assume psf.kernel_sampled.s=VALUE");
  ASSERT_TRUE(assume(model, "psf.kernel_sampled.s=0", "user"));
  EXPECT_THAT(refusal(model).message, HasSubstr("<s_tactels>: it must be more than 0"));
  ASSERT_TRUE(assume(model, "psf.kernel_sampled.s=0.5", "user"));
  EXPECT_THAT(refusal(model).message, HasSubstr("no tactel has a gain of its own"));
  ASSERT_TRUE(assume(model, "response.tactels[2].gain=1e-3", "user"));
  const auto exported = written("image-model-yaml", model);
  EXPECT_THAT(exported.text, HasSubstr("# Assumed: psf.kernel_sampled.s=0"));
  EXPECT_EQ(std::count_if(exported.losses.begin(), exported.losses.end(),
                          [](const auto& loss) { return loss.path.ends_with("].gain"); }),
            83);
}

}  // namespace
}  // namespace tactelier

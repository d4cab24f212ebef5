// Features and metrics against oracle 12 and numbers worked by hand.
#include "libcalib/forward/image_metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "libcalib/forward/image_features.hpp"
#include "libcalib/forward/image_transport.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

using nlohmann::json;
using Image = std::vector<double>;

constexpr double kFullScale = 3840;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const json& oracle() {
  static const json document = json::parse(std::ifstream(paths::oracles() + "/12_images.json"));
  return document;
}

ImageLayout wts() { return ImageLayout::of_grid(14, 6, 3.4e-3, 3.4e-3); }

Image image_of(const json& rows) {
  Image image;
  for (const auto& row : rows)
    for (const auto& value : row) image.push_back(value);
  return image;
}

Image empty() { return Image(84, 0.0); }

class OraclePair : public testing::Test {
 protected:
  const json& pair = oracle()["pair"];
  const json& expected = pair["metrics"];
  Image sim = image_of(pair["sim"]), real = image_of(pair["real"]);
  ImageMetricValues values = compare_images(wts(), {kFullScale, Image(84, 38.4)}, sim, real);

  double value(ImageMetric metric) const { return at(values, metric).value_or(kNone); }
};

TEST_F(OraclePair, EveryMetricIsTheOracles) {
  const auto near = [&](ImageMetric metric, const char* name, double tolerance) {
    EXPECT_NEAR(value(metric), expected[name].get<double>(), tolerance) << name;
  };
  near(ImageMetric::kMadFs, "mean_abs_over_all_percent_FS", 1e-9);
  near(ImageMetric::kMadActive, "mean_abs_over_active_percent_FS", 1e-9);
  near(ImageMetric::kRmse, "rmse_count", 1e-9);
  near(ImageMetric::kNcc, "ncc", 1e-9);
  near(ImageMetric::kSsim, "ssim_3x3_uniform_L_FS", 1e-9);
  near(ImageMetric::kCentroid, "centroid_error_m", 1e-12);
  near(ImageMetric::kTotal, "total_error_percent", 1e-9);
  EXPECT_NEAR(value(ImageMetric::kOrientation),
              pair["pca_above_2_percent_FS"]["error_rad_mod_pi"].get<double>(), 1e-9);
}

// Counted apart from this program: 30 tactels of the simulated image lie above 1 % of full scale;
// 28 tactels lie above it in both images, 32 in either.
TEST_F(OraclePair, ActiveTactelsAreTheModels) {
  EXPECT_NEAR(value(ImageMetric::kRelL1), 37.51834901994646, 1e-9);
  EXPECT_NEAR(value(ImageMetric::kIou), 28.0 / 32, 1e-12);
}

TEST_F(OraclePair, DirectionsAboveTheNoiseAreTheOracles) {
  for (const auto& [name, image] : {std::pair{"sim", &sim}, {"real", &real}}) {
    const auto found = image_orientation(wts(), *image, 0.02 * kFullScale);
    const auto& truth = pair["pca_above_2_percent_FS"][name];
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->angle_rad, truth["rad"].get<double>(), 1e-9);
    EXPECT_NEAR(found->elongation, truth["eigen_ratio"].get<double>(), 1e-6);
  }
  EXPECT_NEAR(image_orientation(wts(), real, 0)->angle_rad, expected["pca_real_rad"].get<double>(),
              1e-9);
}

TEST(ImageFeatures, LinesPointWhereTheyLie) {
  auto row = empty(), column = empty(), diagonal = empty();
  for (std::size_t k = 1; k < 5; ++k) row[7 * 6 + k] = 100;
  for (std::size_t k = 4; k < 8; ++k) column[k * 6 + 2] = 50;
  for (std::size_t k = 0; k < 6; ++k) diagonal[(3 + k) * 6 + k] = 10 * (static_cast<double>(k) + 1);
  EXPECT_NEAR(image_orientation(wts(), row, 1)->angle_rad, 0, 1e-12);
  EXPECT_NEAR(image_orientation(wts(), column, 1)->angle_rad, std::numbers::pi / 2, 1e-12);
  EXPECT_NEAR(image_orientation(wts(), diagonal, 1)->angle_rad, std::numbers::pi / 4, 1e-12);
  EXPECT_TRUE(std::isinf(image_orientation(wts(), row, 1)->elongation));
  const auto centre = image_centroid(wts(), diagonal);
  EXPECT_NEAR(centre->x_m, oracle()["diagonal"]["centroid_m"][0].get<double>(), 1e-12);
  EXPECT_NEAR(centre->y_m, oracle()["diagonal"]["centroid_m"][1].get<double>(), 1e-12);
}

TEST_F(OraclePair, HoughLinesAreTheOracles) {
  const auto degrees = [](const std::optional<double>& line_rad) {
    return line_rad.value_or(kNone) * 180 / std::numbers::pi;
  };
  auto row = empty(), column = empty(), diagonal = empty(), two = empty();
  for (std::size_t k = 1; k < 5; ++k) row[7 * 6 + k] = 100;
  for (std::size_t k = 4; k < 8; ++k) column[k * 6 + 2] = 50;
  for (std::size_t k = 0; k < 6; ++k) diagonal[(3 + k) * 6 + k] = 10 * (static_cast<double>(k) + 1);
  two[0] = two[1] = 100;
  const auto& lines = oracle()["hough"];
  for (const auto& [name, image] : {std::pair{"row_line", &row},
                                    {"col_line", &column},
                                    {"diagonal", &diagonal},
                                    {"real", &real},
                                    {"sim", &sim}})
    EXPECT_NEAR(degrees(hough_line_rad(wts(), *image, lines[name]["threshold"].get<double>())),
                lines[name]["line_deg"].get<double>(), 1e-9)
        << name;
  EXPECT_NEAR(value(ImageMetric::kHough) * 180 / std::numbers::pi, 64 - 59, 1e-9);
  EXPECT_FALSE(hough_line_rad(wts(), two, 1));
}

TEST(ImageFeatures, ASquareHasNoDirection) {
  auto square = empty();
  for (const std::size_t i : {20u, 21u, 26u, 27u}) square[i] = 5;
  EXPECT_NEAR(image_orientation(wts(), square, 1)->elongation, 1, 1e-9);
  const auto values = compare_images(wts(), {100, {}}, square, square);
  EXPECT_FALSE(at(values, ImageMetric::kOrientation));
  EXPECT_EQ(image_area(square, 1), 4u);
}

TEST(ImageFeatures, DirectionsAreModuloHalfATurn) {
  const double degree = std::numbers::pi / 180;
  for (const auto& example : oracle()["mod_pi_examples"])
    EXPECT_NEAR(axis_difference_rad(example["a_deg"].get<double>() * degree,
                                    example["b_deg"].get<double>() * degree),
                example["error_deg"].get<double>() * degree, 1e-9);
}

TEST(ImageFeatures, AnEmptyImageHasNoPlaceAndNoDirection) {
  EXPECT_FALSE(image_centroid(wts(), empty()));
  EXPECT_FALSE(image_orientation(wts(), empty(), 0));
  EXPECT_FALSE(transport_distance_m(wts(), empty(), empty()));
}

TEST(Transport, AShiftCostsItsLength) {
  auto a = empty(), b = empty();
  a[14] = 3;
  a[15] = 1;
  b[14 + 7] = 6;  // one row up, one column on, twice as bright
  b[15 + 7] = 2;
  EXPECT_NEAR(*transport_distance_m(wts(), a, b), std::hypot(3.4e-3, 3.4e-3), 1e-9);
}

TEST(Transport, TakesTheCheaperOfTwoPairings) {
  const auto line = ImageLayout::of_grid(1, 4, 1e-3, 1e-3);
  // 1 | 1 | 0 | 0 to 0 | 1 | 1 | 0: half moves by two cells or all by one, the same distance.
  EXPECT_NEAR(*transport_distance_m(line, Image{1, 1, 0, 0}, Image{0, 1, 1, 0}), 1e-3, 1e-12);
  // A third goes 0 -> 3, by hand 1/3 * 3 mm.
  EXPECT_NEAR(*transport_distance_m(line, Image{2, 1, 0, 0}, Image{1, 1, 0, 1}), 1e-3, 1e-11);
}

TEST(Transport, LeavesDeadTactelsAndNegativeReadingsOut) {
  const auto line = ImageLayout::of_grid(1, 4, 1e-3, 1e-3);
  EXPECT_NEAR(*transport_distance_m(line, Image{1, kNone, 0, -2}, Image{0, 5, 1, 0}), 2e-3, 1e-12);
}

TEST(ImageMetrics, TactelsWithoutANumberAreLeftOutOfBothImages) {
  const auto layout = ImageLayout::of_grid(3, 3, 1e-3, 1e-3);
  const Image model{0, 0, 0, 0, 100, kNone, 0, 0, 0};
  const Image measured{0, 0, 0, 0, 90, 500, 0, 10, 0};
  const auto values = compare_images(layout, {1000, Image(9, 5)}, model, measured);
  EXPECT_NEAR(*at(values, ImageMetric::kMadFs), 100 * (10 + 10) / 8.0 / 1000, 1e-12);
  EXPECT_NEAR(*at(values, ImageMetric::kMadActive), 100 * 10 / 1.0 / 1000, 1e-12);
  EXPECT_NEAR(*at(values, ImageMetric::kRelL1), 100 * 10 / 90.0, 1e-12);
  EXPECT_NEAR(*at(values, ImageMetric::kTotal), 0, 1e-12);
  EXPECT_NEAR(*at(values, ImageMetric::kIou), 0.5, 1e-12);
  EXPECT_FALSE(at(values, ImageMetric::kSsim));
  const auto errors = contact_errors({1000, Image(9, 5)}, model, measured);
  EXPECT_EQ(errors.false_lit, 0);
  EXPECT_EQ(errors.missed_lit, 1);
}

TEST(ImageMetrics, ASumOfNoiseIsNoTotal) {
  const auto layout = ImageLayout::of_grid(2, 2, 1e-3, 1e-3);
  const ImageScale scale{1000, Image(4, 5)};
  const auto total = [&](const Image& model, const Image& measured) {
    return at(compare_images(layout, scale, model, measured), ImageMetric::kTotal);
  };
  EXPECT_FALSE(total({0, 0, 0, 0}, {2, -1, 3, 1}));
  EXPECT_NEAR(*total({0, 0, 0, 0}, {2, -1, 6, 1}), -100, 1e-12) << "missed";
  EXPECT_TRUE(total({0, 0, 8, 0}, {2, -1, 3, 1}));
}

// |100 - 90| on the one tactel that the judge calls active.
TEST(ImageMetrics, TheJudgeChoosesTheTactels) {
  EXPECT_DOUBLE_EQ(active_distance(Image{100, 0}, 1000, Image{100, 0}, Image{90, 300}), 10);
}

TEST(ImageMetrics, WithoutPitchOrFullScaleTheRestStays) {
  const auto layout = ImageLayout::of_grid(2, 2, 0, 0);
  const auto values = compare_images(layout, {}, Image{1, 2, 3, 4}, Image{2, 2, 3, 3});
  EXPECT_FALSE(at(values, ImageMetric::kCentroid));
  EXPECT_FALSE(at(values, ImageMetric::kMadFs));
  EXPECT_FALSE(at(values, ImageMetric::kIou));
  EXPECT_NEAR(*at(values, ImageMetric::kRmse), std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(*at(values, ImageMetric::kTotal), 0, 1e-12);
}

TEST(ImageMetrics, NamesAreUniqueAndFound) {
  for (const auto& info : image_metrics()) EXPECT_EQ(find_image_metric(info.name), &info);
  EXPECT_EQ(find_image_metric("mad"), nullptr);
}

}  // namespace
}  // namespace tactelier

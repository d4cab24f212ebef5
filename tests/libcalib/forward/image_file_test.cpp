#include "libcalib/forward/image_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <array>
#include <cmath>
#include <limits>

#include "libcalib/text_file.hpp"
#include "tests/libcalib/import/scratch_folder.hpp"

namespace tactelier {
namespace {

using testing::HasSubstr;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// 2 rows x 3 columns, one tactel dead.
ImageFile small() {
  ImageFile image;
  image.layout = ImageLayout::of_grid(2, 3, 2e-3, 3e-3);
  image.pitch_x_m = 2e-3;
  image.pitch_y_m = 3e-3;
  image.values = {0, 1.5, kNone, 3, 0.25, 6};
  image.unit = "N";
  return image;
}

class ImageFiles : public testing::Test {
 protected:
  test_support::ScratchFolder folder_;

  std::string refusal(const std::string& name, const std::string& text) {
    EXPECT_TRUE(write_text_file(folder_ / name, text));
    const auto read = read_image(folder_ / name);
    EXPECT_FALSE(read) << text;
    return read ? "" : read.error().message;
  }
};

TEST_F(ImageFiles, ACsvIsRowsByColumnsWithRowZeroFirst) {
  ASSERT_TRUE(write_image(small(), {}, folder_ / "a.csv"));
  EXPECT_EQ(*read_text_file(folder_ / "a.csv", 1000), "0,1.5,\n3,0.25,6\n");
  const auto read = read_image(folder_ / "a.csv");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->layout.grids[0].rows, 2);
  EXPECT_EQ(read->layout.grids[0].columns, 3);
  EXPECT_TRUE(std::isnan(read->values[2]));
  EXPECT_EQ(read->values[5], 6);
  EXPECT_EQ(read->layout.pitch_m, 0);
}

TEST_F(ImageFiles, AJsonKeepsUnitAndPitch) {
  ASSERT_TRUE(write_image(small(), {}, folder_ / "a.json"));
  const auto read = read_image(folder_ / "a.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->unit, "N");
  EXPECT_NEAR(read->pitch_y_m, 3e-3, 1e-15);
  EXPECT_TRUE(std::isnan(read->values[2]));
  EXPECT_EQ(read->values[4], 0.25);
}

TEST_F(ImageFiles, APictureHasRowZeroAtTheBottomAndFullScaleWhite) {
  ASSERT_TRUE(write_image(small(), 3.0, folder_ / "a.png"));
  png_image picture{};
  picture.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_file(&picture, (folder_ / "a.png").c_str()), 0);
  EXPECT_EQ(picture.width, 3u);
  EXPECT_EQ(picture.height, 2u);
  picture.format = PNG_FORMAT_GRAY;
  std::array<unsigned char, 6> pixels{};
  ASSERT_NE(png_image_finish_read(&picture, nullptr, pixels.data(), 0, nullptr), 0);
  EXPECT_THAT(pixels, testing::ElementsAre(255, 21, 255, 0, 128, 0));
}

TEST_F(ImageFiles, WrongFilesAreNamedWithTheirLine) {
  EXPECT_THAT(refusal("a.csv", "1,2\n3\n"), HasSubstr("a.csv:2: 1 columns"));
  EXPECT_THAT(refusal("a.csv", "1,2\n3,x\n"), HasSubstr("a.csv:2: 'x' is no number"));
  EXPECT_THAT(refusal("a.csv", "1,inf\n"), HasSubstr("no number"));
  EXPECT_THAT(refusal("a.csv", "\n"), HasSubstr("no image"));
  EXPECT_THAT(refusal("a.json", R"({"format": "tactelier/image", "version": 1, "unit": "N",
                                    "values": [[1, 2], [3]]})"),
              HasSubstr("rows of 2 and of 1"));
  EXPECT_THAT(refusal("a.json", R"({"format": "tactelier/image", "version": 1, "unit": "lb",
                                    "values": [[1]]})"),
              HasSubstr("unit"));
  EXPECT_FALSE(read_image(folder_ / "a.png"));
  EXPECT_FALSE(write_image(small(), {}, folder_ / "a.bmp"));
}

}  // namespace
}  // namespace tactelier

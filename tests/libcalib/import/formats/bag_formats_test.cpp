// Bags of ROS, written by the formats' own programs (tables/make_bags.mjs): topics at times of
// their own become one table, and import gives each stream its own rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "libcalib/import/formats/ros_message.hpp"
#include "libcalib/import/guess/guess_map.hpp"
#include "libcalib/import/guess/table.hpp"
#include "libcalib/import/plain_tables.hpp"
#include "tests/libcalib/import/import_fixture.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

const std::filesystem::path kTables = paths::source_dir() + "/tests/libcalib/import/formats/tables";

class Bags : public ::testing::Test {
 protected:
  LookedAt look(const std::filesystem::path& file) {
    auto plain = PlainTables::of({{file, file.filename().string(), {}}}, {}, scratch_.path(), {});
    EXPECT_TRUE(plain.has_value()) << (plain ? "" : plain.error().message);
    if (!plain) return {};
    left_out_ = plain->warnings().empty() ? "" : plain->warnings().front().text;
    const auto looked = look_at(plain->tables().front(), {});
    EXPECT_TRUE(looked.has_value()) << (looked ? "" : looked.error().message);
    return looked.value_or(LookedAt{});
  }
  static const LookedAt::Column& column(const LookedAt& looked, std::string_view name) {
    for (const auto& column : looked.columns)
      if (column.name == name) return column;
    ADD_FAILURE() << name;
    static const LookedAt::Column kNone;
    return kNone;
  }

  test_support::ScratchFolder scratch_;
  std::string left_out_;
};

class BagFormats : public Bags, public ::testing::WithParamInterface<const char*> {};

TEST_P(BagFormats, GiveTheNumbersThatWereRecordedAtTheirTimes) {
  const auto looked = look(kTables / GetParam());
  ASSERT_EQ(looked.rows, 60U) << "40 wrenches and 20 frames, joints at the wrenches' times";
  const auto& t = column(looked, "t [s]").values;
  const auto& force = column(looked, "Fz [N]").values;
  const auto& cell = column(looked, "tactile_1").values;
  const auto& knee = column(looked, "knee angle [rad]").values;
  int frames = 0;
  for (std::size_t i = 0; i < looked.rows; ++i) {
    const auto k = std::floor(100 * t[i] + 1e-6);
    if (std::isnan(force[i])) {
      ++frames;  // a frame has no header: the time of receipt, 2 ms later
      EXPECT_NEAR(t[i], k / 100 + 0.002, 1e-9);
      EXPECT_EQ(cell[i], 100 + 7 * k);
      EXPECT_TRUE(std::isnan(knee[i]));
    } else {  // by the header, not by the time of receipt, 3 ms later
      EXPECT_NEAR(t[i], k / 100, 1e-9);
      EXPECT_DOUBLE_EQ(force[i], 2 - std::abs(k - 20) / 10);
      EXPECT_TRUE(std::isnan(cell[i]));
      if (std::fmod(k, 2) == 0)
        EXPECT_DOUBLE_EQ(knee[i], -k);
      else
        EXPECT_TRUE(std::isnan(knee[i]));
    }
  }
  EXPECT_EQ(frames, 20);
  EXPECT_EQ(column(looked, "Fx [N]").values.front(), 0.5);
  EXPECT_EQ(column(looked, "Tz [N*m]").values.front(), 0.125);
  EXPECT_EQ(column(looked, "hip torque [N*m]").values.front(), 1.5);
  EXPECT_THAT(left_out_, HasSubstr("/log (rcl_interfaces/Log)"));
}

INSTANTIATE_TEST_SUITE_P(Each, BagFormats, ::testing::Values("bag_ros1.mcap", "bag_humble.db3"));

class BagsWithOddMessages : public BagFormats {};

TEST_P(BagsWithOddMessages, AreReadByTheDefinitionsTheyHold) {
  const auto looked = look(kTables / GetParam());
  std::vector<double> first;
  for (const auto* name :
       {"on", "offset", "small_0", "small_1", "small_2", "more_0", "more_1", "large"})
    for (const double value : column(looked, name).values)
      if (!std::isnan(value)) {
        first.push_back(value);
        break;
      }
  EXPECT_THAT(first, ::testing::ElementsAre(1, -300, 250, 1, 2, 1.5, -2.25, -5e9));
  EXPECT_EQ(column(looked, "Fz [N]").numeric, true);
  int wrenches = 0;
  for (const double force : column(looked, "Fz [N]").values) wrenches += std::isnan(force) ? 0 : 1;
  EXPECT_EQ(wrenches, 40);
}

INSTANTIATE_TEST_SUITE_P(Each, BagsWithOddMessages,
                         ::testing::Values("bag_ros2.mcap", "bag_zstd.mcap", "bag_lz4.mcap",
                                           "bag_iron.db3"));

TEST_F(Bags, ABagThatWasCutOffIsReadAsFarAsItGoes) {
  const auto looked = look(kTables / "bag_cut.mcap");
  EXPECT_GT(looked.rows, 5U);
  EXPECT_LT(looked.rows, 60U);
  EXPECT_THAT(left_out_, HasSubstr("cut off"));
}

TEST_F(Bags, ABagThatHoldsNoDefinitionSaysWhatToRecordWith) {
  look(kTables / "bag_humble.db3");
  EXPECT_THAT(left_out_, HasSubstr("/odd (my_msgs/Odd): the bag holds no definition"));
}

TEST_F(Bags, ImportedAsGuessedEachStreamHasItsOwnRows) {
  const auto bag = kTables / "bag_humble.db3";
  const auto guessed = guess_map(bag, {}, {});
  ASSERT_TRUE(guessed) << guessed.error().message;
  std::vector<std::string> targets;
  for (const auto& column : guessed->columns) targets.push_back(column.target);
  EXPECT_THAT(targets, IsSupersetOf({"t", "force", "Fx", "Tz", "tactel 0", "tactel 1", "angle hip",
                                     "torque knee"}));
  const auto imported = import_table(bag, scratch_.write("map.json", guessed->text),
                                     scratch_ / "out.tact", {.overwrite = true}, {});
  ASSERT_TRUE(imported) << imported.error().message;
  const auto session = Session::open(scratch_ / "out.tact");
  ASSERT_TRUE(session) << session.error().message;
  for (const auto& [kind, rows] :
       {std::pair{StreamKind::kForce, 40U}, {StreamKind::kTactile, 20U}, {StreamKind::kAux, 20U}}) {
    ASSERT_NE(session->stream(kind), nullptr);
    EXPECT_EQ(session->stream(kind)->rows, rows);
  }
}

TEST_F(Bags, DamageIsNamed) {
  EXPECT_FALSE(PlainTables::of({{scratch_.write("x.mcap", "no bag at all"), "x.mcap", {}}}, {},
                               scratch_.path(), {}));
  const auto plain = PlainTables::of(
      {{scratch_.write("x.db3", "no bag at all, either"), "x.db3", {}}}, {}, scratch_.path(), {});
  ASSERT_FALSE(plain);
  EXPECT_THAT(plain.error().message, HasSubstr("x.db3: cannot be read as a bag of ROS 2"));
}

// Bytes by hand, from OMG's CDR: alignment counts from behind the four bytes of the encapsulation.
TEST(RosMessage, NumbersAreAlignedAndReadInTheirByteOrder) {
  const auto types = parse_ros_definition("a/msg/B", "uint8 a\nfloat64 b\nuint16[] c\nint8 d\n");
  ASSERT_TRUE(types) << types.error().message;
  const std::string_view little(
      "\0\1\0\0"
      "\7\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\xf8\x3f"
      "\2\0\0\0"
      "\1\0\0\1"
      "\xfe",
      29);
  const std::string_view big(
      "\0\0\0\0"
      "\7\0\0\0\0\0\0\0"
      "\x3f\xf8\0\0\0\0\0\0"
      "\0\0\0\2"
      "\0\1\1\0"
      "\xfe",
      29);
  for (const auto bytes : {little, big}) {
    const auto read = decode_ros(*types, "a/B", RosEncoding::kCdr, bytes, true);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_THAT(read->values, ::testing::ElementsAre(7, 1.5, 1, 256, -2));
    EXPECT_EQ(read->paths[3], "c[1]");
  }
}

TEST(RosMessage, BytesThatEndEarlyAreRefusedWhereverTheyEnd) {
  const auto types = parse_ros_definition("a/msg/B", "string a\nfloat64[] b\nint32[2] c\n");
  ASSERT_TRUE(types);
  const std::string whole(
      "\0\1\0\0"
      "\3\0\0\0ab\0\0"
      "\1\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\xf0\x3f"
      "\1\0\0\0\2\0\0\0",
      36);
  // Alignment: the array's only number begins at the next multiple of eight.
  ASSERT_TRUE(decode_ros(*types, "a/B", RosEncoding::kCdr, whole, false));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(decode_ros(*types, "a/B", RosEncoding::kCdr,
                            std::string_view(whole).substr(0, size), false))
        << size;
}

/// Bytes of an image of 2 x 3 with 2 bytes behind each row, by hand from REP 118 and OMG's CDR.
std::string image(std::string_view encoding, std::string_view pixels, unsigned step,
                  bool big = false) {
  std::string bytes("\0\1\0\0", 4);
  const auto put = [&](std::uint32_t number) {
    while (bytes.size() % 4 != 0) bytes += '\0';
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  };
  put(7);  // s
  put(500'000'000);
  put(1);
  bytes += '\0';  // frame_id ""
  put(2);
  put(3);
  put(static_cast<std::uint32_t>(encoding.size() + 1));
  bytes += encoding;
  bytes += '\0';
  bytes += big ? '\1' : '\0';
  put(step);
  put(static_cast<std::uint32_t>(pixels.size()));
  return bytes + std::string(pixels);
}

TEST(RosImage, GivesItsPixelsAndNotItsBytes) {
  const auto types = known_ros_types();
  ASSERT_TRUE(types);
  const auto read = [&](const std::string& bytes) {
    return decode_ros(*types, "sensor_msgs/Image", RosEncoding::kCdr, bytes, true);
  };
  const std::string_view words("\1\0\2\0\3\1..\4\0\5\0\6\0..", 16);
  const auto sixteen = read(image("16UC1", words, 8));
  ASSERT_TRUE(sixteen) << sixteen.error().message;
  EXPECT_THAT(sixteen->values, ::testing::ElementsAre(1, 2, 259, 4, 5, 6));
  EXPECT_EQ(sixteen->paths[4], "data[4]");
  EXPECT_EQ(sixteen->stamp_ns, 7'500'000'000);
  EXPECT_TRUE(sixteen->strings.empty());
  EXPECT_THAT(read(image("mono16", words, 8, true))->values,
              ::testing::ElementsAre(256, 512, 769, 1024, 1280, 1536));
  EXPECT_THAT(read(image("mono8", "\1\2\3..\4\5\xFF..", 5))->values,
              ::testing::ElementsAre(1, 2, 3, 4, 5, 255));
  EXPECT_THAT(read(image("8SC1", "\1\2\3..\4\5\xFF..", 5))->values,
              ::testing::ElementsAre(1, 2, 3, 4, 5, -1));
  const std::string_view floats("\0\0\x80\x3F\0\0\0\x3F\0\0\0\xC0", 12);  // 1, 0.5, -2
  EXPECT_THAT(read(image("32FC1", std::string(floats) + std::string(floats), 12))->values,
              ::testing::ElementsAre(1, 0.5, -2, 1, 0.5, -2));
}

TEST(RosImage, SaysWhatItIsWhereItsPixelsAreNoReadings) {
  const auto types = known_ros_types();
  const auto why = [&](const std::string& bytes) {
    const auto read = decode_ros(*types, "sensor_msgs/Image", RosEncoding::kCdr, bytes, false);
    return read ? "" : read.error().message;
  };
  EXPECT_THAT(why(image("rgb8", std::string(18, 'x'), 9)),
              HasSubstr("'rgb8', whose pixels aren't one number each"));
  EXPECT_THAT(why(image("mono16", std::string(8, 'x'), 4)), HasSubstr("2 x 3 'mono16' in 8 bytes"));
  EXPECT_THAT(why(image("mono8", std::string(5, 'x'), 3)), HasSubstr("in 5 bytes"));
  const auto whole = image("mono8", "abcdef", 3);
  EXPECT_EQ(why(whole), "");
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(why(whole.substr(0, size)), "");
}

TEST(RosMessage, ADefinitionThatIsNoneIsQuoted) {
  const auto types = parse_ros_definition("a/msg/B", "float64\n");
  ASSERT_FALSE(types);
  EXPECT_THAT(types.error().message, HasSubstr("'float64' is no field"));
}

}  // namespace
}  // namespace tactelier

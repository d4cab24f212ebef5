#include "devices/server/rig_file_store.hpp"

#include <gmock/gmock.h>

#include "libcalib/text_file.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr std::size_t kMost = 1U << 20U;
constexpr const char* kByHand = R"({
  "version": 1,
  "format": "tactelier/rig",
  "stage": {"z_speed_mm_s": 8, "xy_speed_mm_s": 25, "acceleration_mm_s2": 100,
            "safe_height_mm": 1},
  "notes": "left is +x",
  "limits": {"max_force_N": 5}
})";

class RigFileStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const auto folder = std::filesystem::path(testing::TempDir()) / "rig_file" / test->name();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    file_ = folder / "rig.json";
    ASSERT_TRUE(write_text_file(file_, kByHand));
  }
  std::string text(const char* more = "") const {
    return read_text_file(file_.string() + more, kMost).value_or("");
  }
  RigFileStore store() const { return {parse_rig(kByHand, "rig").value(), file_}; }
  std::filesystem::path file_;
};

TEST_F(RigFileStoreTest, KeepsTheOrderOfWhoWroteIt) {
  auto rig = store();
  ASSERT_TRUE(rig.keep({{"stage", {{"backlash_um", {{"z", 12.5}}}}}, {"compliance_um_per_N", 7}}));
  EXPECT_EQ(text(), R"({
  "version": 1,
  "format": "tactelier/rig",
  "stage": {
    "z_speed_mm_s": 8,
    "xy_speed_mm_s": 25,
    "acceleration_mm_s2": 100,
    "safe_height_mm": 1,
    "backlash_um": {"z": 12.5}
  },
  "notes": "left is +x",
  "limits": {"max_force_N": 5},
  "compliance_um_per_N": 7
}
)");
}

TEST_F(RigFileStoreTest, TheFileAsItWasIsKeptOnceHoweverOftenItIsWritten) {
  auto rig = store();
  ASSERT_TRUE(rig.keep({{"compliance_um_per_N", 7}}));
  ASSERT_TRUE(rig.keep({{"compliance_um_per_N", 8}}));
  EXPECT_EQ(text(".bak"), kByHand);
}

TEST_F(RigFileStoreTest, WhatSomebodyWroteMeanwhileStays) {
  auto rig = store();
  auto edited = json::parse(kByHand);
  edited["notes"] = "right is +x";
  ASSERT_TRUE(write_text_file(file_, edited.dump()));
  ASSERT_TRUE(rig.keep({{"compliance_um_per_N", 7}}));
  EXPECT_EQ(json::parse(text())["notes"], "right is +x");
}

TEST_F(RigFileStoreTest, AFileThatIsBrokenByThenIsLeftAloneAndWhatWasFoundIsTold) {
  auto rig = store();
  ASSERT_TRUE(write_text_file(file_, "{\"format\": "));
  const auto kept = rig.keep({{"compliance_um_per_N", 7}});
  ASSERT_FALSE(kept);
  EXPECT_THAT(kept.error().message,
              testing::AllOf(HasSubstr("rig.json"), HasSubstr("compliance_um_per_N")));
  EXPECT_EQ(text(), "{\"format\": ");
}

}  // namespace
}  // namespace tactelier::rig

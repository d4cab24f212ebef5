// Another role for one column of a map, picked in a table.

#include "libcalib/import/guess/map_roles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcalib/import/table_map.hpp"

namespace tactelier {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr std::string_view kMap = R"({"format": "tactelier/map", "version": 1, "row_is": "sample",
  "sensor": {"rows": 1, "columns": 3, "pitch_x_mm": 1, "pitch_y_mm": 1},
  "columns": {"t": "t", "F": "force", "a": "tactel 0", "b": "tactel 1", "c": "tactel 2"},
  "units": {"t": "s", "F": "N"}})";

std::string said(const std::string& map, const std::string& column) {
  const auto role = role_in(map, column);
  return role ? role->target + " [" + role->unit + "]" : "nothing";
}

TEST(MapRoles, AUnitThatTheTargetCantHaveGivesWayToItsUsualOne) {
  const auto map = with_role(kMap, "F", {"depth", "N"});
  ASSERT_TRUE(map) << map.error().message;
  EXPECT_EQ(said(*map, "F"), "depth [mm]");
  EXPECT_EQ(said(*with_role(kMap, "F", {"force", "mN"}), "F"), "force [mN]");
  EXPECT_EQ(said(*with_role(kMap, "F", {"torque knee", ""}), "F"), "torque knee [N*m]");
  EXPECT_EQ(said(*with_role(kMap, "F", {"ignore", "N"}), "F"), "ignore []");
  EXPECT_TRUE(parse_table_map(*map, "map.json"));
}

TEST(MapRoles, TactelsCloseRanksAndTheSensorFollows) {
  const auto fewer = with_role(kMap, "b", {"ignore", ""});
  ASSERT_TRUE(fewer);
  EXPECT_EQ(said(*fewer, "a"), "tactel 0 []");
  EXPECT_EQ(said(*fewer, "c"), "tactel 1 []");
  EXPECT_THAT(*fewer, HasSubstr("\"columns\": 2"));
  EXPECT_TRUE(parse_table_map(*fewer, "map.json"));
  const auto again = with_role(*fewer, "b", {"tactel", ""});
  ASSERT_TRUE(again);
  EXPECT_EQ(said(*again, "b"), "tactel 2 []");
  EXPECT_THAT(*again, HasSubstr("\"columns\": 3"));
}

TEST(MapRoles, EveryTargetOfTheMenuIsOneThatAMapTakes) {
  const auto targets = targets_for("F");
  EXPECT_THAT(targets, Contains("angle"));
  EXPECT_THAT(targets, Contains("mass"));
  for (const auto& target : targets) {
    if (target == "force" || target == "t") continue;
    auto map = with_role(kMap, "b", {target, ""});
    ASSERT_TRUE(map) << target;
    if (target == "mass" || target == "Fz") map = with_role(*map, "F", {"ignore", ""});
    const auto parsed = parse_table_map(*map, "map.json");
    EXPECT_TRUE(parsed) << target << ": " << (parsed ? "" : parsed.error().message);
  }
}

TEST(MapRoles, TextThatIsNoMapIsRefused) {
  EXPECT_FALSE(with_role("{", "a", {"force", "N"}));
  EXPECT_FALSE(with_role("{\"columns\": 3}", "a", {"force", "N"}));
  EXPECT_FALSE(with_role(kMap, "no such", {"force", "N"}));
  EXPECT_FALSE(role_in("[1]", "a"));
}

}  // namespace
}  // namespace tactelier

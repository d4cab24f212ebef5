// Files with bytes changed, cut or doubled at random: import takes them or says why not, and never
// leaves anything behind. Meant for the sanitizers.

#include <random>
#include <string>

#include "tests/libcalib/import/import_fixture.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kForce =
    "t[s],Fx[N],Fz[N],seq\n0,0.10,-1.25,1\n0.001,,2e-3,2\n0.002,\"3\",nan,3\r\n0.003,1,1,4\n";
constexpr std::string_view kTactile = "t[s],0,1\n0,100,101\n0.02,102,103.5\n";
constexpr std::string_view kEvents =
    "t[s],event,data\n0,zero_begin,{}\n0.005,zero_end,\n0.01,press_begin,\"{\"\"press\"\": 1, "
    "\"\"tactel\"\": 1, \"\"kind\"\": \"\"ramp\"\"}\"\n0.02,press_end,\"{\"\"press\"\": 1}\"\n";

class GarbledImport : public test_support::FolderImport {
 protected:
  std::string garbled(std::string_view text) {
    constexpr std::string_view kNasty("\0\n\r\",.-+eE[]{}:019 \xFF\xEF\xBB;nt", 25);
    std::string out(text);
    for (auto changes = 1 + random_() % 4; changes > 0 && !out.empty(); --changes) {
      const auto at = random_() % out.size();
      switch (random_() % 4) {
        case 0:
          out[at] = kNasty[random_() % kNasty.size()];
          break;
        case 1:
          out.insert(at, 1, kNasty[random_() % kNasty.size()]);
          break;
        case 2:
          out.erase(at, 1 + random_() % 8);
          break;
        default:
          out.insert(at, out.substr(random_() % out.size(), random_() % 40));
      }
    }
    return out;
  }

  std::mt19937_64 random_{20261120};
};

TEST_F(GarbledImport, IsTakenOrRefusedButNeverCrashes) {
  int taken = 0;
  for (int round = 0; round < 600; ++round) {
    give("force.csv", round % 3 == 0 ? garbled(kForce) : std::string(kForce));
    give("tactile.csv", round % 3 == 1 ? garbled(kTactile) : std::string(kTactile));
    give("events.csv", round % 3 == 2 ? garbled(kEvents) : std::string(kEvents));
    const auto report = import({.sort = round % 2 == 0, .overwrite = true});
    if (report) {
      ++taken;
      const auto session = Session::open(scratch_ / "out.tact");
      ASSERT_TRUE(session.has_value());
      EXPECT_TRUE(session->check().has_value());
      std::filesystem::remove(scratch_ / "out.tact");
    } else {
      EXPECT_EQ(report.error().code, ErrorCode::kInvalidInput);
      EXPECT_NE(report.error().message.find(".csv"), std::string::npos) << report.error().message;
    }
    ASSERT_EQ(scratch_.names().size(), 5U) << "something was left behind";
  }
  EXPECT_GT(taken, 5);
}

TEST_F(GarbledImport, ATableAndItsMapToo) {
  const std::string map = R"({"format": "tactelier/map", "version": 1, "row_is": "sample",
    "sensor": {"rows": 1, "columns": 1, "pitch_x_mm": 1, "pitch_y_mm": 1},
    "columns": {"t": "t", "f": "force", "w": "ignore", "d": "depth"},
    "units": {"t": "s", "f": "N", "d": "mm"}, "press_by": {"threshold_N": 0.5}})";
  std::string table = "t,f,w,d\n";
  for (int i = 0; i < 60; ++i) table += fmt::format("{},{},\"a,b\",0.1\n", i, i > 30 ? 2 : 0);
  int taken = 0;
  for (int round = 0; round < 300; ++round) {
    const auto report =
        import_table(scratch_.write("table.csv", round % 2 == 0 ? garbled(table) : table),
                     scratch_.write("map.json", round % 2 == 1 ? garbled(map) : map),
                     scratch_ / "out.tact", {.sort = round % 4 < 2, .overwrite = true}, {});
    taken += report ? 1 : 0;
    if (report) std::filesystem::remove(scratch_ / "out.tact");
    ASSERT_EQ(scratch_.names().size(), 4U) << "something was left behind";
  }
  EXPECT_GT(taken, 5);
}

}  // namespace
}  // namespace tactelier

#include <clocale>
#include <cmath>
#include <locale>
#include <string>

#include "libcalib/job.hpp"
#include "tests/libcalib/import/import_fixture.hpp"

namespace tactelier {
namespace {

using test_support::column;
using test_support::FolderImport;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(FolderImport, ReadsEveryFileOfAFolder) {
  give("force.csv",
       "t[s],Fx[N],Fy[N],Fz[mN],Tx[N*m],Ty[N*m],Tz[N*mm],t_host[s],seq,status\n"
       "0.00,0,0,-1500,0,0,2,10.5,7,0\n0.01,0.1,0,-1600.25,0,0,3,10.51,8,0\n");
  give("stage.csv", "t[ms],x[mm],y[mm],z[um],z_enc[mm]\n0,1,2,-3,4\n10,1,2,-4.5,4\n");
  give("tactile.csv", "t[s],0,1\n0,100,101\n0.02,102,103.5\n");
  give("aux.csv", "t[s],pad[degC],supply[V]\n0,22.5,5.01\n");
  give("events.csv",
       "t[s],event,data\n0,zero_begin,{}\n0.005,zero_end,\n0.01,press_begin,\"{\"\"press\"\": 1, "
       "\"\"tactel\"\": 1, \"\"kind\"\": \"\"ramp\"\"}\"\n0.02,press_end,\"{\"\"press\"\": 1}\"\n");
  const auto report = import();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->rows, 7U);
  EXPECT_EQ(report->presses, 1);
  EXPECT_TRUE(report->warnings.empty());
  const auto session = Session::open(scratch_ / "out.tact");
  ASSERT_TRUE(session.has_value()) << session.error().message;
  EXPECT_TRUE(session->finished());
  EXPECT_THAT(column(*session, StreamKind::kForce, "Fz"), ElementsAre(-1.5, -1.60025));
  EXPECT_THAT(column(*session, StreamKind::kForce, "Tz"), ElementsAre(0.002, 0.003));
  EXPECT_THAT(column(*session, StreamKind::kForce, "seq"), ElementsAre(7, 8));
  EXPECT_THAT(column(*session, StreamKind::kStage, "t"), ElementsAre(0, 0.01));
  EXPECT_THAT(column(*session, StreamKind::kStage, "z"), ElementsAre(-3e-6, -4.5e-6));
  EXPECT_THAT(column(*session, StreamKind::kTactile, "1"), ElementsAre(101, 103.5));
  EXPECT_THAT(column(*session, StreamKind::kAux, "pad"), ElementsAre(22.5));
  ASSERT_EQ(session->events().size(), 4U);
  EXPECT_EQ(session->events()[2].data, R"({"kind":"ramp","press":1,"tactel":1})");
  EXPECT_EQ(session->metadata().sensor.model, "pair");
}

TEST_F(FolderImport, ColumnsMayComeInAnyOrder) {
  give("force.csv", "Fz[N],seq,Fx[N],t[s]\n3,9,1,0.5\n");
  give("tactile.csv", "1,0,t[s]\n11,10,0\n");
  const auto session = imported();
  EXPECT_THAT(column(session, StreamKind::kForce, "t"), ElementsAre(0.5));
  EXPECT_THAT(column(session, StreamKind::kForce, "Fx"), ElementsAre(1));
  EXPECT_THAT(column(session, StreamKind::kForce, "Fz"), ElementsAre(3));
  EXPECT_THAT(column(session, StreamKind::kForce, "seq"), ElementsAre(9));
  EXPECT_THAT(column(session, StreamKind::kTactile, "0"), ElementsAre(10));
  EXPECT_THAT(column(session, StreamKind::kTactile, "1"), ElementsAre(11));
}

TEST_F(FolderImport, NumbersMayBeWrittenInEveryUsualWay) {
  give("force.csv",
       "t[s],Fz[N]\n0,+1.5\n1,.5\n2,2.\n3,1e-3\n4,\"-7.25\"\n5, 8 "
       "\n6,1.5E2\n7,000000000000000000001\n"
       "8,0.100000000000000001\n9,-0\n");
  EXPECT_THAT(column(imported(), StreamKind::kForce, "Fz"),
              ElementsAre(1.5, 0.5, 2, 1e-3, -7.25, 8, 150, 1, 0.100000000000000001, 0));
}

TEST_F(FolderImport, MissingCellsReadAsNaN) {
  give("force.csv", "t[s],Fx[N],Fz[N]\n0,,1\n1,nan,NaN\n2,5,\n");
  const auto session = imported();
  const auto fx = column(session, StreamKind::kForce, "Fx");
  EXPECT_TRUE(std::isnan(fx[0]) && std::isnan(fx[1]));
  EXPECT_EQ(fx[2], 5);
  const auto fz = column(session, StreamKind::kForce, "Fz");
  EXPECT_EQ(fz[0], 1);
  EXPECT_TRUE(std::isnan(fz[1]) && std::isnan(fz[2]));
}

TEST_F(FolderImport, BomCrlfBlankEndAndNoLastNewlineMakeNoDifference) {
  give("force.csv", "t[s],Fz[N]\n0,1.5\n1,2.5\n");
  const auto plain = imported().content_hash().value();
  for (const auto* text :
       {"\xEF\xBB\xBFt[s],Fz[N]\r\n0,1.5\r\n1,2.5\r\n\r\n", "t[s],Fz[N]\n0,1.5\n1,2.5",
        "\"t[s]\",\"Fz[N]\"\n\"0\",\"1.5\"\n1,2.5\n\n\n", " t [s] , Fz[N]\n0,1.5\n1, 2.5\n"}) {
    give("force.csv", text);
    EXPECT_EQ(imported({.overwrite = true}).content_hash().value(), plain) << text;
  }
}

TEST_F(FolderImport, EqualTimeStampsAreAllowed) {
  give("force.csv", "t[s],Fz[N]\n1,1\n1,2\n1.0,3\n");
  EXPECT_THAT(column(imported(), StreamKind::kForce, "Fz"), ElementsAre(1, 2, 3));
}

TEST_F(FolderImport, SortOrdersSamplesAndEventsAndKeepsEqualOnes) {
  give("force.csv", "t[s],Fz[N]\n3,1\n1,2\n2,3\n1.0,4\n");
  give("events.csv", "t[s],event\n2,zero_end\n1,zero_begin\n");
  const auto session = imported({.sort = true});
  EXPECT_THAT(column(session, StreamKind::kForce, "t"), ElementsAre(1, 1, 2, 3));
  EXPECT_THAT(column(session, StreamKind::kForce, "Fz"), ElementsAre(2, 4, 3, 1));
  EXPECT_EQ(session.events().front().name, "zero_begin");
}

TEST_F(FolderImport, AStreamWithoutRowsIsLeftOutWithAWarning) {
  give("force.csv", "t[s],Fz[N]\n");
  const auto report = import();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_THAT(report->warnings,
              ElementsAre(Warning{"no-rows", "has a header but no rows; the stream is left out",
                                  "force.csv"}));
  EXPECT_EQ(Session::open(scratch_ / "out.tact")->stream(StreamKind::kForce), nullptr);
}

TEST_F(FolderImport, WarnsOfFilesThatItDoesNotRead) {
  give("tactil.csv", "t[s],0,1\n0,1,2\n");
  const auto report = import();
  ASSERT_TRUE(report.has_value());
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_EQ(report->warnings[0].where, "tactil.csv");
}

TEST_F(FolderImport, WarnsOfAPressThatNeverEnds) {
  give("events.csv",
       "t[s],event,data\n1,press_begin,\"{\"\"press\"\":4,\"\"kind\"\":\"\"ramp\"\"}\"\n");
  const auto report = import();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_EQ(report->warnings[0].text, "press 4 never ends; it counts as aborted");
  EXPECT_EQ(report->presses, 1);
}

TEST_F(FolderImport, NamesChannelsOfATactel) {
  give("session.json",
       R"({"format": "tactelier/session", "version": 1, "sensor":
           {"rows": 1, "columns": 2, "pitch_x_mm": 5, "pitch_y_mm": 5, "channels": 3}})");
  give("tactile.csv", "t[s],0.x,0.y,0.z,1.x,1.y,1.z\n0,1,2,3,4,5,6\n");
  EXPECT_THAT(column(imported(), StreamKind::kTactile, "1.y"), ElementsAre(5));
  std::filesystem::remove(scratch_ / "out.tact");
  EXPECT_THAT(refusal("tactile.csv", "t[s],0,1\n0,1,2\n"),
              HasSubstr("the sensor has no such tactel; it has 2 tactels, 0.x to 1.z"));
}

/// Thousands apart by dots, a comma before the decimals.
struct German : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_F(FolderImport, TheDesktopsLocaleMakesNoDifference) {
  give("force.csv", "t[s],Fz[N]\n1000,1234.5\n1001.25,1e-3\n");
  const auto plain = imported().content_hash().value();
  const std::locale before = std::locale::global(std::locale(std::locale(), new German));
  const char* c_before = std::setlocale(LC_ALL, nullptr);
  const std::string c_name = c_before != nullptr ? c_before : "C";
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  const auto german = imported({.overwrite = true}).content_hash().value();
  const auto unpacked = unpack_to_folder(scratch_ / "out.tact", scratch_ / "2", {});
  std::setlocale(LC_ALL, c_name.c_str());
  std::locale::global(before);
  EXPECT_EQ(german, plain);
  ASSERT_TRUE(unpacked.has_value());
  EXPECT_EQ(test_support::read_text(scratch_ / "2/force.csv"),
            "t[s],Fz[N]\n1000.00,1234.500\n1001.25,0.001\n");
}

TEST_F(FolderImport, WarnsOfASensorWhoseAreaDoesNotFit) {
  give("session.json",
       R"({"format": "tactelier/session", "version": 1, "sensor":
           {"rows": 12, "columns": 7, "pitch_x_mm": 3.4, "pitch_y_mm": 3.4, "area_mm2": 1250}})");
  const auto report = import();
  ASSERT_TRUE(report.has_value()) << report.error().message;
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_EQ(report->warnings[0].code, "CV-05");
}

TEST_F(FolderImport, RefusesAnExistingTargetUnlessToldOtherwise) {
  scratch_.write("out.tact", "something else");
  EXPECT_THAT(refusal(ErrorCode::kUsage), HasSubstr("out.tact' is there already"));
  EXPECT_EQ(test_support::read_text(scratch_ / "out.tact"), "something else");
  imported({.overwrite = true});
}

TEST_F(FolderImport, AFailedImportKeepsTheOldTarget) {
  scratch_.write("out.tact", "something else");
  give("force.csv", "t[s],Fz[N]\n0,x\n");
  EXPECT_THAT(refusal(ErrorCode::kInvalidInput, {.overwrite = true}), HasSubstr("force.csv:2"));
  EXPECT_EQ(test_support::read_text(scratch_ / "out.tact"), "something else");
}

TEST_F(FolderImport, RemovesWhatAKilledImportLeft) {
  scratch_.write("out.tact.partial", "half");
  scratch_.write("out.tact.partial-wal", "half");
  imported();
  EXPECT_THAT(scratch_.names(), ElementsAre("in", "in/session.json", "out.tact"));
}

TEST_F(FolderImport, StopsInTheMiddleAndLeavesNothing) {
  std::string text = "t[s],Fz[N]\n";
  for (int i = 0; i < 400000; ++i) text += fmt::format("{},1.25\n", i);
  give("force.csv", text);
  std::stop_source stop;
  Job job;
  job.stop = stop.get_token();
  double largest = 0;
  job.on_progress = [&](const Progress& progress) {
    largest = std::max(largest, progress.done / progress.total);
    if (progress.done > 1e6) stop.request_stop();
  };
  const auto before = scratch_.names();
  const auto report = import({}, job);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(scratch_.names(), before);
  EXPECT_GT(largest, 0.1);
  EXPECT_LT(largest, 0.9);
}

TEST_F(FolderImport, ReportsProgressUpToTheEnd) {
  give("force.csv", "t[s],Fz[N]\n0,1\n");
  give("stage.csv", "t[s],z[mm]\n0,1\n");
  double last = 0;
  Job job;
  job.on_progress = [&](const Progress& progress) { last = progress.done / progress.total; };
  const auto report = import({}, job);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(last, 1);
  EXPECT_EQ(report->bytes, 30U);
}

TEST_F(FolderImport, RefusesWhatIsNoFolder) {
  EXPECT_EQ(import_folder(scratch_ / "nowhere", scratch_ / "out.tact", {}, {}).error().code,
            ErrorCode::kIo);
  scratch_.write("bare/force.csv", "t[s],Fz[N]\n0,1\n");
  const auto bare = import_folder(scratch_ / "bare", scratch_ / "out.tact", {}, {});
  EXPECT_EQ(bare.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(bare.error().message, HasSubstr("has no session.json"));
}

}  // namespace
}  // namespace tactelier

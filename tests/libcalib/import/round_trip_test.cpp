// import -> unpack -> import: the same decimals, events and metadata, so the same content hash.

#include <rapidcheck.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "libcalib/session/session_writer.hpp"
#include "tests/libcalib/import/import_fixture.hpp"

namespace tactelier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Read by rapidcheck when the first property runs: the same cases every time.
const int kSeeded = ::setenv("RC_PARAMS", "seed=20261120 max_success=60", 0);

class RoundTrip : public test_support::FolderImport {
 protected:
  std::string hash(const std::string& file) {
    const auto session = Session::open(scratch_ / file);
    EXPECT_TRUE(session.has_value()) << (session ? "" : session.error().message);
    return session ? session->content_hash().value() : "";
  }

  Result<ImportReport> import_into(const std::string& folder, const std::string& file) {
    return import_folder(scratch_ / folder, scratch_ / file, {}, {});
  }

  void unpack(const std::string& file, const std::string& folder) {
    const auto warnings = unpack_to_folder(scratch_ / file, scratch_ / folder, {});
    ASSERT_TRUE(warnings.has_value()) << warnings.error().message;
    EXPECT_TRUE(warnings->empty());
  }

  /// in -> 1.tact -> 2 -> 2.tact -> 3: equal hashes, and the folders 2 and 3 equal byte by byte.
  void expect_exact() {
    ASSERT_GE(kSeeded, 0);
    const auto first = import_into("in", "1.tact");
    ASSERT_TRUE(first.has_value()) << first.error().message;
    unpack("1.tact", "2");
    const auto second = import_into("2", "2.tact");
    ASSERT_TRUE(second.has_value()) << second.error().message;
    EXPECT_EQ(hash("1.tact"), hash("2.tact"));
    unpack("2.tact", "3");
    for (const char* name :
         {"session.json", "events.csv", "force.csv", "stage.csv", "tactile.csv", "aux.csv"}) {
      EXPECT_EQ(std::filesystem::exists(scratch_ / "2" / name),
                std::filesystem::exists(scratch_ / "3" / name));
      EXPECT_EQ(test_support::read_text(scratch_ / "2" / name),
                test_support::read_text(scratch_ / "3" / name));
    }
  }
};

TEST_F(RoundTrip, KeepsTheDigitsOfAWholeSession) {
  give("session.json",
       R"({"notes": "Ünï, \"quoted\"", "format": "tactelier/session", "version": 1,
           "rig": {"compliance_um_per_N": 4.0, "limits": [1, 2.50, 1e-7]}, "sensor":
           {"rows": 1, "columns": 2, "pitch_x_mm": 5, "pitch_y_mm": 5}})");
  give("force.csv",
       "Fz[N],t[s],status\n-1.50,0.000,0\n,0.001,\n2e-3,0.002,3\n1e15,0.003,1\n+.5,7.,0\n");
  give("stage.csv", "t[ms],z[um],x[mm]\n0,-0.0,1\n1,-12.125,1\n");
  give("tactile.csv", "t[s],1,0\n0,100,7\n0.1,101.5,8\n");
  give("aux.csv", "t[s],\"a \"\"b\"\", c[1][degC]\",supply[V]\n0,20,5\n");
  give("events.csv",
       "t[ms],event,data\n1500,note,\"{\"\"text\"\": \"\"a, "
       "\\\"\"b\\\"\"\\nµ\"\"}\"\n1501.5,zero_begin,\n"
       "1502,zero_end,{}\n");
  expect_exact();
  EXPECT_EQ(test_support::read_text(scratch_ / "2/force.csv"),
            "t[s],Fz[N],status\n0.000,-1.50,0\n0.001,,\n0.002,0.002,3\n0.003,1000000000000000,1\n"
            "7.000,0.5,0\n");
  EXPECT_EQ(test_support::read_text(scratch_ / "2/events.csv"),
            "t[s],event,data\n1.500,note,\"{\"\"text\"\":\"\"a, \\\"\"b\\\"\"\\nµ\"\"}\"\n"
            "1.5015,zero_begin,{}\n1.502,zero_end,{}\n");
  EXPECT_EQ(test_support::read_text(scratch_ / "2/aux.csv"),
            "t[s],\"a \"\"b\"\", c[1][degC]\",supply[V]\n0,20,5\n");
}

TEST_F(RoundTrip, KeepsNumbersAtTheEdgesOfWhatIsAllowed) {
  give("aux.csv",
       "t[s],a[V],b[V],c[V],d[V]\n"
       "0,999999999999999999,1e-99,0.000000000000000001,0e-50\n"
       "1,-999999999999999999,1e99,1234567890.12345678,0\n"
       "2,,-9.99999999999999999e-82,-0.0000000000000000000000000000000001,0.000\n");
  expect_exact();
}

TEST_F(RoundTrip, CutsLongAndSlowStreamsInTheSamePlaces) {
  std::string force = "t[s],Fz[N]\n";
  for (int i = 0; i < 20000; ++i) force += fmt::format("{:.5f},{}\n", i / 7000.0, i % 13);
  give("force.csv", force);  // about 700 rows in 100 ms
  std::string stage = "t[s],z[mm]\n";
  for (int i = 0; i < 100; ++i) stage += fmt::format("{},-{}.{:03}\n", i, i, i);
  give("stage.csv", stage);  // chunks of 32 rows
  std::string tactile = "t[s],0,1\n";
  for (int i = 0; i < 40000; ++i) tactile += fmt::format("1.5,{},{}\n", i, -i);
  give("tactile.csv", tactile);  // time stands still: the longest chunks
  expect_exact();
  const auto session = Session::open(scratch_ / "1.tact");
  ASSERT_TRUE(session.has_value());
  const auto cut = [&](StreamKind kind, std::string_view column) {
    return session->overview(kind, column)->size();
  };
  EXPECT_EQ(cut(StreamKind::kForce, "Fz"), 29U);  // ceil(2.857 s / 0.1 s)
  EXPECT_EQ(cut(StreamKind::kStage, "z"), 4U);    // ceil(100 / 32)
  EXPECT_EQ(cut(StreamKind::kTactile, "0"), 3U);  // ceil(40000 / 16384)
  EXPECT_EQ(test_support::read_text(scratch_ / "2/stage.csv"), stage.replace(11, 8, "0,0.000"));
}

/// A decimal as somebody might write it.
rc::Gen<std::string> decimal_text() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(0, 19), rc::gen::arbitrary<std::uint64_t>(),
                     rc::gen::inRange(0, 25), rc::gen::inRange(0, 12), rc::gen::inRange(-70, 70)),
      [](const std::tuple<int, std::uint64_t, int, int, int>& parts) -> std::string {
        const auto [digits, bits, point, style, exponent] = parts;
        if (digits == 0) return style < 6 ? "" : "nan";
        auto text = fmt::format("{:018}", bits % 1000000000000000000U)
                        .substr(0, static_cast<std::size_t>(digits));
        if (point <= digits) text.insert(static_cast<std::size_t>(point), ".");
        if (style % 3 == 0) text.insert(0, "-");
        if (style == 4) text += fmt::format("e{}", exponent);
        return text;
      });
}

TEST_F(RoundTrip, IsExactForAnyDecimals) {
  const bool held = rc::check("import, unpack, import", [this] {
    const auto rows = *rc::gen::container<std::vector<std::tuple<std::string, std::string>>>(
        rc::gen::tuple(decimal_text(), decimal_text()));
    const auto step = *rc::gen::element<std::string>("0", "0.001", "0.05", "3");
    std::string text = "t[s],a[V],b[mV]\n";
    const double step_s = parse_decimal(step)->value();
    for (std::size_t i = 0; i < rows.size(); ++i)
      text += fmt::format("{:.3f},{},{}\n", static_cast<double>(i) * step_s, std::get<0>(rows[i]),
                          std::get<1>(rows[i]));
    for (const char* name : {"1.tact", "2.tact", "2", "3"})
      std::filesystem::remove_all(scratch_ / name);
    give("aux.csv", text);
    expect_exact();
    RC_ASSERT(!HasFailure());
    const auto session = Session::open(scratch_ / "1.tact");
    const auto samples = rows.empty() ? std::vector<double>{}
                                      : test_support::column(*session, StreamKind::kAux, "a");
    RC_ASSERT(samples.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& written = std::get<0>(rows[i]);
      const double truth = std::strtod(written.empty() ? "nan" : written.c_str(), nullptr);
      RC_ASSERT((std::isnan(truth) ? std::isnan(samples[i]) : samples[i] == truth));
    }
  });
  EXPECT_TRUE(held);
}

TEST_F(RoundTrip, UnpackRefusesToOverwrite) {
  ASSERT_TRUE(import().has_value());
  scratch_.write("there/file", "mine");
  const auto before = scratch_.names();
  const auto refused = unpack_to_folder(scratch_ / "out.tact", scratch_ / "there", {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("there' is there already"));
  EXPECT_EQ(scratch_.names(), before);
}

TEST_F(RoundTrip, UnpackRemovesWhatItWroteWhenStopped) {
  std::string force = "t[s],Fz[N]\n";
  for (int i = 0; i < 5000; ++i) force += fmt::format("{},1\n", i);
  give("force.csv", force);
  ASSERT_TRUE(import().has_value());
  const auto before = scratch_.names();
  std::stop_source stop;
  stop.request_stop();
  Job job;
  job.stop = stop.get_token();
  const auto stopped = unpack_to_folder(scratch_ / "out.tact", scratch_ / "2", job);
  ASSERT_FALSE(stopped.has_value());
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(scratch_.names(), before);
}

TEST_F(RoundTrip, UnpackSaysThatEditsStayBehind) {
  ASSERT_TRUE(import().has_value());
  ASSERT_TRUE(add_edits(scratch_ / "out.tact", {{Edit::Kind::kNote, 0, 0, "odd", "", "me"}}));
  const auto warnings = unpack_to_folder(scratch_ / "out.tact", scratch_ / "2", {});
  ASSERT_TRUE(warnings.has_value()) << warnings.error().message;
  ASSERT_EQ(warnings->size(), 1U);
  EXPECT_EQ(warnings->at(0).code, "edits");
}

TEST_F(RoundTrip, RecordedIntegersBecomeDecimals) {
  const auto metadata = parse_session_metadata(test_support::kTwoTactels, "session.json").value();
  auto writer = SessionWriter::create(scratch_ / "r.tact", metadata).value();
  const StreamInfo info{StreamKind::kForce,
                        {{"t", "s", 1e-9}, {"Fz", "N", 0.0001}, {"Fx", "N", 1.0 / 3}}};
  ASSERT_TRUE(writer.add_stream(info).has_value());
  StreamChunk chunk;
  chunk.columns.resize(3);
  chunk.columns[0].mantissas = {0, 1500000};
  chunk.columns[1].mantissas = {-12345, kMissing};
  chunk.columns[2].mantissas = {3, 2};
  ASSERT_TRUE(writer.append(StreamKind::kForce, chunk).has_value());
  ASSERT_TRUE(writer.finish().has_value());
  unpack("r.tact", "2");
  EXPECT_EQ(test_support::read_text(scratch_ / "2/force.csv"),
            "t[s],Fz[N],Fx[N]\n0.000000000,-1.2345,0.9999999999999999\n"
            "0.001500000,,0.6666666666666666\n");
}

}  // namespace
}  // namespace tactelier

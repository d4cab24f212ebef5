#include "devices/replay/replay.hpp"

#include <gmock/gmock.h>

#include "devices/emulator/simulated_world.hpp"
#include "libcalib/session/session_writer.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

/// Force on its own clock that arrives 3 ms late, 2 x 3 tactels and a stage on the host's clock
/// from 100 s on, four seconds.
class ReplayTest : public testing::Test {
 protected:
  void record(std::string_view clocks = R"({"force":"own","stage":"host","tactile":"host"})",
              bool arrivals = true) {
    const auto document =
        fmt::format(R"({{"format":"tactelier/session","version":1,"clocks":{},)"
                    R"("sensor":{{"rows":2,"columns":3,"pitch_x_mm":1,"pitch_y_mm":1}}}})",
                    clocks);
    const auto metadata = parse_session_metadata(document, "test");
    ASSERT_TRUE(metadata) << metadata.error().message;
    auto writer = SessionWriter::create_import(file_, *metadata);
    ASSERT_TRUE(writer) << writer.error().message;
    StreamInfo force{StreamKind::kForce, {{"t", "us", 1}, {"Fz", "N", 1e-6}, {"Tx", "N*mm", 0.1}}};
    if (arrivals) force.columns.push_back({"t_host", "us", 1});
    add(*writer, force, 4000, [&](std::int64_t i) {
      std::vector<std::int64_t> row{5'000'000 + i * 1000, -i * 1000, i};
      if (arrivals) row.push_back(100'003'000 + i * 1000);
      return row;
    });
    add(*writer, {StreamKind::kStage, {{"t", "ms", 1}, {"z", "mm", 0.001}}}, 40,
        [](std::int64_t i) {
          return std::vector<std::int64_t>{100'000 + i * 100, -std::min<std::int64_t>(i, 30) * 10};
        });
    StreamInfo tactile{StreamKind::kTactile, {{"t", "ms", 1}}};
    for (int tactel = 0; tactel < 6; ++tactel)
      tactile.columns.push_back({fmt::format("{}", tactel), "", 1});
    add(*writer, tactile, 400, [](std::int64_t i) {
      return std::vector<std::int64_t>{100'000 + i * 10, i, i + 1, i + 2, i + 3, i + 4, i + 5};
    });
    ASSERT_TRUE(writer->finish());
  }
  template <class Row>
  static void add(SessionWriter& writer, const StreamInfo& info, std::int64_t rows, Row row_of) {
    ASSERT_TRUE(writer.add_stream(info));
    StreamChunk chunk;
    chunk.columns.resize(info.columns.size());
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto row = row_of(i);
      for (std::size_t k = 0; k < row.size(); ++k) chunk.columns[k].mantissas.push_back(row[k]);
    }
    const auto appended = writer.append(info.kind, chunk);
    ASSERT_TRUE(appended) << appended.error().message;
  }
  Replay open(double speed = 1) {
    auto replay = Replay::open(file_, world_, speed);
    EXPECT_TRUE(replay) << replay.error().message;
    return std::move(*replay);
  }

  test::TemporaryFolder folder_{test::memory_folder()};
  std::filesystem::path file_ = folder_ / "a.tact";
  SimulatedWorld world_;
};

TEST_F(ReplayTest, GivesEachSampleWhenItArrivedThen) {
  ASSERT_NO_FATAL_FAILURE(record());
  const auto replay = open();
  auto force = replay.force();
  ASSERT_TRUE(force) << force.error().message;
  ASSERT_TRUE((*force)->start());
  const auto start_ns = world_.now_ns();
  std::vector<ForceSample> samples;
  while (samples.size() < 4000) {
    const auto got = (*force)->read(samples, Timeout(100));
    ASSERT_TRUE(got) << got.error().message;
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(samples[i].host_time_ns - start_ns),
                3e6 + static_cast<double>(i) * 1e6, 100);
    const auto wrench = (*force)->scale().wrench_SI(samples[i]);
    ASSERT_NEAR(wrench[2], -static_cast<double>(i) * 1e-3, 1e-9);
    ASSERT_NEAR(wrench[3], static_cast<double>(i) * 1e-4, 1e-12);
  }
  EXPECT_EQ((*force)->scale().SI_per_count[0], 0);
  EXPECT_NEAR((*force)->rate_hz(), 1000, 1e-6);
  const auto over = (*force)->read(samples, Timeout(100));
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, ErrorCode::kIo);
}

TEST_F(ReplayTest, KeepsItsDevicesInStep) {
  ASSERT_NO_FATAL_FAILURE(record());
  const auto replay = open();
  auto stage = replay.stage();
  auto tactile = replay.tactile();
  ASSERT_TRUE(stage && tactile);
  EXPECT_EQ((*tactile)->shape().rows, 2);
  EXPECT_EQ((*tactile)->shape().columns, 3);
  const auto start_ns = world_.now_ns();
  std::vector<StageSample> places;
  std::vector<TactileFrame> frames;
  ASSERT_TRUE((*tactile)->start());
  while (world_.now_ns() < start_ns + 2'000'000'000) {
    ASSERT_TRUE((*tactile)->read(frames, Timeout(50)));
    ASSERT_TRUE((*stage)->poll(places, Timeout(0)));
  }
  EXPECT_NEAR(static_cast<double>(frames.size()), 201, 1);
  EXPECT_NEAR(static_cast<double>(places.size()), 21, 1);
  EXPECT_DOUBLE_EQ(places[20].position_m[2], -0.2e-3);
  EXPECT_EQ(places[20].state, StageState::kRun);
  EXPECT_EQ(frames[7].counts, (std::vector<double>{7, 8, 9, 10, 11, 12}));
}

TEST_F(ReplayTest, RunsFasterWhenAsked) {
  ASSERT_NO_FATAL_FAILURE(record());
  const auto replay = open(10);
  auto tactile = replay.tactile();
  const auto start_ns = world_.now_ns();
  std::vector<TactileFrame> frames;
  while (frames.size() < 400) ASSERT_TRUE((*tactile)->read(frames, Timeout(50)));
  EXPECT_NEAR(static_cast<double>(world_.now_ns() - start_ns) * 1e-9, 0.399, 1e-3);
}

TEST_F(ReplayTest, GivesASlowReaderEverything) {
  ASSERT_NO_FATAL_FAILURE(record());
  const auto replay = open();
  auto force = replay.force();
  ASSERT_TRUE((*force)->start());
  world_.wait_until(world_.now_ns() + 60'000'000'000);
  std::vector<ForceSample> samples;
  ASSERT_TRUE((*force)->read(samples, Timeout(0)));
  EXPECT_EQ(samples.size(), 4000U);
}

TEST_F(ReplayTest, TimesOutBetweenSamplesAndRefusesToMove) {
  ASSERT_NO_FATAL_FAILURE(record());
  const auto replay = open();
  auto force = replay.force();
  ASSERT_TRUE((*force)->start());
  std::vector<ForceSample> samples;
  const auto early = (*force)->read(samples, Timeout(1));
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code, ErrorCode::kTimeout);
  EXPECT_EQ((*replay.stage())->move_to({}, 1e-3).error().code, ErrorCode::kUsage);
}

TEST_F(ReplayTest, RefusesAStreamWhoseArrivalNobodyKnows) {
  ASSERT_NO_FATAL_FAILURE(record(R"({"force":"own","stage":"host","tactile":"host"})", false));
  const auto replay = Replay::open(file_, world_);
  ASSERT_FALSE(replay);
  EXPECT_EQ(replay.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(replay.error().message, HasSubstr("'force' is on a clock of its own"));
  EXPECT_FALSE(Replay::open(file_, world_, 0));
  EXPECT_FALSE(Replay::open(folder_ / "none.tact", world_));
}

}  // namespace
}  // namespace tactelier::devices

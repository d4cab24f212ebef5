#include "tests/libcalib/session/sample_session.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tactelier::test {
namespace {

constexpr double kRate_hz = 500;

/// Decimal seconds; noise of a force sensor; a step; holes; exponents that don't fit together.
StoredStream force(double seconds) {
  StoredStream stream{{StreamKind::kForce,
                       {{"t", "s", 1.0}, {"Fx", "N", 1.0}, {"Fz", "N", 1.0}, {"Tz", "N*mm", 1.0}}},
                      {}};
  std::mt19937_64 random(17);
  const auto rows = static_cast<std::int64_t>(seconds * kRate_hz);
  const std::int64_t per_chunk = 50;
  for (std::int64_t first = 0; first < rows; first += per_chunk) {
    std::vector<std::vector<Decimal>> cells(4);
    for (std::int64_t row = first; row < std::min(rows, first + per_chunk); ++row) {
      cells[0].push_back({row * 2000, -6});
      cells[1].push_back({static_cast<std::int64_t>(random() % 2001) - 1000, -4});
      cells[2].push_back(row % 7 == 3 ? Decimal{kMissing, 0}
                                      : Decimal{static_cast<std::int64_t>(random() % 999), -3});
      cells[3].push_back(first == per_chunk && row % 2 == 0 ? Decimal{123456789012345678, 3}
                                                            : Decimal{row, -5});
    }
    StreamChunk chunk;
    for (const auto& column : cells) chunk.columns.push_back(column_chunk(column));
    stream.chunks.push_back(std::move(chunk));
  }
  return stream;
}

StoredStream stage(double seconds) {
  StoredStream stream{
      {StreamKind::kStage, {{"t", "ms", 1.0}, {"x", "mm", 0.001}, {"z", "mm", -0.001}}}, {}};
  const auto rows = static_cast<std::int64_t>(seconds * 10);
  for (std::int64_t first = 0; first < rows; first += 8) {
    StreamChunk chunk;
    chunk.columns.resize(3);
    for (std::int64_t row = first; row < std::min(rows, first + 8); ++row) {
      chunk.columns[0].mantissas.push_back(row * 100);
      chunk.columns[1].mantissas.push_back(-1700);
      chunk.columns[2].mantissas.push_back(row * row);
    }
    stream.chunks.push_back(std::move(chunk));
  }
  return stream;
}

StoredStream tactile(double seconds) {
  StoredStream stream{{StreamKind::kTactile, {{"t", "us", 1.0}}}, {}};
  for (int tactel = 0; tactel < 84; ++tactel)
    stream.info.columns.push_back({std::to_string(tactel), "", 1.0});
  std::mt19937_64 random(19);
  const auto rows = static_cast<std::int64_t>(seconds * 300);
  for (std::int64_t first = 0; first < rows; first += 30) {
    StreamChunk chunk;
    chunk.columns.resize(stream.info.columns.size());
    for (std::int64_t row = first; row < std::min(rows, first + 30); ++row) {
      chunk.columns[0].mantissas.push_back(row * 3333);
      for (std::size_t tactel = 0; tactel < 84; ++tactel)
        chunk.columns[tactel + 1].mantissas.push_back(
            static_cast<std::int64_t>(400 + 10 * tactel + random() % 8));
    }
    stream.chunks.push_back(std::move(chunk));
  }
  return stream;
}

}  // namespace

SessionMetadata sample_metadata() {
  SessionMetadata metadata;
  metadata.document =
      R"({"format":"tactelier/session","sensor":{"columns":6,"pitch_x_mm":3.4,"pitch_y_mm":3.4,)"
      R"("rows":14},"version":1})";
  return metadata;
}

std::vector<StoredStream> sample_streams(double seconds) {
  return {force(seconds), stage(seconds), tactile(seconds)};
}

std::vector<Event> sample_events() {
  return {{{0, 0}, "zero_begin", "{}"},
          {{25, -2}, "zero_end", "{}"},
          {{300, -3}, "press_begin", R"({"press":0,"tactel":14})"},
          {{900, -3}, "press_end", R"({"outcome":"ok","press":0})"},
          {{1, 0}, "note", R"({"text":"größer, \"quoted\""})"}};
}

void write_sample(const std::filesystem::path& file, const std::vector<StoredStream>& streams,
                  const std::vector<Event>& events, bool finish) {
  auto writer = SessionWriter::create(file, sample_metadata());
  ASSERT_TRUE(writer) << writer.error().message;
  for (const auto& stream : streams) {
    const auto added = writer->add_stream(stream.info);
    ASSERT_TRUE(added) << added.error().message;
    for (const auto& chunk : stream.chunks) {
      const auto appended = writer->append(stream.info.kind, chunk);
      ASSERT_TRUE(appended) << appended.error().message;
    }
  }
  for (const auto& event : events) ASSERT_TRUE(writer->add_event(event));
  const auto done = finish ? writer->finish() : writer->commit();
  ASSERT_TRUE(done) << done.error().message;
}

}  // namespace tactelier::test

// unpack -o FILE.mcap, read by the format's own reader (npm's @mcap/core) and compared with the
// folder that was recorded; every checksum is computed again apart.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/workflow/open_data/mcap_file.hpp"
#include "libcalib/text_file.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

namespace fs = std::filesystem;

/// `bytes`, `reader` with the index and `records`, read from front to end with checksums verified.
constexpr const char* kOpenMcap = R"JS(
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { crc32 } from '@foxglove/crc';
import { McapIndexedReader, McapStreamReader } from '@mcap/core';
import { loadDecompressHandlers } from '@mcap/support';
const decompressHandlers = await loadDecompressHandlers();
const bytes = readFileSync('s.mcap');
const readable = { size: async () => BigInt(bytes.length),
                   read: async (at, n) => bytes.subarray(Number(at), Number(at + n)) };
const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
const options = { decompressHandlers, validateCrcs: true, includeChunks: true };
const stream = new McapStreamReader(options);
stream.append(bytes);
const records = [];
for (let record; (record = stream.nextRecord()); ) records.push(record);
assert(stream.done());
const footer = records.find((r) => r.type === 'Footer');
const dataEnd = records.find((r) => r.type === 'DataEnd');
const summary = Number(footer.summaryStart);
assert.equal(footer.summaryCrc, crc32(bytes.subarray(summary, bytes.length - 12)), 'summary');
assert.equal(dataEnd.dataSectionCrc, crc32(bytes.subarray(0, summary - 13)), 'data section');
const text = (data) => JSON.parse(new TextDecoder().decode(data));
)JS";

constexpr const char* kReadMcap = R"JS(
const si = { s: 1, mm: 1e-3, N: 1, 'N*mm': 1e-3, '': 1 };
const recorded = (name) => {
  const lines = readFileSync(`s/${name}.csv`, 'utf8').trim().split('\n');
  const [head, ...rows] = lines.map((line) => line.split(','));
  const columns = head.map((c) => c.replace(']', '').split('['));
  const factors = columns.map((c) => si[c[1] ?? '']);
  return rows.map((r) => r.map((cell, i) => [columns[i][0], Number(cell) * factors[i]]));
};
const created = BigInt(Date.parse('2026-11-20T10:00:00Z')) * 1000000n;
const seen = {}, channels = {};
let last = 0n, messages = 0n;
for await (const message of reader.readMessages()) {
  const channel = reader.channelsById.get(message.channelId);
  assert.equal(channel.messageEncoding, 'json');
  assert(message.logTime >= last, 'in the order of time');
  last = message.logTime;
  ++messages;
  const value = text(message.data);
  const expected = created + BigInt(Math.round(value.time_s * 1e9));
  assert(message.logTime - expected <= 1n && expected - message.logTime <= 1n);
  (seen[channel.topic] ??= []).push(value);
  assert.equal(message.sequence, seen[channel.topic].length - 1);
  channels[channel.topic] = channel;
}
for (const name of ['force', 'stage', 'tactile']) {
  const truth = recorded(name), got = seen['/' + name];
  const schema = reader.schemasById.get(channels['/' + name].schemaId);
  assert.equal(schema.encoding, 'jsonschema');
  const properties = text(schema.data).properties;
  assert.equal(got.length, truth.length, name);
  truth.forEach((row, i) => row.forEach(([column, value], k) => {
    const key = k === 0 ? 'time_s' : column;
    assert(key in properties, key);
    const error = Math.abs(got[i][key] - value);
    assert(error <= 1e-12 * Math.max(1, Math.abs(value)), `${name} ${i} ${key}`);
  }));
}
const forceSchema = text(reader.schemasById.get(channels['/force'].schemaId).data);
assert.equal(forceSchema.properties.Fz.description, 'N');
const presses = seen['/events'].filter((e) => e.name === 'press_begin');
assert.equal(presses.length, 2);
assert.equal(presses[0].data.kind, 'ramp');
assert.equal(reader.statistics.messageCount, messages);
const counts = reader.statistics.channelMessageCounts;
for (const [topic, values] of Object.entries(seen))
  assert.equal(counts.get(channels[topic].id), BigInt(values.length));
assert.equal(reader.statistics.chunkCount, reader.chunkIndexes.length);
assert(reader.chunkIndexes.every((c) => c.compression === 'zstd'));
for await (const attachment of reader.readAttachments())
  assert.equal(text(attachment.data).sensor.rows, 2);
assert.equal(reader.attachmentIndexes.length, 1);
for await (const metadata of reader.readMetadata())
  assert.match(metadata.metadata.get('content_hash'), /^[0-9a-f]{64}$/);
const part = [];
const begin = created + 3000000000n, end = created + 4000000000n;
for await (const m of reader.readMessages({ topics: ['/force'], startTime: begin, endTime: end }))
  part.push(text(m.data).time_s);
assert.deepEqual(part, recorded('force').map((r) => r[0][1]).filter((t) => t >= 3 && t <= 4));
)JS";

constexpr const char* kReadChunks = R"JS(
const values = [];
for await (const message of reader.readMessages()) values.push(text(message.data).i);
assert.deepEqual(values, Array.from({ length: 40000 }, (_, i) => i));
assert(reader.chunkIndexes.length > 2, 'several chunks');
assert(reader.chunkIndexes.every((c) => c.compression === ''));
const indexes = records.filter((r) => r.type === 'MessageIndex');
assert.equal(indexes.length, 2 * reader.chunkIndexes.length);
)JS";

class UnpackedMessages : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path packages = TACTELIER_MCAP_NPM;
    if (packages.empty()) GTEST_SKIP() << "npm install @mcap/core @mcap/support is not there";
    if (std::system("node --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "node is not installed";
    fs::create_directory_symlink(packages, folder_ / "node_modules");
  }
  void record() const {
    PlainSession session;
    session.presses = {{1, 0}, {2, 4}};
    session.pad.count_noise = 5;
    session.write(folder_, "s");
    ASSERT_EQ(run_cli(folder_.path(), {"import", "s", "-o", "s.tact"}).status, 0);
  }
  int node(const std::string& script) const {
    folder_.write("read.mjs", script);
    return std::system(
        fmt::format("cd '{}' && node read.mjs >said", folder_.path().string()).c_str());
  }

  TestFolder folder_;
};

TEST_F(UnpackedMessages, TheFormatsOwnReaderReadsTheNumbersThatWereRecorded) {
  record();
  const auto unpacked = run_cli(folder_.path(), {"unpack", "s.tact", "-o", "s.mcap"});
  ASSERT_EQ(unpacked.status, 0) << unpacked.err;
  EXPECT_EQ(node(std::string(kOpenMcap) + kReadMcap), 0);
}

TEST_F(UnpackedMessages, ManyChunksWithoutCompressionAreIndexed) {
  auto file = McapFile::begin(folder_ / "s.mcap", McapCompression::kNone);
  ASSERT_TRUE(file) << file.error().message;
  const std::string schema = R"({"type":"object","properties":{"i":{"type":"number"}}})";
  const auto even = file->add_channel("/even", "number", schema, {{"step", "2"}});
  const auto odd = file->add_channel("/odd", "number", schema, {});
  for (std::uint64_t i = 0; i < 40000; ++i)
    file->add_message(i % 2 == 0 ? even : odd, 1000 * i,
                      fmt::format(R"({{"i":{},"padding":"{:>40}"}})", i, ""));
  ASSERT_TRUE(file->finish());
  EXPECT_EQ(node(std::string(kOpenMcap) + kReadChunks), 0);
}

TEST_F(UnpackedMessages, TheProgramOfTheDocumentationPrintsForces) {
  record();
  ASSERT_EQ(run_cli(folder_.path(), {"unpack", "s.tact", "-o", "monday.mcap"}).status, 0);
  const auto text = read_text_file(fs::path(paths::source_dir()) / "docs/open-data.md", 1U << 20U);
  ASSERT_TRUE(text) << text.error().message;
  const auto begin = text->find("```js\n") + 6;
  ASSERT_EQ(node(text->substr(begin, text->find("```", begin) - begin)), 0);
  const auto printed = folder_.read("said");
  const auto rows = folder_.read("s/force.csv");
  EXPECT_EQ(std::count(printed.begin(), printed.end(), '\n') + 1,
            std::count(rows.begin(), rows.end(), '\n'));
}

}  // namespace
}  // namespace tactelier::test

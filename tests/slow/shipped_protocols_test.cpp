// Every shipped protocol under both presets: recordings that are whole and come back from a folder
// as they went.

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "app/workflow/import_session.hpp"
#include "app/workflow/session_info.hpp"
#include "app/workflow/synth_session.hpp"
#include "libcalib/protocol/protocol.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

namespace fs = std::filesystem;

constexpr double kLongest_s = 1200;  // of what is unpacked: readings become 1 GB of text per hour

bool same_bytes(const fs::path& a, const fs::path& b) {
  if (fs::file_size(a) != fs::file_size(b)) return false;
  std::ifstream one(a, std::ios::binary);
  std::ifstream other(b, std::ios::binary);
  std::vector<char> x(1 << 20), y(1 << 20);
  while (one && other) {
    one.read(x.data(), static_cast<std::streamsize>(x.size()));
    other.read(y.data(), static_cast<std::streamsize>(y.size()));
    if (one.gcount() != other.gcount() ||
        !std::equal(x.begin(), x.begin() + one.gcount(), y.begin()))
      return false;
  }
  return true;
}

void expect_round_trip(const TestFolder& folder) {
  ASSERT_TRUE(unpack_session(folder / "a.tact", folder / "a", {}));
  ImportRequest import;
  import.source = folder / "a";
  import.target = folder / "b.tact";
  const auto imported = import_session(import, {});
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_TRUE(unpack_session(folder / "b.tact", folder / "b", {}));
  for (const auto& entry : fs::directory_iterator(folder / "a"))
    EXPECT_TRUE(same_bytes(entry.path(), folder / "b" / entry.path().filename())) << entry.path();
}

struct Case {
  std::string protocol;
  std::string preset;
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.protocol << ", " << each.preset; }

class ShippedProtocol : public testing::TestWithParam<Case> {};

TEST_P(ShippedProtocol, GivesARecordingThatIsWhole) {
  const TestFolder folder;
  SynthRequest request;
  request.protocol = GetParam().protocol;
  request.preset = GetParam().preset;
  request.target = folder / "a.tact";
  const auto made = synth_session(request, {});
  ASSERT_TRUE(made) << made.error().message;
  const auto plan = plan_synth(request);
  ASSERT_TRUE(plan);
  EXPECT_EQ(made->presses, static_cast<std::size_t>(plan->presses));
  EXPECT_NEAR(made->duration_s, plan->duration_s, 0.2 * plan->duration_s);  // ramps end by force

  const auto info = session_info(made->recording, {});
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_TRUE(info->finished);
  EXPECT_TRUE(info->whole());
  EXPECT_EQ(info->presses, plan->presses);
  for (const auto& stream : info->streams) EXPECT_EQ(stream.gaps, 0) << stream.name;
  if (made->duration_s < kLongest_s) expect_round_trip(folder);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& protocol : shipped_protocols())
    for (const auto* preset : {"clean", "lab"}) cases.push_back({protocol, preset});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, ShippedProtocol, testing::ValuesIn(all_cases()),
                         [](const auto& each) { return each.param.protocol + each.param.preset; });

}  // namespace
}  // namespace tactelier::test

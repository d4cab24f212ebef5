// The reader in docs/session-format.md is run as it stands there.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "libcalib/session/compaction.hpp"
#include "tests/libcalib/session/sample_session.hpp"
#include "tests/libcalib/session/temporary_folder.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

std::string python_block() {
  std::ifstream input(paths::source_dir() + "/docs/session-format.md");
  const std::string text{std::istreambuf_iterator<char>(input), {}};
  const std::string opening = "```python\n";
  const auto begin = text.find(opening) + opening.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

TEST(PythonReaderOfTheDocs, HasFifteenLines) {
  std::istringstream block(python_block());
  int lines = 0;
  for (std::string line; std::getline(block, line);)
    if (!line.empty()) ++lines;
  EXPECT_EQ(lines, 15);
}

class PythonReader : public testing::TestWithParam<bool> {};

TEST_P(PythonReader, OfTheDocsGivesEveryValueExactly) {
  const bool compacted = GetParam();
  const test::TemporaryFolder folder;
  const auto file = folder / "a.tact";
  const auto streams = test::sample_streams(compacted ? 20 : 1);
  test::write_sample(file, streams, test::sample_events());
  if (compacted) {
    const auto report = compact(file);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_TRUE(report->changed);
  }
  std::ofstream script(folder / "read.py");
  script << python_block() << R"(
import sys
for name in sys.argv[2].split():
    stream, column = name.split(":")
    for pair in zip(*read_column(sys.argv[1], stream, column)):
        print(*pair)
)";
  script.close();
  std::string names;
  std::ostringstream wanted;
  for (const auto& stream : streams)
    for (std::size_t column = 0; column < stream.info.columns.size(); ++column) {
      names +=
          std::string(to_string(stream.info.kind)) + ":" + stream.info.columns[column].name + " ";
      for (const auto& chunk : stream.chunks)
        for (std::size_t row = 0; row < chunk.rows(); ++row) {
          const auto value = chunk.columns[column].at(row);
          wanted << value.mantissa << ' ' << value.exponent << '\n';
        }
    }
  const auto output = folder / "values";
  const std::string command = "/usr/bin/python3 -W error " + (folder / "read.py").string() + " " +
                              file.string() + " '" + names + "' > " + output.string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream input(output);
  const std::string found{std::istreambuf_iterator<char>(input), {}};
  EXPECT_TRUE(found == wanted.str()) << "first 200 characters: " << found.substr(0, 200);
}

INSTANTIATE_TEST_SUITE_P(AsRecordedAndCompacted, PythonReader, testing::Bool());

}  // namespace
}  // namespace tactelier

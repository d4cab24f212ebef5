#include "libcalib/readable_json.hpp"

#include <gtest/gtest.h>

namespace tactelier {
namespace {

using nlohmann::ordered_json;

TEST(ReadableJson, KeepsTheOrderAndPutsOnALineWhatFits) {
  const auto document = ordered_json::parse(
      R"({"version": 1, "format": "x", "stage": {"z": 1.5, "a": [1, 2, 3]}, "empty": {}})");
  EXPECT_EQ(readable_json(document),
            "{\n  \"version\": 1,\n  \"format\": \"x\",\n  \"stage\": {\"z\": 1.5, \"a\": [1, 2, "
            "3]},\n  \"empty\": {}\n}\n");
}

TEST(ReadableJson, BreaksWhatIsTooLongAndReadsBackAsItWas) {
  ordered_json document{{"notes", std::string(90, 'n')}, {"list", ordered_json::array()}};
  for (int i = 0; i < 60; ++i) document["list"].push_back({{"at", i}, {"text", "\"quoted\"\n"}});
  const auto text = readable_json(document);
  EXPECT_EQ(ordered_json::parse(text), document);
  EXPECT_NE(text.find("\n    {\"at\": 0, "), std::string::npos);
}

}  // namespace
}  // namespace tactelier

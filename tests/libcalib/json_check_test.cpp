#include "libcalib/json_check.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "libcalib/resources.hpp"

namespace tactelier {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view text) {
  const auto parsed = parse_json(text, "a.json");
  if (parsed) return "accepted";
  EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidInput);
  return parsed.error().message;
}

std::string schema_refusal(std::string_view text, std::string_view schema) {
  const auto parsed = parse_json(text, "a.json");
  if (!parsed) return parsed.error().message;
  const auto checked = check_schema(*parsed, schema, "a.json");
  return checked ? "accepted" : checked.error().message;
}

TEST(ParseJson, ReadsWhatJsonAllows) {
  const auto parsed =
      parse_json("\xEF\xBB\xBF {\"a\": [1, -2.5e-3, null, true, \"\\u00b5\"]}\n", "a");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ((*parsed)["a"][1], -2.5e-3);
  EXPECT_EQ((*parsed)["a"][4], "µ");
}

TEST(ParseJson, NamesLineAndColumnOfBrokenText) {
  EXPECT_THAT(refusal("{\"a\": 1,\n \"b\": tru }"), HasSubstr("a.json: line 2, column 10: "));
  EXPECT_THAT(refusal("{\"a\": 1"), HasSubstr("a.json: line 1, column 8: "));
  EXPECT_THAT(refusal("{\"a\": 1} x"), HasSubstr("a.json: line 1, column 10: "));
}

TEST(ParseJson, RefusesEmptyTextUtf16AndNulBytes) {
  using namespace std::string_view_literals;
  EXPECT_EQ(refusal(""), "a.json: is empty, JSON expected");
  EXPECT_EQ(refusal(" \r\n\t"), "a.json: is empty, JSON expected");
  EXPECT_EQ(refusal("\xFF\xFE{\0}\0"sv), "a.json: this is UTF-16 text; save it as UTF-8");
  EXPECT_EQ(refusal("\0{\0}"sv), "a.json: this is UTF-16 text; save it as UTF-8");
  EXPECT_EQ(refusal("{\n\"a\0\": 1}"sv),
            "a.json: line 2, column 3: NUL byte; this is no text file");
}

TEST(ParseJson, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(refusal("{\"a\": {\"b\": 1},\n\"c\": {\"b\": 2, \"b\": 3}}"),
            "a.json: line 2, column 17: key 'b' stands twice in one object");
  EXPECT_EQ(refusal("[{\"a\": 1}, {\"a\": 1}]"), "accepted");
}

TEST(ParseJson, RefusesDeepNesting) {
  const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_EQ(refusal(nested(64)), "accepted");
  EXPECT_EQ(refusal(nested(65)), "a.json: line 1, column 65: nested deeper than 64 levels");
  EXPECT_THAT(refusal(nested(200000)), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(refusal(std::string(200000, '[')), HasSubstr("nested deeper than 64 levels"));
}

TEST(ParseJson, RefusesNumbersBeyondDouble) {
  EXPECT_EQ(refusal("[1,\n 1e999]"), "a.json: line 2, column 7: number overflow parsing '1e999'");
  EXPECT_THAT(refusal("[NaN]"), HasSubstr("line 1, column 2"));
  EXPECT_THAT(refusal("[Infinity]"), HasSubstr("line 1, column 2"));
}

TEST(CheckFormat, NamesBothVersionsAndTheRemedy) {
  const auto at = [](const char* text) {
    const auto checked = check_format(nlohmann::json::parse(text), "tactelier/sensor", 1, "a.json");
    return checked ? "accepted" : checked.error().message;
  };
  EXPECT_EQ(at(R"({"format": "tactelier/sensor", "version": 1})"), "accepted");
  EXPECT_EQ(at(R"({"format": "tactelier/sensor", "version": 3})"),
            "a.json: tactelier/sensor version 3 is newer than version 1, which this program reads; "
            "update Tactelier");
  EXPECT_EQ(at(R"({"format": "tactelier/map", "version": 1})"),
            "a.json: is 'tactelier/map', 'tactelier/sensor' expected");
  EXPECT_THAT(at(R"({"version": 1})"), HasSubstr("key 'format' is missing"));
  EXPECT_THAT(at(R"({"format": "tactelier/sensor"})"), HasSubstr("key 'version' is missing"));
  EXPECT_THAT(at("[]"), HasSubstr("expected an object"));
}

TEST(CheckSchema, NamesThePathAndWhatWasExpected) {
  EXPECT_EQ(schema_refusal(R"({"shape": "cylinder", "diameter_mm": "1"})", "indenter"),
            "a.json: diameter_mm: expected a number, found \"1\"");
  EXPECT_EQ(schema_refusal(R"({"shape": "cylinder", "diameter_mm": -1})", "indenter"),
            "a.json: diameter_mm: must be more than 0, found -1");
  EXPECT_EQ(schema_refusal(R"({"shape": "cylinder"})", "indenter"),
            "a.json: key 'diameter_mm' is missing");
  EXPECT_EQ(schema_refusal(R"({"arrays": [{"rows": 1, "columns": 2.5}]})", "sensor-inline"),
            "a.json: arrays[0].columns: expected an integer, found 2.5");
  EXPECT_EQ(schema_refusal("3", "indenter"), "a.json: expected an object, found 3");
}

TEST(CheckSchema, OffersTheKeyOrValueThatWasProbablyMeant) {
  EXPECT_EQ(schema_refusal(R"({"rowss": 4})", "sensor-inline"),
            "a.json: unknown key 'rowss' (did you mean 'rows'?)");
  EXPECT_THAT(schema_refusal(R"({"shape": "sylinder", "diameter_mm": 1})", "indenter"),
              HasSubstr("found \"sylinder\" (did you mean 'cylinder'?)"));
}

TEST(CheckSchema, FollowsReferencesIntoOtherSchemas) {
  // sensor-inline refers to sensor.schema.json, compound parts to their own definition.
  EXPECT_EQ(schema_refusal(R"({"rows": 1, "columns": 1, "pitch_x_mm": 1, "pitch_y_mm": 1})",
                           "sensor-inline"),
            "accepted");
  EXPECT_EQ(
      schema_refusal(R"({"shape": "compound", "parts": [{"shape": "box", "x_mm": 1, "y_mm": 0}]})",
                     "indenter"),
      "a.json: parts[0].y_mm: must be more than 0, found 0");
}

TEST(CheckSchema, SaysWhenThereIsNoSuchSchema) {
  EXPECT_EQ(schema_refusal("{}", "nonsense"), "there is no schema 'nonsense.schema.json'");
}

TEST(CheckSchema, EveryEmbeddedSchemaLoads) {
  int schemas = 0;
  for (const auto& [name, text] : resources()) {
    if (!name.starts_with("schemas/")) continue;
    ++schemas;
    const auto parsed = parse_json(text, name);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ((*parsed)["$schema"], "http://json-schema.org/draft-07/schema#") << name;
    EXPECT_TRUE(parsed->contains("description")) << name;
    auto id = std::string(name.substr(8));
    id = id.substr(0, id.find(".schema.json"));
    const auto checked = check_schema("no object", id, "a.json");
    ASSERT_FALSE(checked);
    EXPECT_THAT(checked.error().message, HasSubstr("a.json: expected ")) << name;
  }
  EXPECT_GE(schemas, 3);
}

TEST(DidYouMean, OffersCloseWordsOnly) {
  const std::vector<std::string> known{"rows", "columns", "pitch_x_mm"};
  EXPECT_EQ(did_you_mean("row", known), " (did you mean 'rows'?)");
  EXPECT_EQ(did_you_mean("Rows", known), " (did you mean 'rows'?)");
  EXPECT_EQ(did_you_mean("pitch_mm", known), " (did you mean 'pitch_x_mm'?)");
  EXPECT_EQ(did_you_mean("colunms", known), " (did you mean 'columns'?)");
  EXPECT_EQ(did_you_mean("pitch_x", known), " (did you mean 'pitch_x_mm'?)");
  EXPECT_EQ(did_you_mean("force", known), "");
  EXPECT_EQ(did_you_mean("", known), "");
}

TEST(Canonical, SortsKeysAndLeavesOutSpaces) {
  const auto parsed = parse_json("{ \"b\": [1, 0.10, 1e2],\n \"a\": \"µ\\n\" }", "a");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(canonical(*parsed), "{\"a\":\"µ\\n\",\"b\":[1,0.1,100.0]}");
}

}  // namespace
}  // namespace tactelier

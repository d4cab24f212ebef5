#include "libcalib/session/events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "libcalib/session/metadata.hpp"

namespace tactelier {
namespace {

Event event(std::string_view t_s, std::string_view name, std::string_view data = "{}") {
  const auto made = make_event(parse_decimal(t_s).value(), name, data, "events.csv:2");
  EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
  return made.value_or(Event{});
}

std::string refusal(std::string_view name, std::string_view data) {
  const auto made = make_event({0, 0}, name, data, "events.csv:2");
  EXPECT_FALSE(made.has_value()) << name << " " << data;
  if (made) return "";
  EXPECT_EQ(made.error().code, ErrorCode::kInvalidInput);
  return made.error().message;
}

SessionMetadata wts() {
  return parse_session_metadata(
             R"({"format": "tactelier/session", "version": 1, "sensor": "weiss-wts0614",
                 "indenter": {"shape": "sphere", "diameter_mm": 8}})",
             "session.json")
      .value();
}

std::string press_refusal(const std::vector<Event>& events) {
  const auto found = presses(events, {}, wts());
  EXPECT_FALSE(found.has_value());
  return found ? "" : found.error().message;
}

TEST(Events, EveryEventOfTheContractIsUnderstood) {
  const std::vector<std::pair<std::string, std::string>> examples{
      {"press_begin",
       R"({"press": 3, "tactel": 14, "x_mm": -1.7, "y_mm": -15.3, "kind": "ramp", "site": 0})"},
      {"press_end", R"({"press": 3, "outcome": "ok"})"},
      {"warm_up", R"({"still": true, "drift_mN_per_min": -0.8, "u_drift_mN_per_min": 0.2,
        "limit_mN_per_min": 2, "waited_s": 75})"},
      {"spring_begin", "{}"},
      {"spring_end", "{}"},
      {"spring", R"({"stiffness_N_per_mm": 2.01, "u_N_per_mm": 0.01, "stated_N_per_mm": 2,
        "stated_u_N_per_mm": 0.01, "rig_um_per_N": 12, "points": 15, "en": 0.35,
        "agrees": true})"},
      {"conditioned", R"({"cycles": 3, "sites": 84, "depth_mm": 0.96, "rest_s": 60})"},
      {"hold_begin", R"({"press": 3, "force_N": 1.0})"},
      {"hold_end", R"({"press": 3, "depth_mm": 0.8})"},
      {"slide_begin", R"({"slide": 1, "vx_mm_s": 5.0, "vy_mm_s": 0.0, "load_N": 1.2})"},
      {"slide_begin",
       R"({"slide": 1, "profile": "sine", "amplitude_mm": 0.05, "frequency_Hz": 0.5})"},
      {"slide_end", R"({"slide": 1})"},
      {"weight", R"({"mass_g": 100, "area_mm2": 804.25, "compression_mm": 1.2})"},
      {"weight", R"({"mass_g": 304.15, "area_mm2": 804.25, "pressure_Pa": 9810})"},
      {"image_begin", R"({"image": 1, "indenter": {"shape": "box", "x_mm": 9, "y_mm": 4},
        "x_mm": 0.0, "y_mm": 0.0, "rz_deg": 45, "tilt_x_deg": 0, "tilt_y_deg": 0, "mass_g": 500})"},
      {"image_end", R"({"image": 1})"},
      {"plate_begin", "{}"},
      {"plate_end", "{}"},
      {"shear_begin", R"({"force_N": 8})"},
      {"shear_end", "{}"},
      {"zero_begin", "{}"},
      {"zero_end", ""},
      {"reference_begin", R"({"what": "pad"})"},
      {"reference_end", R"({"what": "weight", "mass_g": 200})"},
      {"surface", R"({"z0_mm": 0.0, "tilt_x_deg": 0.0, "tilt_y_deg": 0.0})"},
      {"register", R"({"x_mm": 0.0, "y_mm": 0.0, "rz_deg": 0.0, "mirror": false})"},
      {"tare", R"({"before": [0.1, 0.2, 0.3, 0.01, 0.02, 0.03]})"},
      {"gap", R"({"stream": "force", "lost": 12})"},
      {"limit", R"({"what": "force", "value_N": 20.1, "limit_N": 20, "action": "stop"})"},
      {"home", R"({"text": "homed"})"},
      {"pause", "{}"},
      {"resume", R"({"text": "…"})"},
      {"fault", R"({"text": "stage lost"})"},
      {"note", R"({"text": "pad warm"})"}};
  for (const auto& [name, data] : examples) EXPECT_EQ(event("1.5", name, data).name, name);
}

TEST(Events, DataAreKeptAsCanonicalJson) {
  EXPECT_EQ(event("1.50", "press_end", " {\"press\" : 3,\n \"outcome\": \"ok\"}").data,
            R"({"outcome":"ok","press":3})");
  EXPECT_EQ(event("1.50", "zero_begin", "").data, "{}");
  EXPECT_EQ(event("1.50", "zero_begin").t_s, (Decimal{150, -2}));
}

TEST(Events, RefusesUnknownEventsAndKeysByName) {
  EXPECT_EQ(refusal("pres_begin", "{}"),
            "events.csv:2: unknown event 'pres_begin' (did you mean 'press_begin'?)");
  EXPECT_EQ(refusal("press_begin", R"({"press": 1, "kind": "ramp", "tacktel": 3})"),
            "events.csv:2: press_begin: unknown key 'tacktel' (did you mean 'tactel'?)");
  EXPECT_EQ(refusal("zero_begin", R"({"press": 1})"),
            "events.csv:2: zero_begin: unknown key 'press'");
}

TEST(Events, RefusesImpossibleData) {
  using ::testing::HasSubstr;
  EXPECT_THAT(refusal("press_begin", R"({"kind": "ramp"})"), HasSubstr("key 'press' is missing"));
  EXPECT_THAT(refusal("press_begin", R"({"press": 1, "kind": "rampp"})"),
              HasSubstr("did you mean 'ramp'?"));
  EXPECT_THAT(refusal("press_begin", R"({"press": -1, "kind": "ramp"})"),
              HasSubstr("press_begin.press: must be at least 0"));
  EXPECT_THAT(refusal("press_begin", R"({"press": 1e30, "kind": "ramp"})"),
              HasSubstr("press_begin.press:"));
  EXPECT_THAT(refusal("press_begin", R"({"press": 4294967296, "kind": "ramp"})"),
              HasSubstr("press_begin.press: must be at most 2147483647"));
  EXPECT_THAT(
      refusal("press_begin", R"({"press": 1, "kind": "ramp", "indenter": {"shape": "sphere"}})"),
      HasSubstr("diameter_mm"));
  EXPECT_THAT(refusal("weight", R"({"mass_g": 0, "area_mm2": 1})"),
              HasSubstr("weight.mass_g: must be more than 0"));
  EXPECT_THAT(refusal("hold_begin", R"({"press": 1})"),
              HasSubstr("'force_N' or 'depth_mm' is missing"));
  EXPECT_THAT(refusal("reference_begin", R"({"what": "weight"})"), HasSubstr("mass_g"));
  EXPECT_THAT(refusal("note", "[1, 2]"), HasSubstr("must be a JSON object"));
  EXPECT_THAT(refusal("note", "{\"text\": "), HasSubstr("events.csv:2: line 1, column"));
  EXPECT_THAT(refusal("note", "{\"text\": \"\xFF\"}"), HasSubstr("events.csv:2: line 1"));
}

TEST(Presses, JoinBeginHoldsAndEndInSi) {
  const std::vector<Event> events{
      event("1", "press_begin",
            R"({"press": 7, "tactel": 83, "x_mm": -1.7, "y_mm": 2, "kind": "hold", "site": 2})"),
      event("2", "hold_begin", R"({"press": 7, "depth_mm": 0.8})"),
      event("4.5", "hold_end", R"({"press": 7, "depth_mm": 0.8})"),
      event("5", "press_end", R"({"press": 7, "outcome": "repeated"})"),
      event("6", "press_begin", R"({"press": 8, "kind": "ramp",
                                   "indenter": {"shape": "cylinder", "diameter_mm": 2}})"),
      event("7", "press_end", R"({"press": 8})")};
  const auto found = presses(events, {}, wts());
  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_EQ(found->size(), 2U);
  const auto& first = found->front();
  EXPECT_EQ(first.number, 7);
  EXPECT_EQ(first.begin_s, 1);
  EXPECT_EQ(first.end_s, 5);
  EXPECT_EQ(first.tactel, 83);
  EXPECT_DOUBLE_EQ(*first.x_m, -0.0017);
  EXPECT_EQ(first.kind, PressKind::kHold);
  EXPECT_EQ(first.site, 2);
  EXPECT_EQ(first.outcome, "repeated");
  EXPECT_FALSE(first.usable());
  EXPECT_EQ(first.indenter->shape, IndenterShape::kSphere);
  ASSERT_EQ(first.holds.size(), 1U);
  EXPECT_EQ(first.holds[0].end_s, 4.5);
  EXPECT_DOUBLE_EQ(*first.holds[0].depth_m, 0.0008);
  EXPECT_FALSE(first.holds[0].force_N);
  const auto& second = found->back();
  EXPECT_FALSE(second.tactel);
  EXPECT_EQ(second.outcome, "ok");
  EXPECT_EQ(second.indenter->shape, IndenterShape::kCylinder);
}

TEST(Presses, EditsExcludeIncludeAndSetTheContactPoint) {
  const std::vector<Event> events{event("1", "press_begin", R"({"press": 1, "kind": "ramp"})"),
                                  event("2", "press_end", R"({"press": 1})"),
                                  event("3", "press_begin", R"({"press": 2, "kind": "ramp"})"),
                                  event("4", "press_end", R"({"press": 2})")};
  using Kind = Edit::Kind;
  const std::vector<Edit> edits{
      {Kind::kExclude, 1, 0, "", "", ""},    {Kind::kExclude, 2, 0, "", "", ""},
      {Kind::kContact, 2, 3.25, "", "", ""}, {Kind::kInclude, 2, 0, "", "", ""},
      {Kind::kNote, 1, 0, "why", "", ""},    {Kind::kExclude, 99, 0, "", "", ""}};
  const auto found = presses(events, edits, wts());
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->at(0).usable());
  EXPECT_TRUE(found->at(1).usable());
  EXPECT_EQ(found->at(1).contact_s, 3.25);
  EXPECT_EQ(edits[0].describe(), "exclude press 1");
  EXPECT_EQ(edits[2].describe(), "contact of press 2 at 3.25 s");
  EXPECT_EQ(edits[4].describe(), "note: why");
}

TEST(Presses, AContactPointGoesBackToWhereTheDataHaveIt) {
  const std::vector<Event> events{event("1", "press_begin", R"({"press": 1, "kind": "ramp"})"),
                                  event("2", "press_end", R"({"press": 1})")};
  using Kind = Edit::Kind;
  std::vector<Edit> edits{{Kind::kContact, 1, 1.25, "", "", ""},
                          {Kind::kContact, 1, std::nan(""), "", "", ""}};
  EXPECT_FALSE(presses(events, edits, wts())->front().contact_s);
  EXPECT_EQ(edits[1].describe(), "contact of press 1 as found");
  edits.push_back({Kind::kContact, 1, 1.5, "", "", ""});
  EXPECT_EQ(presses(events, edits, wts())->front().contact_s, 1.5);
}

TEST(Presses, OneThatNeverEndsCountsAsAborted) {
  const std::vector<Event> events{event("1", "press_begin", R"({"press": 1, "kind": "hold"})"),
                                  event("2", "hold_begin", R"({"press": 1, "force_N": 1})"),
                                  event("9", "note", R"({"text": "power lost"})")};
  const auto found = presses(events, {}, wts());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->at(0).outcome, "aborted");
  EXPECT_EQ(found->at(0).end_s, 9);
  EXPECT_EQ(found->at(0).holds.at(0).end_s, 9);
}

TEST(Presses, RefuseEventsOfNoPress) {
  const auto begin1 = event("1", "press_begin", R"({"press": 1, "kind": "ramp"})");
  const auto end1 = event("2", "press_end", R"({"press": 1})");
  EXPECT_EQ(press_refusal({end1}), "events at 2 s: press 1 ends but has not begun");
  EXPECT_EQ(press_refusal({begin1, event("2", "press_end", R"({"press": 2})")}),
            "events at 2 s: press 2 ends but has not begun; press 1 is open");
  EXPECT_EQ(press_refusal({begin1, event("3", "press_begin", R"({"press": 2, "kind": "ramp"})")}),
            "events at 3 s: press 2 begins while press 1 is still open");
  EXPECT_EQ(
      press_refusal({begin1, end1, event("3", "press_begin", R"({"press": 1, "kind": "ramp"})")}),
      "events at 3 s: press 1 is there twice; it also begins at 1 s");
  EXPECT_EQ(
      press_refusal({event("1", "press_begin", R"({"press": 1, "kind": "ramp", "tactel": 84})")}),
      "events at 1 s: press 1 is on tactel 84, but the sensor has 84 tactels, 0 to 83");
  EXPECT_EQ(press_refusal({event("1", "hold_begin", R"({"press": 1, "force_N": 1})")}),
            "events at 1 s: hold_begin belongs to press 1, which is not open then");
  EXPECT_EQ(press_refusal({begin1, event("2", "hold_end", R"({"press": 1, "force_N": 1})")}),
            "events at 2 s: hold_end in press 1, but no hold has begun");
}

TEST(Weights, ComeInSiWithTheStatedPressure) {
  const std::vector<Event> events{
      event("9", "weight", R"({"mass_g": 304.15, "area_mm2": 804.25, "pressure_Pa": 9810})"),
      event("3", "weight", R"({"mass_g": 100, "area_mm2": 804.25, "compression_mm": 1.2})")};
  const auto found = weights(events);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ(found->at(0).t_s, 3);
  EXPECT_DOUBLE_EQ(found->at(0).mass_kg, 0.1);
  EXPECT_DOUBLE_EQ(*found->at(0).compression_m, 0.0012);
  EXPECT_FALSE(found->at(0).stated_pressure_Pa);
  EXPECT_DOUBLE_EQ(found->at(1).area_m2, 8.0425e-4);
  EXPECT_EQ(found->at(1).stated_pressure_Pa, 9810);
}

TEST(Intervals, PairBeginAndEndOfOneName) {
  const std::vector<Event> events{event("1", "zero_begin"), event("2", "plate_begin"),
                                  event("3", "zero_end"),   event("4", "plate_end"),
                                  event("5", "zero_begin"), event("6", "zero_end"),
                                  event("7", "zero_begin")};
  const auto zeros = intervals(events, "zero");
  ASSERT_TRUE(zeros.has_value());
  ASSERT_EQ(zeros->size(), 2U);
  EXPECT_EQ(zeros->at(1).begin_s, 5);
  EXPECT_EQ(zeros->at(1).end_s, 6);
  EXPECT_EQ(intervals(events, "plate")->size(), 1U);
  EXPECT_EQ(intervals(events, "reference")->size(), 0U);
}

TEST(Intervals, RefuseAnEndWithoutItsBegin) {
  const std::vector<Event> lonely{event("1", "zero_end")};
  EXPECT_EQ(intervals(lonely, "zero").error().message,
            "events at 1 s: zero_end, but there was no zero_begin before it");
  const std::vector<Event> twice{event("1", "zero_begin"), event("2", "zero_begin")};
  EXPECT_EQ(intervals(twice, "zero").error().message,
            "events at 2 s: zero_begin, but the one before, from 1 s, has not ended");
}

}  // namespace
}  // namespace tactelier

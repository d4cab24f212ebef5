#include <gmock/gmock.h>

#include <map>
#include <pugixml.hpp>
#include <set>

#include "libcalib/model_file/model_hash.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/exporter.hpp"
#include "tests/reports/export/mujoco_models.hpp"
#include "tests/reports/export/run_files.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::HasSubstr;
using testing::Not;

Exported exported(std::string_view id, const SensorModel& model) {
  auto written = (*exporter(id))->write(model);
  EXPECT_TRUE(written) << written.error().message;
  return written.value_or(Exported{});
}

std::string refusal(const SensorModel& model) {
  const auto written = (*exporter("openrave"))->write(model);
  if (written) return "accepted";
  EXPECT_EQ(written.error().code, ErrorCode::kInvalidInput);
  return written.error().message;
}

/// Element -> text, as another XML reader sees it.
std::map<std::string, std::string> tags(const std::string& text) {
  pugi::xml_document document;
  const auto parsed = document.load_string(text.c_str(), pugi::parse_full);
  EXPECT_TRUE(parsed) << parsed.description() << "\n" << text;
  std::map<std::string, std::string> found;
  for (const auto& child : document.child("sensor").children())
    if (child.type() == pugi::node_element) found[child.name()] = child.text().get();
  return found;
}

std::string comments(const std::string& text) {
  pugi::xml_document document;
  document.load_string(text.c_str(), pugi::parse_full);
  std::string all;
  for (const auto& node : document.children())
    if (node.type() == pugi::node_comment) all += node.value();
  for (const auto& node : document.child("sensor").children())
    if (node.type() == pugi::node_comment) all += std::string(node.value()) + "\n";
  return all;
}

/// Every format can be written.
SensorModel complete_model() {
  auto model = with(image_model(),
                    {"sensor.thickness_m=0.001", "friction.mu_s=0.435", "friction.mu_d=0.23"});
  model.validity.force_N = {{0.0, 0.04}};
  return model;
}

TEST(Exporters, HaveUniqueIdsAndWriteEveryModelOrSayWhyNot) {
  std::set<std::string_view> ids;
  for (const auto* format : exporters()) {
    EXPECT_TRUE(ids.insert(format->id()).second);
    EXPECT_FALSE(format->title().empty());
    EXPECT_EQ(format->extension().substr(0, 1), ".");
    EXPECT_EQ(*exporter(format->id()), format);
    for (const auto& model : {wts_model(), table2_model(), full_model(), image_model()}) {
      const auto written = format->write(model);
      EXPECT_FALSE(written ? written->text.empty() : written.error().message.empty());
    }
    EXPECT_TRUE(format->write(complete_model())) << format->id();
  }
}

TEST(Exporters, NameTheModelAndItsRecordingsByTheirHashes) {
  const auto hash = model_hash(full_model());
  EXPECT_THAT(header_lines(full_model()),
              testing::IsSupersetOf({"Model: sha256 " + hash,
                                     std::string("Recording: a.tact, content ab12, edited")}));
  for (const auto* format : exporters()) {
    auto model = complete_model();
    model.provenance.sessions = {{"a.tact", "ab12", {}}};
    const auto text = exported(format->id(), model).text;
    EXPECT_THAT(text, HasSubstr("ab12")) << format->id();
    EXPECT_EQ(text.find(model_hash(model)) != text.npos, format->id() != "json");
  }
}

TEST(ModelHash, IsWhatAnybodyFindsForTheFile) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_model(full_model(), folder / "m.json"));
  const auto hash = model_hash(full_model());
  EXPECT_EQ(test::run_in(folder, "echo '" + hash + "  m.json' | sha256sum --check --quiet"), 0);
  const auto read = read_model(folder / "m.json");
  EXPECT_EQ(model_hash(*read), hash);
}

TEST(CommentLines, NeitherEndNorGoOnInTheNextLine) {
  const std::vector<std::string> lines{"a\nb", "c \\", "?\?/", "d"};
  EXPECT_EQ(comment_lines("// ", lines), "// a b\n// c /\n// ?\?/.\n// d\n");
}

TEST(Identifier, HoldsLettersDigitsAndSingleUnderscores) {
  EXPECT_EQ(identifier("tactelier weiss-wts0614 \"0614--42\""), "tactelier_weiss_wts0614_0614_42");
  EXPECT_EQ(identifier("Zoë"), "Zo");
}

TEST(Exporters, OfferTheFormatThatWasProbablyMeant) {
  const auto unknown = exporter("openrav");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUsage);
  EXPECT_THAT(unknown.error().message, HasSubstr("'openrav' (did you mean 'openrave'?)"));
}

TEST(JsonExporter, WritesTheModelFileWithoutLoss) {
  const auto written = exported("json", full_model());
  EXPECT_EQ(written.text, to_json(full_model()));
  EXPECT_TRUE(written.losses.empty());
}

TEST(OpenraveExporter, WritesTable2OfThePaperExactly) {
  const auto written = exported("openrave", table2_model());
  const std::map<std::string, std::string> expected{
      {"thickness", "0.006"}, {"k", "58.5"},  {"cn", "0.0583"}, {"sigma0", "1"}, {"sigma1", "0.1"},
      {"x0", "0.3"},          {"ct", "0.01"}, {"mus", "0.435"}, {"mud", "0.23"}};
  EXPECT_EQ(tags(written.text), expected);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(written.text.c_str()));
  EXPECT_STREQ(document.child("sensor").attribute("type").value(), "SimTactileSensor");
  EXPECT_STREQ(document.child("sensor").attribute("name").value(), "weiss-wts0614");
  EXPECT_THAT(comments(written.text), HasSubstr("m: elastic layer; assumed by user"));
  EXPECT_THAT(comments(written.text), HasSubstr("N/m, one texel; assumed by user"));
  EXPECT_THAT(written.losses, testing::IsEmpty());
}

TEST(OpenraveExporter, LeavesOutAndListsWhatIsNotKnown) {
  auto model = wts_model();
  model.stiffness.k = identified(58.5, "N/m");
  model.stiffness.k.u_total = 2.44;
  model.stiffness.k.from = "stiffness";
  model.stiffness.method = "area";
  model.friction.mu_s = unidentifiable("", "FR-04 Record presliding.", "friction");
  const auto written = exported("openrave", model);
  EXPECT_EQ(tags(written.text), (std::map<std::string, std::string>{{"k", "58.5"}}));
  const auto said = comments(written.text);
  EXPECT_THAT(said, HasSubstr("N/m, one texel; identified by stage stiffness, U(95 %) = 2.4 N/m"));
  EXPECT_THAT(said, HasSubstr("friction.mu_s: unidentifiable: FR-04 Record presliding."));
  EXPECT_THAT(said, HasSubstr("sensor.thickness_m: the sensor description doesn't give it"));
  EXPECT_THAT(said, Not(HasSubstr("ST-05")));
  ASSERT_EQ(written.losses.size(), 8U);  // all of Table 2 but k
  EXPECT_EQ(written.losses[0].path, "sensor.thickness_m");
}

TEST(OpenraveExporter, ListsWhatHasNoSlotOnceForAllTactels) {
  auto model = wts_model();
  for (auto& tactel : model.response.tactels) tactel.press_gain = identified(4e-4, "N/count");
  model.psf.sigma = identified(1.7e-3, "m");
  model.rig.compliance = identified(4e-6, "m/N");  // of the rig, not of the sensor
  const auto written = exported("openrave", model);
  ASSERT_EQ(written.losses.size(), 11U);
  EXPECT_EQ(written.losses[9].path, "response.tactels[].press_gain");
  EXPECT_EQ(written.losses[9].reason, "OpenRAVE has no slot for it (84 values)");
  EXPECT_EQ(written.losses[10].path, "psf.sigma");
  // An assumption helps where a tag waits for it, and nowhere else.
  for (const auto& loss : written.losses) {
    EXPECT_EQ(loss.has_slot, loss.path != "psf.sigma" && !loss.path.starts_with("response."))
        << loss.path;
    if (!loss.has_slot) continue;
    auto filled = model;
    ASSERT_TRUE(assume(filled, loss.path + "=0.5", "user"));
    EXPECT_EQ(exported("openrave", filled).losses.size(), 10U) << loss.path;
  }
  EXPECT_THAT(comments(written.text),
              HasSubstr("response.tactels[].press_gain: OpenRAVE has no slot for it (84 values)"));
}

TEST(OpenraveExporter, SaysForWhichIndenterAPunchStiffnessHolds) {
  auto model = wts_model();
  model.stiffness.k = identified(2000, "N/m");
  model.stiffness.method = "punch";
  model.stiffness.indenter = "cylinder 1 mm";
  model.validity.force_N = {{0.0, 2.0}};
  model.validity.indenters = {"cylinder 1 mm"};
  const auto written = exported("openrave", model);
  EXPECT_THAT(comments(written.text),
              HasSubstr("ST-05 k was measured with a 1 mm punch on 3.4 mm tactels: valid for that "
                        "contact size; use a plate press for eq. 18."));
  EXPECT_THAT(comments(written.text), HasSubstr("Valid for normal force 0 .. 2 N"));
  EXPECT_THAT(comments(written.text), HasSubstr("Indenters: cylinder 1 mm"));
  ASSERT_EQ(written.warnings.size(), 1U);
  EXPECT_EQ(written.warnings[0].code, "ST-05");
}

TEST(OpenraveExporter, LeavesOutDampingOfTheWholeContact) {
  auto model = wts_model();
  model.damping.c_n = identified(0.5, "N*s/m");
  model.damping.at.scope = "contact";
  EXPECT_EQ(tags(exported("openrave", model).text).count("cn"), 0U);
  model.damping.at.scope = "tactel";
  EXPECT_EQ(tags(exported("openrave", model).text)["cn"], "0.5");
}

TEST(OpenraveExporter, RefusesWhatNoSimulationSurvives) {
  const auto with = [](const char* assumption) {
    auto model = table2_model();
    EXPECT_TRUE(assume(model, assumption, "user"));
    return refusal(model);
  };
  EXPECT_EQ(with("stiffness.k=58.5"), "accepted");
  EXPECT_EQ(with("stiffness.k=0"),
            "stiffness.k: 0 N/m can't be written as <k>: it must be more than 0");
  EXPECT_EQ(with("stiffness.k=-58.5"),
            "stiffness.k: -58.5 N/m can't be written as <k>: it must be more than 0");
  EXPECT_EQ(with("damping.c_n=0"), "accepted");
  EXPECT_THAT(with("damping.c_n=-0.01"), HasSubstr("<cn>: it must be at least 0"));
  EXPECT_THAT(with("friction.sigma0=0"), HasSubstr("<sigma0>: it must be more than 0"));
  EXPECT_THAT(with("friction.mu_s=0.2"), HasSubstr("less than friction.mu_d 0.23"));
  EXPECT_EQ(with("friction.mu_s=0.23"), "accepted");
}

// A fit of a pad without viscous friction finds a little less than none in every second recording.
TEST(OpenraveExporter, WritesNoneWhereALittleLessThanNoneWasFound) {
  const auto with = [](std::array<double, 2> ci95) {
    auto model = table2_model();
    model.friction.c_t = identified(-0.01, "N*s/m");
    model.friction.c_t.ci95 = ci95;
    return model;
  };
  EXPECT_EQ(tags(exported("openrave", with({-0.03, 0.01})).text)["ct"], "0");
  EXPECT_THAT(exported("openrave", with({-0.03, 0.01})).text,
              HasSubstr("-0.01 N*s/m was found, which its interval does not tell from 0"));
  EXPECT_THAT(refusal(with({-0.015, -0.005})), HasSubstr("<ct>: it must be at least 0"));
}

TEST(OpenraveExporter, StaysWellFormedWhateverTheTextsSay) {
  auto model = table2_model();
  model.sensor.name = "a<b>&\"c\"\x01--";
  model.sensor.vendor = "x --> y -- z ---";
  model.serial = "]]> -";
  model.friction.mu_s = unidentifiable("", "FR-04 <!-- -->", "friction");
  const auto written = exported("openrave", model);
  EXPECT_EQ(tags(written.text)["k"], "58.5");
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(written.text.c_str()));
  EXPECT_STREQ(document.child("sensor").attribute("name").value(), "a<b>&\"c\"_--");
}

TEST(XmlComment, HoldsNoDoubleDashes) {
  EXPECT_EQ(xml_comment("a--b"), "a- -b");
  EXPECT_EQ(xml_comment("----"), "- - - - ");
  EXPECT_EQ(xml_comment("a-"), "a- ");
  EXPECT_EQ(xml_comment("a\tb\x02\nc"), "a b \nc");
  EXPECT_EQ(xml_comment(""), "");
}

}  // namespace
}  // namespace tactelier

#include "reports/model_table.hpp"

#include <gmock/gmock.h>

#include "tests/libcalib/model_file/example_model.hpp"

namespace tactelier {
namespace {

using namespace testing_models;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Section* section(const std::vector<Section>& sections, std::string_view title) {
  for (const auto& candidate : sections)
    if (candidate.title == title) return &candidate;
  return nullptr;
}

std::vector<std::string> row(const Table& table, std::string_view first) {
  for (const auto& cells : table.rows)
    if (cells[0] == first) return cells;
  return {};
}

TEST(Section, TextAlignsColumnsByCharacterNotByByte) {
  const std::vector<Section> sections{
      {"Title", {{{"a", "bcd"}, {{"µm", "1"}, {"long", "22"}}}}, {"mind this"}}};
  EXPECT_EQ(to_text(sections),
            "Title\n"
            "=====\n"
            "a     bcd\n"
            "-     ---\n"
            "µm    1\n"
            "long  22\n"
            "! mind this\n");
}

TEST(Section, WordsAreBrokenWhereALineWouldNotFit) {
  const std::vector<Section> sections{
      {"T",
       {{{"name", "because"},
         {{"gain", "no press on a tactel's centre with a flat end was recorded"}, {"k", "none"}}}},
       {}}};
  EXPECT_EQ(to_text(sections, 34),
            "T\n"
            "=\n"
            "name  because\n"
            "----  -------\n"
            "gain  no press on a tactel's\n"
            "      centre with a flat end was\n"
            "      recorded\n"
            "k     none\n");
  EXPECT_EQ(to_text(sections, 200), to_text(sections));
}

TEST(ModelTable, GivesValueUncertaintyUnitStatusAndRemark) {
  auto model = wts_model();
  model.stiffness.k = identified(2012.4, "N/m");
  model.stiffness.k.u_total = 24;
  model.stiffness.k.from = "stiffness";
  model.stiffness.method = "area";
  model.stiffness.k_punch = unidentifiable("N/m", "ST-01 Depths 0.1 mm: too few.", "stiffness");
  const auto sections = model_sections(model, {});
  const auto& table = section(sections, "Parameters")->tables[0];
  EXPECT_THAT(row(table, "stiffness.k"),
              ElementsAre("stiffness.k", "2012", "24", "N/m", "identified",
                          "method 'area', from stiffness"));
  EXPECT_THAT(row(table, "stiffness.k_punch"),
              ElementsAre("stiffness.k_punch", "-", "", "N/m", "unidentifiable",
                          "ST-01 Depths 0.1 mm: too few."));
}

TEST(ModelTable, SaysWhatIsMissingAndWhatRecordsIt) {
  auto model = wts_model();
  model.stiffness.k = unidentifiable("N/m", "ST-01 No plate press", "stiffness");
  model.stiffness.foundation_modulus = unidentifiable("Pa/m", "ST-01 No plate press", "stiffness");
  model.damping.c_n = unidentifiable("N*s/m", "DP-05 Damping and latency ...", "damping");
  for (auto& tactel : model.response.tactels)
    tactel.saturation = unidentifiable("counts", "RS-05 not reached", "response");
  const auto sections = model_sections(model, {});
  const auto& table = section(sections, "What is missing")->tables[0];
  const auto tactels = model.response.tactels.size();
  EXPECT_THAT(row(table, fmt::format("saturation of {} tactels", tactels)),
              ElementsAre(HasSubstr("saturation"), "saturation not reached", HasSubstr("P2: ")));
  EXPECT_THAT(row(table, "foundation modulus K_f, tactel stiffness k"),
              ElementsAre(HasSubstr("k"), "no plate press",
                          "P4: a flat plate larger than the array, seven loads (record --protocol p4)"));
  EXPECT_THAT(row(table, "normal damping c_n"),
              ElementsAre(HasSubstr("c_n"), "damping or latency", HasSubstr("encoder")));
}

TEST(ModelTable, CondensesAGroupThatWasNotFitted) {
  const auto sections = model_sections(wts_model(), {});
  const auto& table = section(sections, "Parameters")->tables[0];
  EXPECT_THAT(row(table, "friction.*"), ElementsAre("friction.*", "-", "", "", "unidentifiable",
                                                    "NOT-FITTED stage 'friction' was not run"));
  EXPECT_TRUE(row(table, "friction.mu_s").empty());
  auto model = wts_model();
  model.friction.mu_d = identified(0.23, "");
  const auto some = model_sections(model, {});
  const auto& with_friction = section(some, "Parameters")->tables[0];
  EXPECT_EQ(row(with_friction, "friction.mu_s")[1], "-");
  EXPECT_EQ(row(with_friction, "friction.mu_d")[1], "0.23");
  EXPECT_FALSE(row(with_friction, "friction.contact.*").empty());
}

TEST(ModelTable, CondensesTactelsToMedianAndRange) {
  auto model = wts_model();
  const std::array gains{4e-4, 1e-4, 3e-4, 2e-4};
  for (std::size_t i = 0; i < gains.size(); ++i) {
    model.response.tactels[i].press_gain = identified(gains[i], "N/count");
    model.response.tactels[i].status = TactelStatus::kIdentified;
  }
  const auto sections = model_sections(model, {});
  const auto& tables = section(sections, "Tactels")->tables;
  EXPECT_THAT(tables[0].rows,
              ElementsAre(ElementsAre("identified", "4"), ElementsAre("not_pressed", "80")));
  EXPECT_THAT(row(tables[1], "response.tactels[].press_gain"),
              ElementsAre("response.tactels[].press_gain", "4/84", "250", "100", "400", "µN/count",
                          "80 x NOT-FITTED stage 'response' was not run"));
  EXPECT_EQ(row(tables[1], "stiffness.k_punch_tactel[]")[1], "0/84");
}

TEST(ModelTable, ListsTactelsOnRequestAndPressesByDefault) {
  const auto model = full_model();
  const auto brief = model_sections(model, {});
  EXPECT_EQ(section(brief, "Tactel by tactel"), nullptr);
  ASSERT_NE(section(brief, "Presses"), nullptr);
  const auto& press = section(brief, "Presses")->tables[0].rows[0];
  EXPECT_EQ(press[0], "a.tact");
  EXPECT_EQ(press[1], "7");
  EXPECT_EQ(press[5], "1.8 N");
  EXPECT_EQ(press[7], "doubtful");
  const auto whole = model_sections(model, {true, false});
  EXPECT_EQ(section(whole, "Tactel by tactel")->tables[0].rows.size(), 84U);
  EXPECT_EQ(section(whole, "Presses"), nullptr);
}

TEST(ModelTable, RepeatsEveryWarning) {
  auto model = wts_model();
  model.stiffness.k = identified(2, "N/m");
  model.quality["contact"].warnings = {{"CT-03", "Two presses begin in contact.", "press 4"}};
  const auto text = to_text(model_sections(model, {}));
  EXPECT_THAT(text, HasSubstr("! CV-02 stiffness.k: k = 2 N/m is outside 10..1e5"));
  EXPECT_THAT(text, HasSubstr("! contact: CT-03 press 4: Two presses begin in contact."));
}

TEST(ModelTable, EveryRowHasAsManyCellsAsItsTable) {
  for (const auto& model : {wts_model(), full_model(), table2_model()})
    for (const auto& part : model_sections(model, {true, true}))
      for (const auto& table : part.tables)
        for (const auto& cells : table.rows) EXPECT_EQ(cells.size(), table.columns.size());
  EXPECT_THAT(to_text(model_sections(table2_model(), {})), HasSubstr("6 mm (assumed)"));
}

}  // namespace
}  // namespace tactelier

// A report's document and the writers of it.

#include "reports/document/document.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "reports/document/axis_scale.hpp"
#include "reports/document/data_writer.hpp"
#include "reports/document/html_writer.hpp"
#include "reports/document/pdf_writer.hpp"
#include "reports/document/report_input.hpp"
#include "reports/document/stage_words.hpp"
#include "reports/document/uncertainty_budget.hpp"
#include "tests/libcalib/model_file/example_model.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> tick_texts(const AxisScale& scale) {
  std::vector<std::string> texts;
  for (const auto& tick : scale.ticks) texts.push_back(tick.text);
  return texts;
}

TEST(AxisScale, StepsByOneTwoFiveInTheUnitThatKeepsNumbersShort) {
  const auto depth = axis_scale({"Depth", "m", false}, {0.0, 0.0014}, true, 6);
  EXPECT_EQ(depth.label, "Depth [mm]");
  EXPECT_THAT(tick_texts(depth), ElementsAre("0", "0.5", "1"));
  const auto speed = axis_scale({"Speed", "m/s", true}, {1e-4, 0.02}, false, 6);
  EXPECT_EQ(speed.label, "Speed [mm/s]");
  EXPECT_THAT(tick_texts(speed), ElementsAre("0.1", "1", "10"));
  EXPECT_EQ(axis_scale({"Share", "", false}, {}, true, 6).label, "Share [–]");
}

TEST(AxisScale, LeavesZeroOutWhereItWouldTakeHalfOfTheAxis) {
  const PlotAxis share{"Force over that at the begin", "", false};
  EXPECT_GT(axis_scale(share, {1.0, 0.89}, true, 6).low, 0.8);
  EXPECT_EQ(axis_scale(share, {1.0, 0.3}, true, 6).low, 0);
}

TEST(AxisScale, TakesDataThatAreAllOneNumber) {
  const auto scale = axis_scale({"Reading", "counts", false}, {512, 512, 512}, false, 5);
  EXPECT_LT(scale.low, 512);
  EXPECT_GT(scale.high, 512);
  EXPECT_FALSE(scale.ticks.empty());
}

Parameter with_budget(double value, double std, double ci_half, double u_total) {
  Parameter parameter = testing_models::identified(value, "N/m");
  parameter.std = std;
  parameter.ci95 = {value - ci_half, value + ci_half};
  parameter.u_total = u_total;
  return parameter;
}

TEST(UncertaintyBudget, TakesTheGumApartAgain) {
  // GUM by hand: std 3 from 4 degrees of freedom (t = 2.7764), systematic 4; u_c = 5,
  // dof_c = 4 (5/3)^4 = 30.864, t_0.975 = 2.0399 (scipy.stats.t.ppf). Certificate 0.3 % of 1000.
  const auto shares = budget_shares(with_budget(1000, 3, 3 * 2.776445, 5 * 2.039900), 0.003);
  ASSERT_TRUE(shares);
  EXPECT_NEAR(shares->repetition, 9.0 / 25, 1e-3);
  EXPECT_NEAR(shares->force_sensor, 9.0 / 25, 1e-3);
  EXPECT_NEAR(shares->other, 7.0 / 25, 2e-3);
}

TEST(UncertaintyBudget, HasNothingToSayWithoutAnInterval) {
  Parameter bare = testing_models::identified(1000, "N/m");
  bare.std.reset();
  EXPECT_FALSE(budget_shares(bare, 0));
}

ReportDocument awkward_document() {
  Plot plot{"A < B",
            {"Force", "N", false},
            {"Reading", "counts", false},
            {{"data \"x\"", PlotSeries::Look::kPoints, {0, 1, NAN, 2}, {0, 5, 6, 9}},
             {"model", PlotSeries::Look::kLine, {0, 2}, {0, 9}}},
            "Readings & force."};
  ArrayMap map{"gain",
               "N/count",
               {{0, 0, 0, 1e-3, 1e-3, 4e-4, ""}, {1, 1e-3, 0, 1e-3, 1e-3, {}, "dead"}},
               "Two tactels."};
  Chapter chapter{"summary", "Summary & <all>", {}};
  chapter.blocks.emplace_back(Paragraph{"1 < 2 & \"so on\"", Tone::kGood});
  chapter.blocks.emplace_back(
      ReportTable{"A table",
                  {"Name", "Value"},
                  {{{"k"}, {"2000 ± 10 N/m", CellNumber{"stiffness.k", 2000, 10, "N/m"}}}}});
  chapter.blocks.emplace_back(Figures{Figures::Size::kMiddle, {plot, map}});
  return {"Pad <7>", "Report", "2026-11-20T10:00:00Z", "tactelier", {chapter, {"end", "End", {}}}};
}

TEST(ReportHtml, KeepsTextsApartFromTags) {
  const auto page = html(awkward_document());
  EXPECT_THAT(page, HasSubstr("<p class=\"good\">1 &lt; 2 &amp; &quot;so on&quot;</p>"));
  EXPECT_THAT(page, HasSubstr("<h1>Pad &lt;7&gt;</h1>"));
  EXPECT_THAT(page, HasSubstr("aria-label=\"A &lt; B. Readings &amp; force.\""));
  EXPECT_THAT(page, HasSubstr("<th scope=\"col\">Value</th>"));
  EXPECT_THAT(page, HasSubstr("<th scope=\"row\">k</th>"));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
  EXPECT_THAT(page, HasSubstr("× no value"));
}

TEST(ReportData, HoldsEveryNumberAndKeepsToItsSchema) {
  const auto data = parse_json(report_data(awkward_document()), "data");
  ASSERT_TRUE(data);
  const auto valid = check_schema(*data, "report-data", "data");
  EXPECT_TRUE(valid) << valid.error().message;
  const auto& cell = (*data)["chapters"][0]["blocks"][1]["rows"][0][1];
  EXPECT_EQ(cell["path"], "stiffness.k");
  EXPECT_EQ(cell["value"], 2000);
  EXPECT_EQ(cell["u95"], 10);
  EXPECT_TRUE((*data)["chapters"][0]["blocks"][2]["figures"][0]["series"][0]["x"][2].is_null());
}

TEST(ReportPdf, HasAContentsPageAndTheSameBytesEachTime) {
  const auto document = awkward_document();
  const auto pages = ReportPages::lay_out(document, PaperSize::kA4);
  if (!pages) GTEST_SKIP() << pages.error().message;
  ASSERT_EQ(pages->count(), 3);
  EXPECT_THAT(pages->text(1), HasSubstr("Contents"));
  EXPECT_THAT(pages->text(1), HasSubstr("End\n3\n"));
  EXPECT_THAT(pages->text(2), HasSubstr("3 / 3"));
  EXPECT_EQ(*pages->pdf(), *pdf(document, PaperSize::kA4));
  EXPECT_NE(*pages->pdf(), *pdf(document, PaperSize::kLetter));
  const auto image = pages->image(0, 0.5);
  EXPECT_EQ(image.pixels.size(), static_cast<std::size_t>(image.width * image.height));
  EXPECT_THAT(image.pixels, testing::Contains(testing::Ne(0xffffffffU)));
}

TEST(StageWords, EveryStageSaysWhatItDoesAndByWhichEquation) {
  for (const auto& stage : stages()) {
    const auto* words = stage_words(stage.id);
    ASSERT_NE(words, nullptr) << stage.id;
    EXPECT_FALSE(words->what.empty() || words->equations.empty()) << stage.id;
    const auto page = words->page.substr(0, words->page.find(' '));
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(paths::source_dir()) / page)) << page;
  }
}

TEST(ReportDocument, OfAModelWithoutRecordingsHasItsChapters) {
  ReportInput input;
  input.model = testing_models::wts_model();
  input.model_hash = std::string(64, 'a');
  const auto document = make_document(input, {});
  ASSERT_TRUE(document) << document.error().message;
  std::vector<std::string> ids;
  for (const auto& chapter : document->chapters) ids.push_back(chapter.id);
  EXPECT_EQ(ids.front(), "summary");
  EXPECT_EQ(ids.back(), "provenance");
  EXPECT_THAT(ids, testing::IsSupersetOf({"tactels", "budget", "validity"}));
}

}  // namespace
}  // namespace tactelier

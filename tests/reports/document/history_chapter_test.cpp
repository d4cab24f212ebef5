// A model beside others of its sensor.

#include "reports/document/history_chapter.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "reports/document/report_input.hpp"
#include "tests/libcalib/model_file/example_model.hpp"

namespace tactelier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Parameter stated(double value, double u_total, const std::string& unit) {
  auto parameter = testing_models::identified(value, unit);
  parameter.std = u_total / 2;
  parameter.ci95 = {{value - u_total, value + u_total}};
  parameter.u_total = u_total;
  return parameter;
}

SensorModel model_with(double k_N_per_m, double gain_3, const std::string& created) {
  auto model = testing_models::wts_model();
  mark_not_fitted(model);
  model.created = created;
  model.stiffness.k_punch = stated(k_N_per_m, 30, "N/m");
  for (auto& tactel : model.response.tactels) tactel.press_gain = stated(1e-3, 2e-5, "N/count");
  model.response.tactels[3].press_gain = stated(gain_3, 2e-5, "N/count");
  return model;
}

/// 1000 +- 30 before, `k` +- 30 now; of tactel 3 the gain rose by 8 %.
ReportInput input_of(double k_N_per_m) {
  ReportInput input;
  input.model = model_with(k_N_per_m, 1.08e-3, "2026-11-20T10:00:00Z");
  input.day = 30;
  input.others.push_back({"spring.json", model_with(1000, 1e-3, "2026-10-21T10:00:00Z"), 0.0});
  return input;
}

std::vector<std::string> row_of(const Chapter& chapter, const std::string& label) {
  for (const auto& block : chapter.blocks)
    if (const auto* table = std::get_if<ReportTable>(&block))
      for (const auto& row : table->rows)
        if (row.front().text.find(label) != std::string::npos) {
          std::vector<std::string> texts;
          for (const auto& cell : row) texts.push_back(cell.text);
          return texts;
        }
  return {};
}

std::vector<Figure> figures_of(const Chapter& chapter) {
  std::vector<Figure> all;
  for (const auto& block : chapter.blocks)
    if (const auto* figures = std::get_if<Figures>(&block))
      all.insert(all.end(), figures->figures.begin(), figures->figures.end());
  return all;
}

TEST(HistoryChapter, IsNotThereWithoutOthers) {
  EXPECT_FALSE(history_chapter(
      {testing_models::wts_model(), {}, "", "", {}, {}, {}, {}, {}, {}, {}, {}, {}}));
}

TEST(HistoryChapter, TellsChangeAndNormalisedErrorByHand) {
  // (1051 - 1000)/sqrt(30^2 + 30^2) = 51/42.43 = 1.20; (1042 - 1000)/42.43 = 0.99.
  const auto changed = *history_chapter(input_of(1051));
  EXPECT_THAT(row_of(changed, "k"), ElementsAre(testing::_, "1000 ± 30 N/m", "1051 ± 30 N/m",
                                                "+5.10 %", "1.20", "changed"));
  const auto within = *history_chapter(input_of(1042));
  EXPECT_THAT(row_of(within, "k"), ElementsAre(testing::_, testing::_, testing::_, "+4.20 %",
                                               "0.99", "within both uncertainties"));
}

TEST(HistoryChapter, NamesTheTactelsThatChanged) {
  const auto chapter = *history_chapter(input_of(1000));
  // 8e-5/sqrt(2) 2e-5 = 2.83
  EXPECT_THAT(row_of(chapter, "gain"), ElementsAre(testing::_, "84", "+0.00 %", "2.83", "1", "3"));
  const auto& verdict = std::get<Paragraph>(chapter.blocks[1]);
  EXPECT_EQ(verdict.tone, Tone::kLook);
  EXPECT_THAT(verdict.text, HasSubstr("spring.json of 2026-10-21"));
  EXPECT_THAT(verdict.text, HasSubstr("of 1 tactels"));
  const auto& map = std::get<ArrayMap>(figures_of(chapter).front());
  EXPECT_NEAR(*map.cells[3].value, 8, 1e-9);
  EXPECT_NEAR(*map.cells[4].value, 0, 1e-9);
  EXPECT_NEAR((*map.range)[0], -8, 1e-9);
}

TEST(HistoryChapter, DrawsEachNumberOverTimeWithItsInterval) {
  for (const auto& figure : figures_of(*history_chapter(input_of(1051)))) {
    const auto* plot = std::get_if<Plot>(&figure);
    if (plot == nullptr || plot->y.unit != "N/m") continue;
    EXPECT_EQ(plot->x.quantity, "Days since 2026-10-21");
    EXPECT_THAT(plot->series[0].x, ElementsAre(0, 30));
    EXPECT_THAT(plot->series[0].y, ElementsAre(1000, 1051));
    EXPECT_THAT(plot->series[1].y,
                ElementsAre(970, 1030, testing::IsNan(), 1021, 1081, testing::IsNan()));
    return;
  }
  FAIL() << "no chart of the stiffness";
}

}  // namespace
}  // namespace tactelier

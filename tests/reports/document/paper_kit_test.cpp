// What a paper needs of a calibration.

#include "reports/document/paper_kit.hpp"

#include <gmock/gmock.h>

#include <regex>

#include "reports/document/latex_text.hpp"
#include "reports/document/paper_figures.hpp"
#include "reports/document/paper_sources.hpp"
#include "tests/libcalib/model_file/example_model.hpp"

namespace tactelier {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(LatexText, EscapesWhatLatexWouldObeyAndSetsGreekAsMathematics) {
  EXPECT_EQ(latex("5 % of pad_1 & {co}"), "5 \\% of pad\\_1 \\& \\{co\\}");
  EXPECT_EQ(latex("gain κ, 3 ± 1 µN, σ²"), "gain $\\kappa$, 3 $\\pm$ 1 $\\mu$N, $\\sigma$$^2$");
  EXPECT_EQ(latex("Zoë"), "Zoë");
}

SensorModel small_model() {
  auto model = testing_models::wts_model();
  mark_not_fitted(model);
  model.created = "2026-11-20T10:00:00Z";
  model.tool = "tactelier 0.1.0";
  model.serial = "42_a";
  model.provenance.force_sensor = "ATI Nano17, calibration SI-25-0.25";
  model.provenance.indenters = {"cylinder 1 mm"};
  model.validity.force_N = {{0.1, 4.0}};
  model.stiffness.k_punch = testing_models::identified(2012, "N/m");
  model.stiffness.k_punch.u_total = 12;
  model.quality["stiffness"];
  model.presses.resize(3);
  model.presses[0].used = model.presses[1].used = true;
  return model;
}

ReportDocument drawn_report() {
  Plot plot{"Force over depth",
            {"Depth", "m", false},
            {"Force", "N", false},
            {{"press", PlotSeries::Look::kPoints, {0, 1e-3}, {0, 1.5}}},
            "A line."};
  ArrayMap map{"gain",
               "N/count",
               {{0, 0, 0, 1e-3, 1e-3, 4e-4, ""}, {1, 1e-3, 0, 1e-3, 1e-3, {}, "dead"}},
               "Two tactels."};
  return {"Pad",
          "",
          "2026-11-20T10:00:00Z",
          "",
          {{"summary", "Summary", {Figures{Figures::Size::kMiddle, {map}}}},
           {"stage-stiffness", "Stiffness", {Figures{Figures::Size::kMiddle, {plot, map}}}},
           {"tactels", "Tactels", {Figures{Figures::Size::kSmall, {plot}}}}}};
}

const PaperFile* file_in(const std::vector<PaperFile>& files, const std::string& name) {
  for (const auto& file : files)
    if (file.name == name) return &file;
  return nullptr;
}

TEST(PaperKit, MethodsTellWhatWasDoneAndCiteWhatStandsInTheSources) {
  const auto files = paper_kit(small_model(), drawn_report(), {}).value();
  const auto& methods = file_in(files, "methods.tex")->bytes;
  EXPECT_THAT(methods, HasSubstr("serial 42\\_a"));
  EXPECT_THAT(methods, HasSubstr("2 presses with cylinder 1 mm (forces of 0.1 to 4 N)"));
  EXPECT_THAT(methods, HasSubstr("ATI Nano17"));
  EXPECT_THAT(methods, Not(HasSubstr("hayes1972")));    // no modulus was found
  EXPECT_THAT(methods, Not(HasSubstr("canudas1995")));  // no friction was found
  const auto& bib = file_in(files, "references.bib")->bytes;
  const std::regex cited(R"(\\cite\{([a-z0-9]+)\})");
  for (std::sregex_iterator at(methods.begin(), methods.end(), cited), end; at != end; ++at)
    EXPECT_THAT(bib, HasSubstr("{" + (*at)[1].str() + ","));
  EXPECT_THAT(bib, Not(HasSubstr("canudas1995")));
}

TEST(PaperKit, EveryStagesSourcesAreKnown) {
  for (const auto* stage : {"response", "stiffness", "damping", "friction", "hydroelastic", "layer"})
    for (const auto key : stage_method(stage)->keys) {
      ASSERT_NE(paper_source(key), nullptr) << key;
      EXPECT_THAT(std::string(stage_method(stage)->sentence),
                  HasSubstr("\\cite{" + std::string(key) + "}"));
    }
}

TEST(PaperKit, TableHasTheModelsNumbers) {
  const auto files = paper_kit(small_model(), drawn_report(), {}).value();
  EXPECT_THAT(file_in(files, "parameters.tex")->bytes,
              HasSubstr("2012 $\\pm$ 12 & N/m & identified"));
  EXPECT_THAT(file_in(files, "parameters.csv")->bytes,
              HasSubstr("stiffness.k_punch,2012,12,N/m,,,,\n"));
}

TEST(PaperKit, FiguresAreAsWideAsAColumnAndAPageWithTheirData) {
  const auto files = paper_kit(small_model(), drawn_report(), {}).value();
  // 88 mm = 249.449 points, 180 mm = 510.236.
  const auto holds = [&](const char* name, const char* words) {
    return file_in(files, name)->bytes.find(words) != std::string::npos;
  };
  EXPECT_TRUE(holds("figures/force-over-depth-88mm.pdf", "MediaBox [ 0 0 249.4"));
  EXPECT_TRUE(holds("figures/force-over-depth-180mm.pdf", "MediaBox [ 0 0 510.2"));
  EXPECT_EQ(file_in(files, "figures/force-over-depth.csv")->bytes,
            "series,Depth [m],Force [N]\n\"press\",0,0\n\"press\",0.001,1.5\n");
  EXPECT_EQ(file_in(files, "figures/gain.csv")->bytes,
            "tactel,x [m],y [m],value [N/count]\n0,0,0,0.0004\n1,0.001,0,\n");
  EXPECT_EQ(file_in(files, "figures/gain-2.csv"), nullptr);              // shown once
  EXPECT_EQ(file_in(files, "figures/force-over-depth-2.csv"), nullptr);  // not tactel by tactel
  EXPECT_THAT(file_in(files, "paper.tex")->bytes,
              HasSubstr("\\includegraphics{figures/force-over-depth-88mm.pdf}"));
}

}  // namespace
}  // namespace tactelier

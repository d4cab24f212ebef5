#include "tests/app_gui/fit_dynamics_test.hpp"

#include <QTableView>
#include <QToolButton>
#include <QtTest>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/gui/item_models/stage_model.hpp"
#include "app/gui/pages/fit/damping_plot.hpp"
#include "app/gui/pages/fit/friction_plot.hpp"
#include "app/gui/pages/fit/hydro_plot.hpp"
#include "app/gui/pages/fit/joint_view.hpp"
#include "app/gui/pages/fit/psf_plot.hpp"
#include "app/gui/pages/fit/relaxation_plot.hpp"
#include "app/gui/widgets/correlation_table.hpp"
#include "app/gui/widgets/image_tiles.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "app/workflow/synth_session.hpp"
#include "tests/app_gui/fit_support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using namespace tactelier::gui::test;

namespace {

const std::string kHead =
    R"({"format": "tactelier/protocol", "version": 1, "name": "part", "description": "x",
        "max_minutes": 60, "indenter": )";
const std::string kSlides =
    kHead + R"({"id": "ball10", "shape": "sphere", "diameter_mm": 10.0}, "steps": [
      {"do": "zero", "time_s": 3},
      {"do": "slide", "load_N": 1, "speeds_mm_s": [0.5, 1, 2, 4, 6, 9, 12, 18], "length_mm": 6,
       "directions_deg": [90, 270]},
      {"do": "preslide", "load_N": 1, "amplitude_mm": 0.02, "frequencies_hz": [1, 5], "time_s": 8},
      {"do": "zero", "time_s": 1}]})";
const std::string kHolds =
    kHead + R"({"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0}, "steps": [
      {"do": "zero", "time_s": 3},
      {"do": "hold", "sites": ["centre"], "depth_mm": 0.5, "ramp_s": 0.2, "time_s": 20},
      {"do": "hold", "sites": ["centre"], "depth_mm": 1.0, "ramp_s": 0.2, "time_s": 20},
      {"do": "zero", "time_s": 1}]})";

const std::string kSpeeds =
    kHead + R"({"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0}, "steps": [
      {"do": "zero", "time_s": 3},
      {"do": "speeds", "sites": ["centre"], "depth_mm": 1.0, "speeds_mm_s": [0.3, 1, 3],
       "repeats": 2},
      {"do": "hold", "sites": ["centre"], "depth_mm": 0.5, "ramp_s": 0.2, "time_s": 20},
      {"do": "hold", "sites": ["centre"], "depth_mm": 1.0, "ramp_s": 0.2, "time_s": 20},
      {"do": "zero", "time_s": 1}]})";

// Pin presses at and between the tactels of the middle, then a ball at two speeds.
const std::string kSpread =
    kHead + R"({"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0}, "steps": [
      {"do": "zero", "time_s": 3},
      {"do": "scan", "sites": ["centre", "edges"], "speed_mm_s": 2,
       "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},
      {"do": "raster", "area_mm": [-1.7, -1.7, 5.1, 3.4], "step_mm": 1.7, "depth_mm": 0.7,
       "speed_mm_s": 2},
      {"do": "prompt", "text": "Mount the ball.",
       "indenter": {"id": "ball10", "shape": "sphere", "diameter_mm": 10.0}},
      {"do": "speeds", "sites": ["centre"], "depth_mm": 0.8, "speeds_mm_s": [0.4, 4], "repeats": 2},
      {"do": "zero", "time_s": 1}]})";

/// Simulates, opens and fits one stage's recording; true when that went well.
bool openSimulated(const Bench& bench, const std::string& protocol,
                   const std::vector<std::string>& draw, std::uint64_t seed = 2) {
  const std::filesystem::path folder = bench.folder.path().toStdString();
  std::ofstream(folder / "part.json") << protocol;
  SynthRequest synth;
  synth.protocol = (folder / "part.json").string();
  synth.seed = seed;
  synth.draw = draw;
  synth.target = folder / "pad.tact";
  const auto made = synth_session(synth, {});
  if (!made) return false;
  bench.state->open(QString::fromStdString(made->recording.string()));
  bench.settle();
  bench.window->showPage(QStringLiteral("fit"));
  bench.settle();
  return bench.state->model() != nullptr;
}

/// By the keys alone: Down in the stage table until the stage is reached.
void chooseStage(const Bench& bench, const char* stage) {
  auto* table = fitPart<QTableView>(bench, "stageTable");
  table->setFocus(Qt::TabFocusReason);
  table->selectRow(0);
  for (int i = 0; i < table->model()->rowCount(); ++i) {
    if (table->currentIndex().data(StageModel::kIdRole).toString() == QLatin1String(stage)) break;
    QTest::keyClick(table, Qt::Key_Down);
  }
  bench.settle();
}

}  // namespace

void FitDynamicsTest::slidesShowTheStribeckCurveLoopsAndCorrelations() {
  Bench bench;
  QVERIFY(openSimulated(bench, kSlides, {}));
  chooseStage(bench, "friction");
  auto* shown = qobject_cast<FrictionPlot*>(fitPage(bench)->stagePlot());
  QVERIFY(shown != nullptr && shown->curve() != nullptr);
  const auto& curve = *shown->curve();
  QCOMPARE(curve.points.size(), std::size_t(16));
  const auto& found = bench.state->model()->friction.contact;
  QVERIFY(found.mu_s.value && found.mu_d.value);
  // Between the two coefficients, but for what c_t v adds.
  for (const auto& point : curve.points) {
    QVERIFY(point.used);
    QVERIFY(std::abs(point.friction - point.model) < 0.01 * point.friction);
    QVERIFY(point.friction > 0.98 * *found.mu_d.value && point.friction < 1.02 * *found.mu_s.value);
  }
  QVERIFY(std::abs(curve.friction.front() - *found.mu_s.value) < 0.05 * *found.mu_s.value);
  QCOMPARE(curve.loops.size(), std::size_t(2));
  for (const auto& loop : curve.loops) {
    QVERIFY2(loop.used, loop.why.c_str());
    QCOMPARE(loop.model_N.size(), loop.force_N.size());
    double most = 0, off = 0;
    for (std::size_t i = 0; i < loop.force_N.size(); ++i) {
      most = std::max(most, std::abs(loop.force_N[i]));
      off = std::max(off, std::abs(loop.force_N[i] - loop.model_N[i]));
    }
    QVERIFY2(off < 0.2 * most, qPrintable(QString::number(off / most)));
  }
  QCOMPARE(shown->correlation()->correlations().paths.size(), std::size_t(6));
  QVERIFY(!shown->correlation()->weakest().isEmpty());
  // Values of the points by the keys, and all of them as a table.
  auto* plot = fitPart<ResidualPlot>(bench, "stribeckCurve");
  plot->setFocus(Qt::TabFocusReason);
  QTest::keyClick(plot, Qt::Key_Return);
  QVERIFY(plot->hovered().has_value());
  QVERIFY(plot->asTable().rows.size() >= 16U);
  QVERIFY(!fitPart<QWidget>(bench, "parameterMap")->isVisible());
  chooseStage(bench, "response");
  QVERIFY(fitPart<QWidget>(bench, "parameterMap")->isVisible());
}

void FitDynamicsTest::holdsShowTheirRelaxation() {
  Bench bench;
  QVERIFY(openSimulated(bench, kHolds, {"relaxation"}));
  chooseStage(bench, "relaxation");
  auto* shown = qobject_cast<RelaxationPlot*>(fitPage(bench)->stagePlot());
  QVERIFY(shown != nullptr && shown->curve() != nullptr);
  const auto& curve = *shown->curve();
  QCOMPARE(curve.holds.size(), std::size_t(2));
  QVERIFY(bench.state->model()->relaxation.g_inf.value.has_value());
  QVERIFY(!curve.tau_s.empty());
  for (const auto& hold : curve.holds) {
    QCOMPARE(hold.model.size(), hold.force.size());
    QVERIFY(hold.force.back() < 0.95);  // it fell
    for (std::size_t i = 0; i < hold.force.size(); ++i)
      QVERIFY(std::abs(hold.force[i] - hold.model[i]) < 0.02);
  }
}

void FitDynamicsTest::pressesShowTheForceThatTheirSpeedGains() {
  Bench bench;
  QVERIFY(openSimulated(bench, kSpeeds, {"relaxation"}, 4));
  chooseStage(bench, "damping");
  auto* shown = qobject_cast<DampingPlot*>(fitPage(bench)->stagePlot());
  QVERIFY(shown != nullptr && shown->curve() != nullptr);
  const auto& curve = *shown->curve();
  QCOMPARE(curve.points.size(), std::size_t(2 * 6));  // six presses, in and out
  const auto& damping = bench.state->model()->damping;
  QVERIFY(damping.c_n.value || damping.dissipation.value);
  QVERIFY(!curve.excess.empty());
  double fastest = 0, gained = 0;
  for (const auto& point : curve.points) {
    QVERIFY(std::abs(point.excess - point.model) < 0.002);
    if (point.speed_m_per_s <= fastest) continue;
    fastest = point.speed_m_per_s;
    gained = point.excess;
  }
  QVERIFY(fastest > 2.5e-3);
  QVERIFY(gained > 0.001);  // inwards, speed adds force
  chooseStage(bench, "joint");
  auto* joint = qobject_cast<JointView*>(fitPage(bench)->stagePlot());
  QVERIFY(joint != nullptr);
  // Damping, three fractions, two times.
  QCOMPARE(joint->correlation()->correlations().paths.size(), std::size_t(6));
  QVERIFY(joint->correlation()->isVisible());
}

void FitDynamicsTest::pressesShowTheirSpreadAndThePressureField() {
  Bench bench;
  QVERIFY(openSimulated(bench, kSpread, {}, 3));
  chooseStage(bench, "psf");
  auto* spread = qobject_cast<PsfPlot*>(fitPage(bench)->stagePlot());
  QVERIFY(spread != nullptr && spread->curve() != nullptr);
  const auto shared = spread->curve();
  // The press on the middle of a tactel gives that tactel most of its force, in the image too.
  const auto& press = shared->presses.front();
  bench.state->selection().choosePress(press.number);
  bench.settle();
  QCOMPARE(spread->curve(), shared);  // another press needs no new curve
  const auto& tiles = spread->images()->tiles();
  QCOMPARE(tiles.size(), std::size_t(4));
  const auto brightest = [](const ImageTile& tile) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < tile.values.size(); ++i)
      if (std::isnan(tile.values[best]) || tile.values[i] > tile.values[best]) best = i;
    return best;
  };
  QCOMPARE(brightest(tiles[0]), brightest(tiles[1]));
  int compared = 0;
  for (std::size_t i = 0; i < tiles[2].values.size(); ++i) {
    if (std::isnan(tiles[2].values[i])) continue;  // silent: below its threshold
    ++compared;
    QCOMPARE(tiles[2].values[i], tiles[0].values[i] - tiles[1].values[i]);
    QVERIFY(std::abs(tiles[2].values[i]) < 0.02);
  }
  QVERIFY(compared >= 5);
  const auto words = spread->images()->describe(spread->images()->box(0).center());
  QVERIFY2(words.startsWith(QLatin1String("measured, row")), qPrintable(words));
  QVERIFY(spread->alternatives()->model()->rowCount() >= 2);
  QCOMPARE(spread->correlation()->correlations().paths.size(), std::size_t(4));
  // One axis alone, by the keys.
  auto* slice = fitPart<ResidualPlot>(bench, "psfSlice");
  const auto both = slice->asTable().rows.size();
  for (auto* button : spread->findChildren<QToolButton*>())
    if (button->text() == QLatin1String("x")) {
      button->setFocus(Qt::TabFocusReason);
      QTest::keyClick(button, Qt::Key_Space);
    }
  QVERIFY(slice->asTable().rows.size() < both);
  slice->setFocus(Qt::TabFocusReason);
  QTest::keyClick(slice, Qt::Key_Return);
  QVERIFY(slice->hovered().has_value());

  chooseStage(bench, "hydroelastic");
  auto* field = qobject_cast<HydroPlot*>(fitPage(bench)->stagePlot());
  QVERIFY(field != nullptr && field->curve() != nullptr);
  QCOMPARE(field->curve()->presses.size(), std::size_t(3));  // but for the first, into new rubber
  QVERIFY(field->plot()->emptyText().isEmpty());
  QVERIFY(field->curve()->spread.has_value());
  QVERIFY(field->radius()->asTable().rows.size() > 50U);
  QVERIFY(bench.state->model()->hydroelastic.receptive_radius.value.has_value());
}

void FitDynamicsTest::recordingsWithoutSlidesOrHoldsSayWhatToRecord() {
  Bench bench;
  openAndFit(bench);
  for (const auto& [stage, plot, words] : {std::tuple{"friction", "stribeckCurve", "P9"},
                                           {"relaxation", "relaxationCurve", "P6"},
                                           {"damping", "dampingCurve", "P5"},
                                           {"psf", "psfSlice", "Press harder"},
                                           {"hydroelastic", "hydroCurve", "ball"}}) {
    chooseStage(bench, stage);
    const auto* view = fitPart<ResidualPlot>(bench, plot);
    QVERIFY2(view->emptyText().contains(QLatin1String(words)), qPrintable(view->emptyText()));
  }
}

void FitDynamicsTest::correlationsAreTheCovariancesOverTheirRoots() {
  SensorModel model;
  model.covariance.push_back({{"friction.contact.mu_s", "friction.contact.v_s"}, {4, -3, 9}});
  const auto found = correlationsOf(model, "friction.");
  QCOMPARE(found.paths.size(), std::size_t(2));
  QCOMPARE(found.rho[0][0], 1.0);
  QCOMPARE(found.rho[0][1], -0.5);  // -3 / (2 x 3)
  QCOMPARE(found.rho[1][0], -0.5);
  QVERIFY(correlationsOf(model, "psf.").empty());
}

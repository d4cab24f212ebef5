#include "tests/app_gui/compare_support.hpp"

#include <fstream>

#include "app/workflow/synth_session.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::gui::test {
namespace {

constexpr const char* kShapes = R"({
  "format": "tactelier/protocol", "version": 1, "name": "shapes", "max_minutes": 60,
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [
    {"do": "zero", "time_s": 3},
    {"do": "images", "rz_deg": [0, 45], "masses_g": [500], "repeats": 2, "dwell_s": 2,
     "indenters": [{"id": "bar", "shape": "edge", "length_mm": 14, "width_mm": 3}]},
    {"do": "zero", "time_s": 3}]})";

std::unique_ptr<CompareSample> makeSample() {
  auto made = std::make_unique<CompareSample>();
  const std::filesystem::path folder = made->folder.path().toStdString();
  std::ofstream(folder / "shapes.json") << kShapes;
  SynthRequest synth;
  synth.protocol = (folder / "shapes.json").string();
  synth.seed = 7;
  synth.target = folder / "shapes.tact";
  const auto done = synth_session(synth, {});
  if (!done) qFatal("%s", done.error().message.c_str());
  made->recording = QString::fromStdString(done->recording.string());
  made->model = QString::fromStdString(done->truth.string());
  return made;
}

}  // namespace

CompareSample& compareSample() {
  static const auto made = makeSample();
  return *made;
}

ComparePage* comparePage(const Bench& bench) {
  return qobject_cast<ComparePage*>(bench.window->page(QStringLiteral("compare")));
}

void openCompareSample(const Bench& bench) {
  bench.window->showPage(QStringLiteral("compare"));
  bench.state->open(compareSample().recording);
  bench.settle();
  bench.state->open(compareSample().model);
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("compare"));
  QVERIFY2(comparePage(bench)->runner().result() != nullptr,
           qPrintable(comparePage(bench)->runner().problem()));
}

QStringList printedBy(const QStringList& arguments) {
  QProcess program;
  program.start(QString::fromStdString(paths::cli()), arguments);
  if (!program.waitForFinished(120000) || program.exitCode() != 0)
    qFatal("tactelier compare: %s", program.readAllStandardError().constData());
  QStringList lines;
  for (const auto& line : QString::fromUtf8(program.readAllStandardOutput()).split('\n'))
    lines << line.simplified();
  return lines;
}

QToolButton* choice(const Bench& bench, const char* segmented, const QString& words) {
  for (auto* button : part<QWidget>(bench, segmented)->findChildren<QToolButton*>())
    if (button->text() == words) return button;
  qFatal("no such choice");
}

void clickChoice(const Bench& bench, const char* segmented, const QString& words) {
  QTest::mouseClick(choice(bench, segmented, words), Qt::LeftButton);
}

void clickBox(const Bench& bench, const char* name) {
  auto* box = part<QCheckBox>(bench, name);
  QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
}

QString said(const Bench& bench, const char* label) { return part<QLabel>(bench, label)->text(); }

TactileMapView* map(const Bench& bench, const char* name) {
  return part<TactileMapView>(bench, name);
}

}  // namespace tactelier::gui::test

#include "tests/app_gui/chain_test.hpp"

#include <QtTest>

#include "app/gui/item_models/format_model.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/paths/paths.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::part;

namespace {

void commandLine(const Bench& bench, const QStringList& arguments) {
  QProcess program;
  program.setWorkingDirectory(bench.folder.path());
  program.start(QString::fromStdString(paths::cli()), arguments);
  if (!program.waitForFinished(120000) || program.exitCode() != 0)
    qFatal("tactelier %s: %s", qPrintable(arguments.join(' ')),
           program.readAllStandardError().constData());
}

/// Without the line that tells when it was fitted.
QByteArray undated(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return "cannot be read";
  QByteArray text;
  for (const auto& line : file.readAll().split('\n'))
    if (!line.contains("\"created\":")) text += line + '\n';
  return text;
}

}  // namespace

void ChainTest::theExampleIsOpenedLookedAtFittedAndExported() {
  Bench bench;
  auto* window = bench.window.get();
  // Open.
  QTest::mouseClick(part<QWidget>(bench, "openExample"), Qt::LeftButton);
  bench.settle();
  QCOMPARE(bench.window->currentPage(), QStringLiteral("recording"));
  auto* document = bench.state->recording();
  const auto recording = document->recording()->path();
  // Look: the third press, its image under the cursor.
  auto* presses = part<QTableView>(bench, "pressTable");
  presses->setFocus();
  QTest::keyClick(presses, Qt::Key_Down);
  QTest::keyClick(presses, Qt::Key_Down);
  bench.settle();
  const int third = document->presses()[2].number;
  QCOMPARE(bench.state->selection().press().value_or(-1), third);
  auto* map = part<TactileMapView>(bench, "tactileMap");
  QCOMPARE(map->values().size(), 2U);  // both ends of the strip
  QTest::mouseMove(map, map->cell(1).center().toPoint());
  QTRY_VERIFY(part<QLabel>(bench, "tactelReadout")->text().contains(QStringLiteral("Tactel 1")));
  // Exclude.
  QTest::keyClick(presses, Qt::Key_X);
  QVERIFY(document->press(third)->excluded);
  // Fit.
  QTest::keyClick(window, Qt::Key_R, Qt::ControlModifier);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("fit"));
  bench.settle();
  QVERIFY(bench.state->model() != nullptr);
  QVERIFY(!bench.state->modelDocument().outdated());
  // Export.
  QTest::keyClick(window, Qt::Key_E, Qt::ControlModifier);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("export"));
  bench.settle();
  auto* formats = part<QListView>(bench, "formatList");
  QTest::keyClick(formats, Qt::Key_Home);
  QCOMPARE(formats->currentIndex().data(FormatModel::kIdRole).toString(), QStringLiteral("json"));
  QTest::keyClick(window, Qt::Key_E, Qt::ControlModifier);
  const auto proposed = QFileInfo(recording).completeBaseName() + QStringLiteral(".json");
  const auto exported = QFileInfo(recording).absolutePath() + '/' + proposed;
  gui::test::acceptSaveDialog(bench, proposed);
  bench.settle();
  QVERIFY(QFileInfo::exists(exported));
  // The command line comes to the same file from the same recording.
  commandLine(bench, {"fit", recording, "-o", "fit.json"});
  commandLine(bench, {"export", "fit.json", "--to", "json", "-o", "cli.json"});
  QCOMPARE(undated(exported), undated(bench.folder.filePath("cli.json")));
  // One of the 41 presses was left out.
  QVERIFY(undated(exported).contains("\"presses_usable\": 40"));
}

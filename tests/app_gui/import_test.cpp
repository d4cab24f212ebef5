#include "tests/app_gui/import_test.hpp"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QtTest>
#include <cmath>

#include "app/gui/pages/import/import_plot.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/page.hpp"
#include "app/gui/widgets/vertical_scroll.hpp"
#include "tests/app_gui/dialogs.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::part;

namespace {

/// A cell of 100 + 500 counts/N, pressed three times in 30 s, 50 rows a second; noise of a count.
QString makeTable(const Bench& bench, const char* name = "cell.csv") {
  const auto path = bench.folder.filePath(QLatin1String(name));
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) qFatal("no table");
  file.write("t_s,Fz_N,s0\n");
  for (int i = 0; i < 1500; ++i) {
    const double in_press = i % 500 - 150;
    const double force =
        in_press > 0 && in_press < 200 ? 2.0 * std::sin(3.14159265358979 * in_press / 200) : 0;
    const int noise = (i * 7) % 3 - 1;
    file.write(QByteArray::number(i / 50.0, 'f', 2) + ',' +
               QByteArray::number(force + 0.002 * noise, 'f', 4) + ',' +
               QByteArray::number(std::lround(100 + 500 * force) + noise) + '\n');
  }
  return path;
}

/// The window's answer to a drop, without a drag across the screen.
struct Droppable : MainWindow {
  using MainWindow::dropEvent;
};

/// The page once it has looked at the table.
struct Looked {
  explicit Looked(Bench& of) : bench(of), table(makeTable(of)) {
    bench.state->open(table);
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(bench.state->jobs().busy() || ready(), 20'000);
    bench.settle();
  }
  bool ready() { return !words("importMessages").isEmpty(); }
  QString words(const char* name) { return part<QLabel>(bench, name)->text(); }
  QPushButton* now() { return part<QPushButton>(bench, "importNow"); }
  QString map() { return part<QPlainTextEdit>(bench, "importMap")->toPlainText(); }
  QString cell(const QString& column, int what) {
    auto* columns = part<QTableWidget>(bench, "importColumns");
    for (int row = 0; row < columns->rowCount(); ++row)
      if (columns->item(row, 0)->text() == column) return columns->item(row, what)->text();
    return {};
  }
  Bench& bench;
  QString table;
};

}  // namespace

void ImportTest::aDroppedTableIsUnderstoodAskedAboutImportedAndFitted() {
  Bench bench;
  const auto table = makeTable(bench);
  QMimeData dropped;
  dropped.setUrls({QUrl::fromLocalFile(table)});
  QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
  const auto dropped_on = &Droppable::dropEvent;
  (bench.window.get()->*dropped_on)(&drop);
  QCOMPARE(bench.window->currentPage(), QStringLiteral("import"));
  bench.settle();
  Looked at(bench);
  QCOMPARE(at.cell(QStringLiteral("t_s"), 1), QStringLiteral("t"));
  QCOMPARE(at.cell(QStringLiteral("Fz_N"), 1), QStringLiteral("force"));
  QCOMPARE(at.cell(QStringLiteral("Fz_N"), 2), QStringLiteral("N"));
  QVERIFY(at.cell(QStringLiteral("s0"), 3).startsWith(QStringLiteral("99  100  101")));
  // What the import itself found is shaded.
  auto* force = part<ImportPlot>(bench, "importForce");
  QVERIFY2(force->accessibleDescription().startsWith(QStringLiteral("3 × press")),
           qPrintable(force->accessibleDescription()));
  QVERIFY(force->shaded() >= 3);
  QVERIFY(force->asTable().rows.size() > 500);
  QVERIFY(part<ImportPlot>(bench, "importReadings")->asTable().rows.size() > 500);
  auto* indenter = part<QLineEdit>(bench, "answer_indenter");
  QTest::mouseClick(indenter, Qt::LeftButton);
  QTest::keyClicks(indenter, QStringLiteral("cylinder 5"));
  QTRY_VERIFY_WITH_TIMEOUT(at.map().contains(QStringLiteral("cylinder")), 20'000);
  bench.settle();
  bench.window->actions().copyAsCommand->trigger();
  QVERIFY2(QApplication::clipboard()->text().contains(
               QStringLiteral("cell.csv --guess --indenter 'cylinder 5' --map ")),
           qPrintable(QApplication::clipboard()->text()));
  QVERIFY(!QFile::exists(bench.folder.filePath(QStringLiteral("cell.map.json"))));
  QTest::mouseClick(at.now(), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(bench.window->currentPage(), QStringLiteral("fit"), 60'000);
  bench.settle();
  QFile map(bench.folder.filePath(QStringLiteral("cell.map.json")));
  QVERIFY(map.open(QIODevice::ReadOnly));
  QCOMPARE(QString::fromUtf8(map.readAll()), at.map());
  QVERIFY(QFile::exists(bench.folder.filePath(QStringLiteral("cell.tact"))));
  const auto& model = bench.state->model();
  QVERIFY(model != nullptr);
  // 500 counts per newton.
  const auto& gain = model->response.tactels.at(0).press_gain;
  QVERIFY(gain.value.has_value());
  QVERIFY2(std::abs(*gain.value - 0.002) < 0.02 * 0.002, qPrintable(QString::number(*gain.value)));
}

void ImportTest::theSameByKeysAlone() {
  Bench bench;
  Looked at(bench);
  bench.window->showPage(QStringLiteral("import"));
  auto* field = qobject_cast<QLineEdit*>(bench.window->focusWidget());
  QVERIFY(field != nullptr);  // the first question
  QVERIFY(field->objectName().startsWith(QStringLiteral("answer_")));
  at.now()->setFocus();
  QTest::keyClick(bench.window->focusWidget(), Qt::Key_Space);
  QTRY_COMPARE_WITH_TIMEOUT(bench.window->currentPage(), QStringLiteral("fit"), 60'000);
  bench.settle();
  QVERIFY(bench.state->model() != nullptr);
}

void ImportTest::aMapThatIsEditedIsTriedAtOnceAndSaysWhatIsWrong() {
  Bench bench;
  Looked at(bench);
  auto* map = part<QPlainTextEdit>(bench, "importMap");
  const auto guessed = at.map();
  auto wrong = guessed;
  map->setPlainText(wrong.replace(QStringLiteral("\"Fz_N\""), QStringLiteral("\"Fy\"")));
  QTRY_VERIFY_WITH_TIMEOUT(at.words("importMessages").startsWith(QStringLiteral("■")), 20'000);
  QVERIFY2(at.words("importMessages").contains(QStringLiteral("Fy")),
           qPrintable(at.words("importMessages")));
  QVERIFY(!at.now()->isEnabled());
  QCOMPARE(part<ImportPlot>(bench, "importForce")->emptyText(),
           QStringLiteral("Nothing to draw before the map is right."));
  map->setPlainText(guessed);
  QTRY_VERIFY_WITH_TIMEOUT(at.now()->isEnabled(), 20'000);
}

void ImportTest::whatAColumnIsIsPickedInTheTableByMouseAndKey() {
  Bench bench;
  Looked at(bench);
  bench.window->showPage(QStringLiteral("import"));
  auto* columns = part<QTableWidget>(bench, "importColumns");
  const auto row_of = [&](const QString& name) {
    for (int row = 0; row < columns->rowCount(); ++row)
      if (columns->item(row, 0)->text() == name) return row;
    return -1;
  };
  // By mouse: the unit of the force, from its list.
  const int force = row_of(QStringLiteral("Fz_N"));
  QTest::mouseClick(columns->viewport(), Qt::LeftButton, {},
                    columns->visualItemRect(columns->item(force, 2)).center());
  auto* list = columns->findChild<QComboBox*>(QStringLiteral("importPick"));
  QVERIFY(list != nullptr);
  QVERIFY(list->findText(QStringLiteral("mN")) >= 0);
  list->setCurrentIndex(list->findText(QStringLiteral("mN")));
  emit list->activated(list->currentIndex());
  QVERIFY2(at.map().contains(QStringLiteral("\"Fz_N\": \"mN\"")), qPrintable(at.map()));
  QTRY_VERIFY_WITH_TIMEOUT(at.words("importMessages").contains(QStringLiteral("is called N")),
                           20'000);
  // By keys: the reading is ignored, and nothing is left to import but the force.
  const int reading = row_of(QStringLiteral("s0"));
  columns->setFocus();
  columns->setCurrentCell(reading, 1);
  QTest::keyClick(columns, Qt::Key_F2);
  auto* editor = columns->findChild<QComboBox*>(QStringLiteral("importPick"));
  QVERIFY(editor != nullptr);
  editor->lineEdit()->selectAll();
  QTest::keyClicks(editor->lineEdit(), QStringLiteral("ignore"));
  QTest::keyClick(editor->lineEdit(), Qt::Key_Return);
  QVERIFY2(at.map().contains(QStringLiteral("\"s0\": \"ignore\"")), qPrintable(at.map()));
  QCOMPARE(at.cell(QStringLiteral("s0"), 1), QStringLiteral("ignore"));
  bench.settle();
}

void ImportTest::filesThatAreThereAreNotReplacedUnasked() {
  Bench bench;
  QFile there(bench.folder.filePath(QStringLiteral("cell.map.json")));
  QVERIFY(there.open(QIODevice::WriteOnly));
  there.write("mine");
  there.close();
  Looked at(bench);
  QTest::mouseClick(at.now(), Qt::LeftButton);
  QVERIFY2(at.words("importMessages").contains(QStringLiteral("cell.map.json is there already")),
           qPrintable(at.words("importMessages")));
  QVERIFY(there.open(QIODevice::ReadOnly));
  QCOMPARE(there.readAll(), QByteArray("mine"));
  there.close();
  QVERIFY(!QFile::exists(bench.folder.filePath(QStringLiteral("cell.tact"))));
  QTest::mouseClick(part<QCheckBox>(bench, "importReplace"), Qt::LeftButton, {}, QPoint(8, 8));
  QTest::mouseClick(at.now(), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(bench.window->currentPage(), QStringLiteral("fit"), 60'000);
  QVERIFY(there.open(QIODevice::ReadOnly));
  QVERIFY(there.readAll().startsWith("{"));
  bench.settle();
}

void ImportTest::aFileThatIsNoTableSaysSo() {
  Bench bench;
  const auto path = bench.folder.filePath(QStringLiteral("prose.txt"));
  QFile prose(path);
  QVERIFY(prose.open(QIODevice::WriteOnly));
  prose.write("There is no number in it.\nNor here.\n");
  prose.close();
  bench.state->open(path);
  bench.settle();
  QVERIFY(part<QLabel>(bench, "importMessages")->text().startsWith(QStringLiteral("■")));
  QVERIFY(!part<QPushButton>(bench, "importNow")->isEnabled());
}

void ImportTest::largeTextInASmallWindowIsNotCutOff() {
  Bench bench;
  bench.window->resize(1024, 700);
  theme().setScale(1.5);
  const auto restore = qScopeGuard([] { theme().setScale(1); });
  Looked at(bench);
  auto* files = part<QLineEdit>(bench, "importTarget");
  const auto* area = bench.window->page(QStringLiteral("import"))->findChild<VerticalScroll*>();
  QVERIFY(area->isAncestorOf(files));
  QTRY_COMPARE(area->widget()->width(), area->viewport()->width());
}

#include "tests/app_gui/report_test.hpp"

#include <QtTest>

#include "app/gui/pages/report/page_preview.hpp"
#include "app/gui/state/actions.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/support.hpp"
#include "tests/paths/paths.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::part;

namespace {

QString openModelOnReport(Bench& bench) {
  const auto file = bench.folder.filePath(QStringLiteral("pad_model.json"));
  if (!write_model(gui::test::fittedModel(bench), file.toStdString()))
    qFatal("cannot write the model");
  bench.state->open(file);
  bench.settle();
  bench.window->showPage(QStringLiteral("report"));
  bench.settle();
  return file;
}

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

}  // namespace

void ReportTest::withoutAModelThePageSaysWhatToDo() {
  Bench bench;
  bench.window->showPage(QStringLiteral("report"));
  auto* words = part<QLabel>(bench, "reportEmpty");
  QVERIFY(words->isVisible());
  QVERIFY(words->text().contains(QStringLiteral("open a sensor model")));
  QVERIFY(!part<QPushButton>(bench, "savePdf")->isVisible());
  bench.window->actions().copyAsCommand->trigger();
  QCOMPARE(part<QLabel>(bench, "statusText")->text(),
           QStringLiteral("There is no model to report."));
}

void ReportTest::afterAFitTheReportIsOneKeyAway() {
  Bench bench;
  bench.state->open(gui::test::makeRecording(bench.folder.path(), QStringLiteral("fitted.tact")));
  bench.settle();
  QTest::keyClick(bench.window.get(), Qt::Key_R, Qt::ControlModifier);
  bench.settle();
  QVERIFY(bench.state->model() != nullptr);
  bench.window->showPage(QStringLiteral("fit"));
  bench.settle();
  QTest::keyClick(bench.window.get(), Qt::Key_P, Qt::ControlModifier);
  bench.settle();
  const auto* preview = part<PagePreview>(bench, "pagePreview");
  QVERIFY(preview->isVisible());
  QVERIFY(preview->pages() > 2);
  QVERIFY2(preview->accessibleDescription().contains(QStringLiteral("tactels are calibrated")),
           qPrintable(preview->accessibleDescription()));
}

void ReportTest::whatIsSavedIsWhatTheCommandLineWrites_data() {
  QTest::addColumn<QString>("button");
  QTest::addColumn<QString>("suffix");
  QTest::addRow("PDF") << "savePdf"
                       << "pdf";
  QTest::addRow("HTML") << "saveHtml"
                        << "html";
}

void ReportTest::whatIsSavedIsWhatTheCommandLineWrites() {
  QFETCH(QString, button);
  QFETCH(QString, suffix);
  Bench bench;
  openModelOnReport(bench);
  QTest::mouseClick(part<QPushButton>(bench, button.toLatin1().constData()), Qt::LeftButton);
  gui::test::acceptSaveDialog(bench, QStringLiteral("mine"));  // the suffix is added
  bench.settle();
  const auto mine = bench.folder.filePath(QStringLiteral("mine.") + suffix);
  bench.window->actions().copyAsCommand->trigger();
  auto words = QProcess::splitCommand(QGuiApplication::clipboard()->text());
  QCOMPARE(words.takeFirst(), QStringLiteral("tactelier"));
  const auto theirs = bench.folder.filePath(QStringLiteral("theirs.") + suffix);
  words[words.indexOf(QStringLiteral("-o")) + 1] = theirs;
  QProcess program;
  program.start(QString::fromStdString(paths::cli()), words);
  QVERIFY(program.waitForFinished());
  QVERIFY2(program.exitCode() == 0, program.readAllStandardError().constData());
  QVERIFY(bytesOf(mine).size() > 1000);
  QCOMPARE(bytesOf(mine), bytesOf(theirs));
}

void ReportTest::anEarlierModelIsAddedAndLeftOut() {
  Bench bench;
  openModelOnReport(bench);
  auto earlier = *bench.state->model();
  earlier.created = "2026-01-05T10:00:00Z";
  const auto file = bench.folder.filePath(QStringLiteral("january.json"));
  QVERIFY(write_model(earlier, file.toStdString()));
  auto* button = part<QPushButton>(bench, "reportBeside");
  QTimer::singleShot(0, bench.window.get(), [&] {
    auto* menu = button->menu();
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
  });
  button->showMenu();
  gui::test::acceptOpenDialog(bench, "besideDialog", file);
  bench.settle();
  QCOMPARE(button->text(), QStringLiteral("Beside it: 1 file"));
  const auto* preview = part<PagePreview>(bench, "pagePreview");
  const auto pages = preview->pages();
  bench.window->actions().copyAsCommand->trigger();
  QVERIFY(QGuiApplication::clipboard()->text().contains(file));
  QTimer::singleShot(0, bench.window.get(), [&] {
    auto* menu = button->menu();
    QCOMPARE(menu->actions().last()->text(), QStringLiteral("Leave out january.json"));
    QTest::keyClick(menu, Qt::Key_Up);
    QTest::keyClick(menu, Qt::Key_Return);
  });
  button->showMenu();
  bench.settle();
  QCOMPARE(button->text(), QStringLiteral("Beside it…"));
  QVERIFY(preview->pages() < pages);
}

void ReportTest::pagesAreTurnedByKeysAndSpoken() {
  Bench bench;
  openModelOnReport(bench);
  auto* preview = part<PagePreview>(bench, "pagePreview");
  preview->setFocus();
  QTest::keyClick(preview, Qt::Key_PageDown);
  QCOMPARE(preview->page(), 1);
  QVERIFY(preview->accessibleName().startsWith(QStringLiteral("Page 2 of ")));
  QCOMPARE(part<QLabel>(bench, "reportPage")->text(), preview->accessibleName());
  QTest::keyClick(preview, Qt::Key_End);
  QCOMPARE(preview->page(), preview->pages() - 1);
  QVERIFY(preview->accessibleDescription().contains(QStringLiteral("SHA-256")));
  QTest::keyClick(preview, Qt::Key_Home);
  QCOMPARE(preview->page(), 0);
}

void ReportTest::thePagesArePrinted() {
  Bench bench;
  openModelOnReport(bench);
  const int pages = part<PagePreview>(bench, "pagePreview")->pages();
  QVERIFY(pages > 2);
  auto* print = part<QPushButton>(bench, "printReport");
  QVERIFY(print->isEnabled());
  print->setFocus();
  QTest::keyClick(print, Qt::Key_Space);
  const auto paper = bench.folder.filePath(QStringLiteral("paper.pdf"));
  gui::test::printInto(bench, paper);
  bench.settle();
  QCOMPARE(part<QLabel>(bench, "statusText")->text(), QStringLiteral("The report is printed."));
  const auto printed = bytesOf(paper);
  QVERIFY(printed.startsWith("%PDF"));
  static const QRegularExpression page(QStringLiteral("/Type\\s*/Page\\b(?!s)"));
  QCOMPARE(QString::fromLatin1(printed).count(page), pages);
}

void ReportTest::aPageAsWideAsFitsIsMovedAlong() {
  Bench bench;
  openModelOnReport(bench);
  auto* preview = part<PagePreview>(bench, "pagePreview");
  preview->setFocus();
  QTest::keyClick(preview, Qt::Key_Down);
  QCOMPARE(preview->page(), 1);  // a whole page: there is nothing to move along
  QTest::keyClick(preview, Qt::Key_Home);
  QTest::mouseClick(part<QToolButton>(bench, "reportWide"), Qt::LeftButton);
  preview->setFocus();
  const auto top = preview->grab().toImage();
  QTest::keyClick(preview, Qt::Key_Down);
  QCOMPARE(preview->page(), 0);
  QVERIFY(preview->grab().toImage() != top);
  QTest::keyClick(preview, Qt::Key_Up);
  QCOMPARE(preview->grab().toImage(), top);
  constexpr int kEnough = 100;  // keys to the end of a page
  for (int i = 0; i < kEnough && preview->page() == 0; ++i) QTest::keyClick(preview, Qt::Key_Down);
  QCOMPARE(preview->page(), 1);
}

#include "tests/app_gui/compare_export_test.hpp"

#include <QClipboard>
#include <QMenu>
#include <cmath>
#include <functional>

#include "app/gui/pages/compare/image_triptych.hpp"
#include "tests/app_gui/compare_support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using namespace tactelier::gui::test;

namespace {

/// Opens the menu with the mouse; it is there until `then` has closed it.
void openMenu(const Bench& bench, const std::function<void(QMenu*)>& then) {
  auto* button = part<QPushButton>(bench, "compareSave");
  auto* menu = button->menu();
  QObject::connect(
      menu, &QMenu::aboutToShow, menu, [menu, then] { then(menu); },
      static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(!menu->isVisible());
}

void clickEntry(QMenu* menu, QAction* entry) {
  QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(entry).center());
}

void chooseEntry(const Bench& bench, const char* name) {
  openMenu(bench, [&](QMenu* menu) { clickEntry(menu, part<QAction>(bench, name)); });
}

QByteArray fileAt(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString saved(const Bench& bench, const char* entry, const QString& name) {
  chooseEntry(bench, entry);
  acceptSaveDialog(bench, name);
  bench.settle();
  return compareSample().folder.filePath(name);
}

}  // namespace

void CompareExportTest::withoutAComparisonNothingIsSaved() {
  Bench bench;
  bench.window->showPage(QStringLiteral("compare"));
  for (const char* name :
       {"compareCopyImage", "compareSaveImages", "compareSaveFigures", "compareSaveByImage"})
    QVERIFY(!part<QAction>(bench, name)->isEnabled());
}

void CompareExportTest::theImagesAreCopied() {
  Bench bench;
  openCompareSample(bench);
  QGuiApplication::clipboard()->clear();
  chooseEntry(bench, "compareCopyImage");
  const auto counts = QGuiApplication::clipboard()->image();
  QVERIFY(counts.width() > 2 * part<ImageTriptych>(bench, "compareTriptych")->width());
  clickChoice(bench, "compareUnit", QStringLiteral("Newtons"));
  openMenu(bench, [&](QMenu* menu) {
    const auto* copy = part<QAction>(bench, "compareCopyImage");
    for (int i = 0; i < menu->actions().size() && menu->activeAction() != copy; ++i)
      QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
  });
  const auto newtons = QGuiApplication::clipboard()->image();
  QCOMPARE(newtons.size(), counts.size());
  QVERIFY(newtons != counts);
}

void CompareExportTest::imagesAreSavedAsWhatTheNameSays() {
  Bench bench;
  openCompareSample(bench);
  const auto png = saved(bench, "compareSaveImages", QStringLiteral("three.png"));
  QVERIFY(QImage(png).width() > 2 * part<ImageTriptych>(bench, "compareTriptych")->width());
  const auto pdf = fileAt(saved(bench, "compareSaveImages", QStringLiteral("three.pdf")));
  QVERIFY(pdf.startsWith("%PDF"));
  QVERIFY(!pdf.contains("DCTDecode"));  // JPEG keeps no colour of 6 x 14 pixels
  const auto svg = fileAt(saved(bench, "compareSaveImages", QStringLiteral("three.svg")));
  QVERIFY(svg.contains("<svg") && svg.contains("Image 1 of 4"));
}

void CompareExportTest::numbersByTactelAreThoseThatAreShown() {
  Bench bench;
  openCompareSample(bench);
  clickChoice(bench, "compareUnit", QStringLiteral("Newtons"));
  const auto rows =
      QString::fromUtf8(fileAt(saved(bench, "compareSaveImages", QStringLiteral("three.csv"))))
          .split(u'\n', Qt::SkipEmptyParts);
  QCOMPARE(rows.size(), 85);
  QCOMPARE(rows[0], QStringLiteral("tactel,row,column,x_mm,y_mm,real_N,simulated_N,difference_N"));
  int forces = 0;
  for (int tactel = 0; tactel < 84; ++tactel) {
    const auto cells = rows[tactel + 1].split(u',');
    const double value = map(bench, "compareReal")->values()[static_cast<std::size_t>(tactel)];
    QCOMPARE(cells[5].isEmpty(), std::isnan(value));
    if (std::isnan(value)) continue;
    QVERIFY(std::abs(cells[5].toDouble() - value) < 1e-6);
    ++forces;
  }
  QVERIFY(forces > 4);
  QVERIFY(rows[39].startsWith(QStringLiteral("38,6,2,-1.7,-1.7,")));
}

void CompareExportTest::figuresAreSavedAsATable() {
  Bench bench;
  openCompareSample(bench);
  const auto medians =
      QString::fromUtf8(fileAt(saved(bench, "compareSaveFigures", QStringLiteral("figures.csv"))));
  const auto& content = comparePage(bench)->runner().result()->content;
  int found = 0;
  for (const auto& row : content.methods.front().second.rows) {
    const auto begin = QString::fromStdString("psf,all,," + row[0] + ',' + row[1] + ',');
    QVERIFY2(medians.contains(begin), qPrintable(begin));
    ++found;
  }
  QVERIFY(found > 8);
  const auto images =
      QString::fromUtf8(fileAt(saved(bench, "compareSaveByImage", QStringLiteral("by-image.csv"))));
  QCOMPARE(images.count(u'\n'), 5);
  QVERIFY(images.contains(QStringLiteral("rel_l1 [%]")));
}

void CompareExportTest::theCopiedCommandPrintsWhatThePageShows() {
  Bench bench;
  openCompareSample(bench);
  clickBox(bench, "method_soft-contact");
  bench.settle();
  openMenu(bench, [](QMenu* menu) { clickEntry(menu, menu->actions().last()); });
  auto words = QGuiApplication::clipboard()->text().split(u' ');
  QCOMPARE(words.takeFirst(), QStringLiteral("tactelier"));
  const auto printed = printedBy(words);
  const auto headlines = said(bench, "compareHeadline").split(u'\n');
  QCOMPARE(headlines.size(), 2);
  for (const auto& headline : headlines) QVERIFY(printed.contains(headline.simplified()));
}

#include "tests/app_gui/models_test.hpp"

#include <QtTest>

#include "app/gui/item_models/fleet_model.hpp"
#include "app/gui/item_models/library_model.hpp"
#include "app/gui/item_models/press_model.hpp"
#include "app/gui/text/figure_words.hpp"
#include "tests/app_gui/support.hpp"

using namespace tactelier;
using namespace tactelier::gui;

namespace {

struct Opened {
  Opened() {
    const auto file = gui::test::makeRecording(folder.path(), QStringLiteral("a.tact"));
    auto recording = Recording::open(file, {});
    if (!recording) qFatal("%s", recording.error().message.c_str());
    document = std::make_unique<RecordingDocument>(std::move(*recording), jobs);
    model.setDocument(document.get());
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!jobs.busy(), 30000); }
  /// What another program reads from the file.
  std::vector<Edit> editsOnDisk() {
    const auto session = Session::open(document->recording()->path().toStdString());
    return session ? session->edits() : std::vector<Edit>{};
  }

  QTemporaryDir folder;
  Jobs jobs;
  std::unique_ptr<RecordingDocument> document;
  PressModel model;
};

}  // namespace

void ModelsTest::thePressModelKeepsTheRulesOfModels() {
  Opened opened;
  const QAbstractItemModelTester tester(&opened.model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
  QCOMPARE(opened.model.rowCount(), 3);
  opened.document->setExcluded(2, true);
  opened.model.refresh(2);
  opened.model.setDocument(nullptr);
  QCOMPARE(opened.model.rowCount(), 0);
}

void ModelsTest::aPressIsExcludedByItsCheckBoxAndComesBackByUndo() {
  Opened opened;
  const auto box = opened.model.index(1, PressModel::kNumber);
  QCOMPARE(box.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
  QVERIFY(opened.model.setData(box, Qt::Unchecked, Qt::CheckStateRole));
  QVERIFY(opened.document->press(2)->excluded);
  QCOMPARE(box.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
  QCOMPARE(opened.document->undoStack()->undoText(), QStringLiteral("exclude press 2"));
  opened.document->undoStack()->undo();
  QVERIFY(!opened.document->press(2)->excluded);
  opened.settle();
}

void ModelsTest::anExclusionIsWrittenToTheFileAsAnEdit() {
  Opened opened;
  opened.document->setExcluded(3, true);
  opened.settle();
  const auto edits = opened.editsOnDisk();
  QCOMPARE(edits.size(), 1U);
  QVERIFY(edits[0].kind == Edit::Kind::kExclude);
  QCOMPARE(edits[0].press, 3);
  QVERIFY(!edits[0].time.empty());
}

void ModelsTest::theUndoOfAnExclusionIsAnEditToo() {
  Opened opened;
  opened.document->setExcluded(3, true);
  opened.document->undoStack()->undo();
  opened.settle();
  const auto edits = opened.editsOnDisk();
  QCOMPARE(edits.size(), 2U);  // nothing is erased
  QVERIFY(edits[1].kind == Edit::Kind::kInclude);
  QCOMPARE(opened.document->usablePresses(), 3);
}

void ModelsTest::aSessionFolderRefusesDecisionsAndSaysWhy() {
  const QTemporaryDir folder;
  Jobs jobs;
  auto recording =
      Recording::open(gui::test::makeSessionFolder(folder.path(), QStringLiteral("monday")), {});
  QVERIFY(recording.has_value());
  RecordingDocument document(std::move(*recording), jobs);
  QString told;
  connect(&document, &RecordingDocument::message, this,
          [&](const Message& message) { told = message.happened + message.todo; });
  document.setExcluded(1, true);
  QVERIFY(!document.press(1)->excluded);
  QVERIFY2(told.contains(QStringLiteral("monday")) && told.contains(QStringLiteral("Import")),
           qPrintable(told));
}

void ModelsTest::theLibraryModelKeepsTheRulesOfModels() {
  const QTemporaryDir folder;
  gui::test::makeRecording(folder.path(), QStringLiteral("a.tact"));
  LibraryModel model;
  LibraryFilter filter;
  filter.setSourceModel(&model);
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
  auto entries = scanLibrary(folder.path(), {});
  QVERIFY(entries.has_value());
  model.setEntries(std::move(*entries));
  QCOMPARE(model.rowCount(), 1);
  filter.setWords(QStringLiteral("nothing"));
  QCOMPARE(filter.rowCount(), 0);
}

void ModelsTest::theLibrarySaysWhatFilesHold() {
  const QTemporaryDir folder;
  gui::test::makeRecording(folder.path(), QStringLiteral("a.tact"));
  gui::test::makeSessionFolder(folder.path(), QStringLiteral("b"));
  QFile other(folder.filePath(QStringLiteral("notes.json")));
  QVERIFY(other.open(QIODevice::WriteOnly));
  other.write("{}");
  QFile broken(folder.filePath(QStringLiteral("c.tact")));
  QVERIFY(broken.open(QIODevice::WriteOnly));
  broken.write("not a database");
  broken.close();
  const auto entries = scanLibrary(folder.path(), {});
  QVERIFY(entries.has_value());
  QCOMPARE(entries->size(), 3U);
  const auto& recording = (*entries)[0];
  QCOMPARE(recording.sensor, QStringLiteral("T-1"));
  QCOMPARE(recording.holds, QStringLiteral("ramp"));
  QCOMPARE(recording.state, QStringLiteral("3 presses"));
  QCOMPARE(recording.thumbnail.size(), QSize(4, 3));
  QVERIFY(std::abs(recording.length_s - 6.0) < 0.02);
  QVERIFY((*entries)[1].kind == LibraryEntry::Kind::kFolder);
  QVERIFY((*entries)[2].look == LibraryEntry::Look::kBad);
}

void ModelsTest::theLibraryFindsFilesByAllWords() {
  const QTemporaryDir folder;
  gui::test::makeRecording(folder.path(), QStringLiteral("monday.tact"));
  gui::test::makeRecording(folder.path(), QStringLiteral("friday.tact"));
  LibraryModel model;
  model.setEntries(*scanLibrary(folder.path(), {}));
  LibraryFilter filter;
  filter.setSourceModel(&model);
  filter.setWords(QStringLiteral("T-1 FRI"));
  QCOMPARE(filter.rowCount(), 1);
  filter.setShow(LibraryFilter::Show::kModels);
  QCOMPARE(filter.rowCount(), 0);
}

void ModelsTest::theFleetModelKeepsTheRulesOfModels() {
  FleetModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
  FleetParameter plain, odd;
  plain.path = "stiffness.k";
  plain.unit = "N/m";
  plain.spread = {2000, 10, 1970, 2030};
  plain.outlier_limit = 3;
  odd = plain;
  odd.path = "timing.latency_s";
  odd.unit = "s";
  odd.spread = {0.002, 0.0001, 0.0017, 0.0023};
  odd.outliers.push_back({"S1", "", 0.004, 20});
  model.setParameters({plain, odd});
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.rowOf("timing.latency_s"), 0);  // what is odd comes first
  QCOMPARE(model.index(0, FleetModel::kMedian).data().toString(), QStringLiteral("2.00 ± 0.30 ms"));
  QCOMPARE(model.index(1, FleetModel::kDrift).data().toString(), QStringLiteral("–"));
  QCOMPARE(model.rowOf("nothing"), -1);
}

void ModelsTest::figuresOfAStageHaveWordsAndUnits() {
  const auto said = [](const char* key, double value) {
    const auto words = figureWords(key, value);
    return words.name + QStringLiteral(": ") + words.value;
  };
  QCOMPARE(said("noise_N", 0.0083), QStringLiteral("Noise: 8.300 mN"));
  QCOMPARE(said("ghosting_percent_std", 0.5),
           QStringLiteral("Ghosting (standard error): 0.5000 %"));
  QCOMPARE(said("surface_rms_um", 2.5), QStringLiteral("Surface rms: 2.500 µm"));
  QCOMPARE(said("latency_unknown_u_ms", 4.5),
           QStringLiteral("Latency unknown (standard uncertainty): 4.500 ms"));
  QCOMPARE(said("side_compliance_u_um_per_N", 0.277),
           QStringLiteral("Side compliance (standard uncertainty): 277.0 nm/N"));
  QCOMPARE(said("presses_used", 25), QStringLiteral("Presses used: 25"));
}

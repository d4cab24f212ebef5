#include "tests/app_gui/work_test.hpp"

#include <sqlite3.h>

#include <QMimeData>
#include <QWindow>
#include <QtTest>
#include <mutex>

#include "app/gui/item_models/library_model.hpp"
#include "app/gui/state/app_state.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/support.hpp"

using namespace tactelier;
using namespace tactelier::gui;
using gui::test::Bench;
using gui::test::part;

namespace {

/// Statements that recordings are read by, apart by thread: every connection that is opened while
/// it lives is listened to.
class Statements {
 public:
  Statements() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(&Statements::listen)); }
  ~Statements() { sqlite3_reset_auto_extension(); }
  Statements(const Statements&) = delete;
  Statements& operator=(const Statements&) = delete;

  static void forget() {
    const std::lock_guard lock(mutex());
    window().clear();
    workers() = 0;
  }
  static QStringList ofTheWindow() {
    const std::lock_guard lock(mutex());
    return window();
  }
  static int ofWorkers() {
    const std::lock_guard lock(mutex());
    return workers();
  }

 private:
  static int listen(sqlite3* file, const char**, const sqlite3_api_routines*) {
    return sqlite3_trace_v2(file, SQLITE_TRACE_STMT, &Statements::note, nullptr);
  }
  static int note(unsigned, void*, void* statement, void*) {
    const std::lock_guard lock(mutex());
    if (QThread::currentThread() == qApp->thread())
      window() << QString::fromUtf8(sqlite3_sql(static_cast<sqlite3_stmt*>(statement)));
    else
      ++workers();
    return 0;
  }
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static QStringList& window() {
    static QStringList one;
    return one;
  }
  static int& workers() {
    static int one = 0;
    return one;
  }
};

/// As the window system hands it over: the widget beneath is asked first.
void drop(const Bench& bench, const QPoint& place, const QString& file) {
  QMimeData files;
  files.setUrls({QUrl::fromLocalFile(file)});
  files.setText(QUrl::fromLocalFile(file).toString());  // as file managers do
  auto* system = bench.window->windowHandle();
  QDragEnterEvent enter(place, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(system, &enter);
  QVERIFY(enter.isAccepted());
  QDragMoveEvent move(place, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  move.accept();  // as the window system sends it once it may enter
  QCoreApplication::sendEvent(system, &move);
  QVERIFY(move.isAccepted());
  QDropEvent event(place, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(system, &event);
  QVERIFY(event.isAccepted());
}

}  // namespace

void WorkTest::filesAreDroppedOnWhateverPageAndWidget_data() {
  QTest::addColumn<QString>("page");
  QTest::addColumn<QString>("onto");  // its middle; "": of the page
  QTest::newRow("Welcome") << "welcome"
                           << "";
  QTest::newRow("Library") << "library"
                           << "";
  QTest::newRow("the Library's table") << "library"
                                       << "libraryTable";
  QTest::newRow("Fit") << "fit"
                       << "";
  QTest::newRow("the Fit page's stages") << "fit"
                                         << "stageTable";
  QTest::newRow("Recording") << "recording"
                             << "";
  QTest::newRow("STOP") << "welcome"
                        << "stopButton";
}

void WorkTest::filesAreDroppedOnWhateverPageAndWidget() {
  QFETCH(QString, page);
  QFETCH(QString, onto);
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("a.tact"));
  bench.window->showPage(page);
  bench.settle();
  const auto* target = onto.isEmpty() ? static_cast<QWidget*>(bench.window->page(page))
                                      : part<QWidget>(bench, onto.toLatin1().constData());
  drop(bench, target->mapTo(bench.window.get(), target->rect().center()), file);
  bench.settle();
  QVERIFY(bench.state->recording() != nullptr);
  QCOMPARE(bench.state->recording()->recording()->path(), file);
}

void WorkTest::noRecordingIsReadInTheThreadOfTheWindow() {
  Bench bench;
  const auto file = gui::test::makeRecording(bench.folder.path(), QStringLiteral("a.tact"));
  const Statements statements;
  Statements::forget();
  bench.state->open(file);
  QVERIFY(bench.state->recording() == nullptr);  // nobody waited
  bench.settle();
  QVERIFY(bench.state->recording() != nullptr);
  for (const char* page : {"recording", "fit", "report", "library"}) {
    bench.window->showPage(QLatin1String(page));
    bench.settle();
  }
  bench.window->showPage(QStringLiteral("recording"));
  for (const auto& press : bench.state->recording()->presses())
    bench.state->selection().choosePress(press.number);
  bench.settle();
  QVERIFY(Statements::ofWorkers() > 20);
  QVERIFY2(Statements::ofTheWindow().isEmpty(), qPrintable(Statements::ofTheWindow().join('\n')));
}

void WorkTest::twoHundredModelsAreListedByWorkers() {
  constexpr int kModels = 200;
  Bench bench;
  auto model = gui::test::fittedModel(bench);
  const auto folder = bench.folder.filePath(QStringLiteral("fleet"));
  QVERIFY(QDir().mkpath(folder));
  for (int i = 0; i < kModels; ++i) {
    model.serial = fmt::format("F{:03}", i);
    const auto file = folder + QStringLiteral("/%1.json").arg(i, 3, 10, QLatin1Char('0'));
    QVERIFY(write_model(model, file.toStdString()));
  }
  bench.state->files().setLibraryFolder(folder);
  bench.window->showPage(QStringLiteral("library"));
  const auto* table = part<QTableView>(bench, "libraryTable");
  QCOMPARE(table->model()->rowCount(), 0);  // nobody waited
  bench.settle();
  QCOMPARE(table->model()->rowCount(), kModels);
}

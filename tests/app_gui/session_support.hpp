#pragma once
// A window whose Session page is connected to a fake rig.

#include <QLabel>
#include <QtTest>

#include "app/gui/frame/safety_bar.hpp"
#include "app/gui/pages/session/record_form.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/widgets/panel.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/fake_rig.hpp"

namespace tactelier::gui::test {

struct AtRig {
  explicit AtRig(const std::string& sensor = "\"weiss-wts0614\"") : fake(sensor) {
    bench.window->showPage(QStringLiteral("session"));
    link().take(fake.connect());
    QTRY_VERIFY(fake.watched());
    fake.frame(0, 0.002);
    QTRY_VERIFY(link().live().has_value());
  }
  RigLink& link() { return *bench.rig; }
  Actions& actions() { return bench.window->actions(); }
  /// Everything asked before has been answered.
  void roundTrip() {
    fake.status.process = ++trips;
    QTRY_COMPARE(link().status().process, trips);
  }
  void key(Qt::Key code, Qt::KeyboardModifiers with = {}) {
    QTest::keyClick(bench.window.get(), code, with);
  }
  QString banner() { return bench.window->safetyBar()->findChild<ModeBanner*>()->accessibleName(); }
  /// All words of the panel that holds it.
  QString coverage() {
    auto* at = bench.window->findChild<QWidget*>(QStringLiteral("coverageMap"));
    while (at != nullptr && qobject_cast<Panel*>(at) == nullptr) at = at->parentWidget();
    QStringList words;
    if (at != nullptr)
      for (const auto* label : at->findChildren<QLabel*>()) words << label->text();
    return words.join(QStringLiteral(" | "));
  }
  void setUp() {
    key(Qt::Key_F4);
    QCOMPARE(link().mode(), Mode::kSetUp);
  }
  /// A run that has begun.
  void record() {
    setUp();
    part<QLineEdit>(bench, "recordFile")
        ->setText(bench.folder.filePath(QStringLiteral("run.tact")));
    form()->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(form()->preview() != nullptr, 20'000);
    fake.frame(0, 0.002);
    QTRY_VERIFY(link().feed().forceFresh());
    key(Qt::Key_F5);
    QCOMPARE(link().mode(), Mode::kArmed);
    key(Qt::Key_F5);
    QTRY_VERIFY(fake.asked("record"));
    QTRY_VERIFY(link().status().task == rig::messages::TaskKind::kRecord);
  }
  RecordForm* form() { return bench.window->findChild<RecordForm*>(); }

  int trips = 0;
  FakeRig fake;
  Bench bench;
};

}  // namespace tactelier::gui::test

#include "tests/app_gui/dialogs.hpp"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QPrintDialog>
#include <QPushButton>

namespace tactelier::gui::test {
namespace {

/// The one that is open; those closed go away with the event loop.
template <class T>
T* visible(const Bench& bench, const char* name) {
  T* found = nullptr;
  const bool open = QTest::qWaitFor([&] {
    for (auto* dialog : bench.window->findChildren<T*>(QLatin1String(name)))
      if (dialog->isVisible()) found = dialog;
    return found != nullptr;
  });
  if (!open) qFatal("%s is not open", name);
  return found;
}

}  // namespace

void acceptSaveDialog(const Bench& bench, const QString& name,
                      const std::function<void()>& before) {
  auto* dialog = visible<QFileDialog>(bench, "saveDialog");
  auto* field = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  QVERIFY(field != nullptr);
  field->selectAll();
  QTest::keyClicks(field, name);
  if (before) before();
  QTest::keyClick(field, Qt::Key_Return);
}

void acceptOpenDialog(const Bench& bench, const char* dialog, const QString& path) {
  auto* open = visible<QFileDialog>(bench, dialog);
  auto* field = open->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  QVERIFY(field != nullptr);
  field->selectAll();
  QTest::keyClicks(field, path);
  QTest::keyClick(field, Qt::Key_Return);
}

void chooseInDialog(const Bench& bench, const char* dialog, const QString& path) {
  auto* open = visible<QFileDialog>(bench, dialog);
  open->selectFile(path);
  auto* buttons = open->findChild<QDialogButtonBox*>();
  QVERIFY(buttons != nullptr);
  QTRY_VERIFY(buttons->button(QDialogButtonBox::Open)->isEnabled());
  QTest::mouseClick(buttons->button(QDialogButtonBox::Open), Qt::LeftButton);
}

void printInto(const Bench& bench, const QString& file) {
  auto* dialog = visible<QPrintDialog>(bench, "printDialog");
  auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("filename"));
  QVERIFY(name != nullptr);
  name->setText(file);
  auto* buttons = dialog->findChild<QDialogButtonBox*>();
  QVERIFY(buttons != nullptr);
  auto* print = buttons->button(QDialogButtonBox::Ok);
  for (auto* button : buttons->buttons())
    if (buttons->buttonRole(button) == QDialogButtonBox::AcceptRole)
      print = qobject_cast<QPushButton*>(button);
  QVERIFY(print != nullptr);
  QTest::mouseClick(print, Qt::LeftButton);
}

void answer(const Bench& bench, const char* question, const char* button, const QString& words) {
  auto* box = visible<QMessageBox>(bench, question);
  auto* choice = box->findChild<QPushButton*>(QLatin1String(button));
  QVERIFY(choice != nullptr);
  QCOMPARE(choice->text(), words);
  QTest::mouseClick(choice, Qt::LeftButton);
}

}  // namespace tactelier::gui::test

#pragma once
// Answers the window's dialogs as a user would, with keys and clicks.

#include <QtTest>
#include <functional>

#include "tests/app_gui/support.hpp"

namespace tactelier::gui::test {

template <class T>
T* part(const Bench& bench, const char* name) {
  auto* found = bench.window->findChild<T*>(QLatin1String(name));
  if (found == nullptr) qFatal("no %s", name);
  return found;
}

/// Types `name` into the open save dialog and presses Enter. `before` runs in between.
void acceptSaveDialog(const Bench& bench, const QString& name,
                      const std::function<void()>& before = {});

/// Types the path into the open dialog of that name and presses Enter.
void acceptOpenDialog(const Bench& bench, const char* dialog, const QString& path);

/// Selects that file in the open dialog of that name and clicks Open.
void chooseInDialog(const Bench& bench, const char* dialog, const QString& path);

/// Takes the open print dialog's PDF file for a printer, and prints.
void printInto(const Bench& bench, const QString& file);

/// Clicks a button of an open question, after checking what it says.
void answer(const Bench& bench, const char* question, const char* button, const QString& words);

}  // namespace tactelier::gui::test

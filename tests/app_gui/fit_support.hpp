#pragma once
// The Fit page of a test's window, its parts and what it says.

#include <QtTest>

#include "app/gui/item_models/result_model.hpp"
#include "app/gui/pages/fit/fit_page.hpp"
#include "app/gui/pages/fit/result_panel.hpp"
#include "tests/app_gui/support.hpp"

namespace tactelier::gui::test {

inline FitPage* fitPage(const Bench& bench) {
  return qobject_cast<FitPage*>(bench.window->page(QStringLiteral("fit")));
}

template <class T>
T* fitPart(const Bench& bench, const char* name) {
  auto* found = fitPage(bench)->findChild<T*>(QLatin1String(name));
  if (found == nullptr) qFatal("no %s", name);
  return found;
}

inline void openSample(const Bench& bench) {
  bench.state->open(makeRecording(bench.folder.path(), QStringLiteral("a.tact")));
  bench.settle();
}

inline void openAndFit(const Bench& bench) {
  openSample(bench);
  bench.window->showPage(QStringLiteral("fit"));  // runs what the data allow
  bench.settle();
  QVERIFY(bench.state->model() != nullptr);
}

/// What the results say of a path, column by column.
inline QString result(const Bench& bench, const char* path, ResultModel::Column column) {
  const auto* model = fitPage(bench)->results()->model();
  const auto at = model->indexOf(QLatin1String(path));
  return at.isValid() ? at.siblingAtColumn(column).data().toString() : QStringLiteral("no row");
}

}  // namespace tactelier::gui::test

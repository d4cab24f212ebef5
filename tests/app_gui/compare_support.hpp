#pragma once
// The Compare page of a test's window: shapes laid on the simulated pad, and the pad itself as the
// model that predicts them.

#include <QCheckBox>
#include <QtTest>
#include <utility>
#include <vector>

#include "app/gui/pages/compare/compare_page.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "tests/app_gui/dialogs.hpp"
#include "tests/app_gui/support.hpp"

namespace tactelier::gui::test {

/// A bar at two angles, each twice; made once.
struct CompareSample {
  QTemporaryDir folder;
  QString recording, model;
};
CompareSample& compareSample();

ComparePage* comparePage(const Bench& bench);
/// With the comparison of the sample done.
void openCompareSample(const Bench& bench);

/// What the command line prints, line by line, one space between words.
QStringList printedBy(const QStringList& arguments);

QToolButton* choice(const Bench& bench, const char* segmented, const QString& words);
void clickChoice(const Bench& bench, const char* segmented, const QString& words);
void clickBox(const Bench& bench, const char* name);
QString said(const Bench& bench, const char* label);
TactileMapView* map(const Bench& bench, const char* name);

}  // namespace tactelier::gui::test

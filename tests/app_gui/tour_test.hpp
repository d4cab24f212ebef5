#pragma once
#include <QObject>

class TourTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void itLeadsThroughTheWholeAppByKeys();
  void stepsGoBackAreSkippedAndEndByKeys();
  void itTakesUnderFiveMinutes();
  void everyControlThatItNamesIsThere();
  void itLeavesARigOfOnesOwnAlone();
  void itsRecordingsAreMadeOnceAndWhole();
};

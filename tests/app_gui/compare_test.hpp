#pragma once
#include <QObject>

class CompareTest : public QObject {
  Q_OBJECT
 private slots:
  void withoutAModelThePageSaysWhatItNeeds();
  void theWindowShowsTheNumbersOfTheCommandLine();
  void sliderKeysAndListChooseTheSameImage();
  void oneCursorGoesThroughAllThreeImages();
  void theProfileIsTheRowOrColumnOfTheCursor();
  void theSimulatedIndenterIsMovedByKeysAndByMouse();
  void aRegisteredComparisonStandsBesideTheOther();
  void aCancelledComparisonStaysCancelledUntilAsked();
  void whatCannotBeComparedSaysWhy();
};

#pragma once
#include <QObject>

class CompareTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void withoutAModelThePageSaysWhatItNeeds();
  void contoursOutlineBothImages();
  void theWindowShowsTheNumbersOfTheCommandLine();
  void sliderKeysAndListChooseTheSameImage();
  void oneCursorGoesThroughAllThreeImages();
  void theProfileIsTheRowOrColumnOfTheCursor();
  void theSimulatedIndenterIsMovedByKeysAndByMouse();
  void realAndSimulatedShareOneScale();
  void whatIsLeftIsRealLessSimulated();
  void aCancelledComparisonStaysCancelledUntilAsked();
  void whatCannotBeComparedSaysWhy();
};

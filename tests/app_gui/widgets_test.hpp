#pragma once
#include <QObject>

class WidgetsTest : public QObject {
  Q_OBJECT
 private slots:
  void anAxisTooShortForItsNameShowsItsUnit();
  void hyphensBeforeNumbersBecomeMinusSigns();
  void decimationKeepsEverySpike();
  void decimationKeepsGaps();
  void rowZeroIsAtTheBottomOfTheMap();
  void aTallArrayInAFlatViewIsTurnedWithItsAxes();
  void theArrowKeysMoveTheTactelCursor();
  void theMapSaysTheValueUnderTheCursor();
  void theMapOfARefreshFramesWhatHasChanged();
  void nothingOfTheMapIsCutOff_data();
  void nothingOfTheMapIsCutOff();
  void aFlowGoesOnOnAnotherLineWhereItsWidthEnds();
  void numbersAreWrittenWithTheirUncertainty();
  void textIsReadableOnItsSurfaceInBothThemes();
  void aJobReportsAndCanBeCancelled();
};

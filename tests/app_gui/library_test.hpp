#pragma once
#include <QObject>

class LibraryTest : public QObject {
  Q_OBJECT
 private slots:
  void aWholeRecordingIsCheckedAndSaysSo();
  void aDamagedCopyIsFoundByTheCheck();
  void aModelTakesOverWhatARecordingShowsOfItsSensor();
  void aFileThatChangedIsNoLongerChecked();
  void aCheckIsCancelledAtItsButton();
  void aRecordingIsUnpackedAndHoldsTheSame();
  void unpackingDamageAndEditsSaysWhatStaysBehind();
  void aModelOffersNoChecksum();
  void wordsNarrowTheListAndCtrlFFocusesThem();
  void aFolderDroppedBecomesTheLibrary();
  void theCommandFitsTheFileSelected();
  void severalRecordingsAreFittedInTheBackground();
  void aFitOfSeveralIsCancelledAtItsButton();
  void theFleetNamesTheOddSensorAndTheDrift();
  void aFleetOfAFewHasNoLimits();
  void whatIsNoCatalogueSaysSo();
  void aRecordingShowsItsForceAndTheModelsMadeOfIt();
};

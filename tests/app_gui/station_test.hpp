#pragma once
#include <QObject>

class StationTest : public QObject {
  Q_OBJECT
 private slots:
  void aSensorGoesFromItsCodeToItsVerdictByKeysAlone();
  void theSameByMouse();
  void aRejectedSensorSaysWhyAndWhatToDo();
  void aScannersSecondLineEndDoesNotSayThatHandsAreOff();
  void whatIsNotExpectedIsSaidAndMovesNothing();
  void aSensorThatCanNotBeMeasuredIsNoVerdictOfTheRecord();
  void aLockedRigEndsItInTheCommandsWords();
  void endWaitsForTheSensorAtHandAndBreaksOffWhenAskedAgain();
  void aQuestionOfTheRigIsAnsweredInTheField();
  void stopWorksWhileTheFieldHasTheFocus();
  void theLabelIsSavedAsPdfAndAsText();
  void theDayAndTheSettingsAreThereAgainAfterARestart();
  void withoutARigOrFolderItSaysWhatIsMissing();
  void closingTheWindowEndsItInOrder();
  void parametersWithLimitsAreOffered();
};

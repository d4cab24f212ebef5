#pragma once
#include <QObject>

class ProtocolTest : public QObject {
  Q_OBJECT
 private slots:
  void aTemplateShowsItsStepsAndWhatItTells();
  void aFieldIsTypedAndTheDryRunFollows();
  void whatIsNoNumberIsToldAndChangesNothing();
  void aSpeedThatTheStageCantDoKeepsItFromRunning();
  void stepsAreMovedRemovedAndBroughtBackByKeys();
  void aRefusedNumberAddsTheProtocolThatRecordsIt();
  void changedStepsAreSavedBeforeTheSessionTakesThem();
  void fieldsOfEveryKindOfStepComeFromTheSchema();
  void whatIsTypedBecomesWhatAFileSays();
  void targetsTellTheirTimeAndTheSessionTakesThem();
  void aRunThatChoosesItsPressesIsAnsweredAndShown();
};

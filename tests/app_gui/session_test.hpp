#pragma once
#include <QObject>

class SessionTest : public QObject {
  Q_OBJECT
 private slots:
  void connectingMovesNothingAndShowsWhatComes();
  void liveReadingsBecomeNewtonsWithAModelThatFits();
  void shearIsDrawnForArraysThatHaveIt();
  void stopIsWrittenOnPressByMouse();
  void stopButtonTellsHowFastItsLineAnswersAndWhenItDoesNot();
  void stopKeysWorkEverywhere_data();
  void stopKeysWorkEverywhere();
  void escClosesADialogAndStopsOnlyWhenHeld();
  void stopGetsThroughWhenTheOtherConnectionIsStuck();
  void aStopLocksUntilItIsAcknowledgedByHolding();
  void modesFollowTheRigProcess();
  void oldForceIsNoNumber();
  void setUpRunsByMouseAndKey();
  void jogMovesOnlyWhileHeldAndFocused();
  void jogWorksWhilePausedAndNotWhileRunning();
  void jogStepsMoveOncePerPress();
  void armingNeedsTheChecksAndStartsOnTheSecondF5();
  void aRecordingThatWasCutOffIsOfferedAtTheStart();
  void pauseRepeatSkipAndEndReachTheRig();
  void ctrlZTakesAPressBackWhereTheRunIsSeen();
  void notesAndMarkersReachTheRecording();
  void whatIsNotRecordedYetTakesNoNotes();
  void coverageShowsWhatTheRunHasPressed();
  void aQuestionIsAnsweredInThePanel();
  void aQuestionShowsTheForceSensorsAxes();
  void theSummaryOffersFitAndResume();
  void aRigProcessThatDiesLeavesTheStageUnknown();
  void aLostRigIsUnknownUntilItIsConnectedAgain();
  void aFaultIsAcknowledgedOnlyOnceItsCauseIsGone();
  void aButtonSwitchedOffWhileItIsHeldDoesNothing();
  void anAcknowledgementThatIsRefusedSaysWhy();
  void theMagnitudeOfAForceIsOfAllAxesAndNeverNegative();
  void openInFitFitsThatRecordingAlone();
  void closingWhileRecordingPausesAndAsks();
  void theVirtualRigConnectsAndStops();
};

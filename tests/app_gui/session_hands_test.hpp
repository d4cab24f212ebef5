#pragma once

#include <QObject>

/// What the Session page does for who stands at the rig: what is kept, where things stay.
class SessionHandsTest : public QObject {
  Q_OBJECT
 private slots:
  void aFaultKeepsTheForceThatWasBeforeIt();
  void theMessageOfALockSaysWhatToLookAtAndGoesWithIt();
  void nothingMovesUnderAHandInSetUp();
  void anArmedRecordingIsDisarmedByKey();
  void endingEarlyIsAskedAndKeepsRecordingByDefault();
  void aRecordingThatEndsLetsNoHeldButtonGo();
  void depthAndTheWayLeftStandBesideThePosition();
  void theTipGoesOverTheChosenTactelAndNeverLowOrFurtherThanAsked();
  void theTactelsUnderTheTipAreTraced();
  void theRoomsTemperatureGoesIntoTheRecording();
  void aMarkerHasAButton();
  void whatWasPressedBeforeAResumeIsCovered();
};

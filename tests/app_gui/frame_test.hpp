#pragma once
#include <QObject>

class FrameTest : public QObject {
  Q_OBJECT
 private slots:
  void withoutDevicesTheSafetyBarShowsNoNumber();
  void aLimitIsShownOnceSomebodySetsOne();
  void pressingStopWithoutAStageSaysSo();
  void theModesDetailIsReadWithoutItsTip();
  void everyMenuEntryExplainsItselfAndKeysAreUnique();
  void controlTabGoesRoundTheAreas();
  void f1HelpsOnEveryPage();
  void linksOfTheManualLeadToItsOtherPagesAndBack();
  void aDamagedFileSaysWhatIsSafeAndWhatToDo();
  void onlyTheNewestMessageAboutAFileStays();
  void aModelIsSavedThroughTheDialog();
};

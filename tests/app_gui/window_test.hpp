#pragma once
#include <QObject>

class WindowTest : public QObject {
  Q_OBJECT
 private slots:
  void theExampleOpensAndAPressIsExcludedWithKeys();
  void aRecordingIsLookedAtWithTheMouse();
  void aModelThatFitsShowsNewtons();
  void theContactPointIsDragged();
  void anUndoneContactMoveIsAsFoundAgain();
  void aDamagedFileOpensAndSaysSo();
  void aDamagedFileOpensReadOnlyWithItsWholePresses();
  void aBrokenFileIsRefusedInTheMessageBar();
  void aFileAskedForTwiceWhileItOpensIsOpenOnce();
  void theThemeIsSwitchedWithAKey();
  void theStateSurvivesARestart();
  void everyPageIsReachedWithItsKey();
  void theSafetyBarIsThereOnEveryPage();
  void theSmallestWindowCutsNoButtonOff_data();
  void theSmallestWindowCutsNoButtonOff();
  void aLargeBannerLeavesRoomForStop();
  void aWindowIsNeverLargerThanItsScreen();
  void filesAreDroppedIntoTheWindow();
  void whatTheStatusBarSaysGoesAfterAWhile();
  void noPageBeginsWithTheFocusOnStop();
  void closingDuringWorkIsSafe();
  void forceOverDepthShowsWhereTheReplayIs();
  void recentFilesShowWhatTheyHold();
};

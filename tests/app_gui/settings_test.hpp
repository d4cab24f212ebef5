#pragma once
#include <QObject>

class SettingsTest : public QObject {
  Q_OBJECT
 private slots:
  void cleanup();  // the theme is the application's
  void appearanceIsAppliedAtOnceAndKept();
  void whatMenusChangeIsShown();
  void theFolderIsTheLibrarysAndTheRecordings();
  void aFolderThatIsNoneIsRefusedBesideTheField();
  void operatorAndRigFilesAreTheSameOnEveryPage();
  void recentFilesAreForgotten();
  void defaultsComeBackAndGoAgain();
  void soundsAreMadeOnlyWhereSomebodyWantsThem();
};

#pragma once
#include <QObject>

class BenchTest : public QObject {
  Q_OBJECT
 private slots:
  void theVirtualBenchStartsByMouseAndShowsItsDevices();
  void theVirtualBenchIsTheRigOfTheSessionPage();
  void devicesThatARigProcessHasAreNotOpenedBesideIt();
  void theVirtualBenchStartsAndEndsByKey();
  void theVirtualBenchFailsAndWorksAgainByMouse();
  void answersToStopAreShownByTheirTime();
  void aDeviceThatFallsSilentIsBadAndItsNumbersAreGone();
  void aDeviceFileConnectsAndAWrongOneIsExplained();
  void portsAndChecksFollowTheRulesOfModels();
  void theCommandFitsWhatIsConnected();
  void limitsAndGeometryAreThoseOfTheRig();
  void aRigFileIsChosenAndAWrongOneIsExplained();
  void theLimitsArePrinted();
};

#pragma once
#include <QObject>

class SessionContactTest : public QObject {
  Q_OBJECT
 private slots:
  void aPressIsDrawnAsLoadingAndUnloading();
  void dragIsOfTheAxesAcrossThePressingOne();
  void aSlideBringsTheDragAndTheNextPressThePress();
  void whatWasPickedStays();
  void theAllowedSpeedStandsBesideTheJogPad();
  void aNarrowWindowKeepsTheImageAndTheJogPadInSight();
  void armStaysInSight();
};

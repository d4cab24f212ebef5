#pragma once
#include <QObject>

class SessionContactTest : public QObject {
  Q_OBJECT
 private slots:
  void aPressIsDrawnAsLoadingAndUnloading();
  void dragIsOfTheAxesAcrossThePressingOne();
  void dragPointsAlongTheArraysAxes();
  void aSlideBringsTheDragAndTheNextPressThePress();
  void whatWasPickedStays();
  void theAllowedSpeedStandsBesideTheJogPad();
  void aNarrowWindowKeepsTheImageAndTheJogPadInSight();
  void halfAsLargeTextAgainNeedsNoScrolling();
  void armStaysInSight();
};

#pragma once
#include <QObject>

/// The Fit page's plots of friction, damping, relaxation, point spread and pressure field.
class FitDynamicsTest : public QObject {
  Q_OBJECT
 private slots:
  void slidesShowTheStribeckCurveLoopsAndCorrelations();
  void holdsShowTheirRelaxation();
  void pressesShowTheForceThatTheirSpeedGains();
  void pressesShowTheirSpreadAndThePressureField();
  void recordingsWithoutSlidesOrHoldsSayWhatToRecord();
  void correlationsAreTheCovariancesOverTheirRoots();
};

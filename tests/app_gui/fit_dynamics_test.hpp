#pragma once
#include <QObject>

/// The Fit page's plots of friction, damping and relaxation.
class FitDynamicsTest : public QObject {
  Q_OBJECT
 private slots:
  void slidesShowTheStribeckCurveLoopsAndCorrelations();
  void holdsShowTheirRelaxation();
  void pressesShowTheForceThatTheirSpeedGains();
  void recordingsWithoutSlidesOrHoldsSayWhatToRecord();
  void correlationsAreTheCovariancesOverTheirRoots();
};

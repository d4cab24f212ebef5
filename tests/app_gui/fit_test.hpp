#pragma once
#include <QObject>

/// The Fit page in the real window.
class FitTest : public QObject {
  Q_OBJECT
 private slots:
  void theExampleIsFittedAndAnExcludedPressChangesTheNumbers();
  void theResultsAreTheTruthOfTheRecording();
  void theVerdictNamesWhatIsMissing();
  void anExcludedPressIsUndoneFromTheFitPage();
  void aFitIsCancelledWithTheButtonAndKeepsTheStagesThatEnded();
  void aCancelledRefitKeepsTheLastValidNumbers();
  void theWindowClosesDuringAFit();
  void anEditDuringAFitIsInItsResult();
  void theArrowKeysInTheMapChooseTheCurve();
  void aPointOfTheChosenPressIsClickedToExcludeIt();
  void anUntickedStageIsNotFitted();
  void everythingIsReachedWithTheKeyboardAlone();
  void anUnsavedModelAsksBeforeItIsDiscarded();
  void aModelFileAloneShowsItsNumbers();
  void thePageIsEmptyWithoutData();
  void aPlotAndAMapAreReadAsTables();
  void theNearestPointSaysItsValuesAndItsResidualLightsUp();
  void aRecordingIsLeftOutByItsTick();
  void theModelsOfTheFitKeepTheRulesOfModels();
  void aNarrowWindowFoldsTheRightColumnIntoATab();
};

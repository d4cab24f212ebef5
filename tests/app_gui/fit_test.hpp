#pragma once
#include <QObject>

/// Fitting in the real window: edits, choices, cancel, close.
class FitTest : public QObject {
  Q_OBJECT
 private slots:
  void theExampleIsFittedAndAnExcludedPressChangesTheNumbers();
  void theResultsAreTheTruthOfTheRecording();
  void anExcludedPressIsUndoneFromTheFitPage();
  void aFitIsCancelledWithTheButtonAndKeepsTheStagesThatEnded();
  void nothingStartsByItselfAfterACancel();
  void aCancelledRefitKeepsTheLastValidNumbers();
  void theWindowClosesDuringAFit();
  void anEditDuringAFitIsInItsResult();
  void anUntickedStageIsNotFitted();
  void anUnsavedModelAsksBeforeItIsDiscarded();
  void aModelFileAloneShowsItsNumbers();
  void aSecondRecordingIsOnlyLookedAt();
  void joiningAsksAndTheDefaultIsAlone();
  void recordingsAreFittedTogetherWhenSomebodySaysSo();
  void sensorsAreNeverMixed();
  void aRecordingWithoutASerialNumberIsTakenOnTrust();
  void theFitKeyFitsWhatIsShown();
  void aMissingNumberLeadsToItsProtocol();
  void theTruthOfASimulatedPadLiesOverItsNumbers();
  void anotherModelLiesBesideTheNumbers();
  void optionsOfTheFitAreThoseOfTheCommandLine();
};

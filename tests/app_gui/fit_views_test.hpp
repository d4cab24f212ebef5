#pragma once
#include <QObject>

/// What the Fit page shows, and how it is reached.
class FitViewsTest : public QObject {
  Q_OBJECT
 private slots:
  void theVerdictNamesWhatIsMissing();
  void theArrowKeysInTheMapChooseTheCurve();
  void aPointOfTheChosenPressIsClickedToExcludeIt();
  void everythingIsReachedWithTheKeyboardAlone();
  void thePageIsEmptyWithoutData();
  void aPlotAndAMapAreReadAsTables();
  void theNearestPointSaysItsValuesAndItsResidualLightsUp();
  void theModelsOfTheFitKeepTheRulesOfModels();
  void aNarrowWindowFoldsTheRightColumnIntoATab();
  void theMapShowsWhatTheReadingsLieOffTheModel();
  void readingsAndResidualsAreSeenOverTime();
  void allTactelsAreSeenOverEachOther();
  void nothingIsScrolledForInAUsualWindow();
  void heldOutPressesHaveAColumnWhereThereAreAny();
  void warningsOfAStageAreOpenedByMouseAndKey();
};

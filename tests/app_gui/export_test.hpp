#pragma once
#include <QObject>

class ExportTest : public QObject {
  Q_OBJECT
 private slots:
  void typedQuantitiesAreConverted_data();
  void typedQuantitiesAreConverted();
  void theModelsAnswerAsModels();
  void withoutAModelThePageSaysWhatToDo();
  void thePreviewIsWhatTheCommandLineWrites();
  void everyFileOfAFormatIsShownAndWritten();
  void anExportedPadIsPressedAgainAndItsRecordShownAndWritten();
  void aScriptForASimulatorElsewhereIsAddedByTheKeyboard();
  void whatIsLeftOutIsShownBeforeTheButton();
  void aMissingValueIsAssumedWithItsUnitAndTakenBack();
  void aWrongAssumptionIsExplainedAndNotTaken();
  void aFormatThatCannotBeWrittenSaysWhy();
  void aFileIsSavedAndOverwrittenOnlyOnRequest();
  void aFolderThatCannotBeWrittenIsReported();
  void theCommandCopiedWritesTheSameFile();
  void anotherModelStartsWithoutAssumptions();
  void drawsFromTheCovarianceAreThoseOfTheCommandLine();
};

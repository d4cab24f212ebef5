#pragma once
#include <QObject>

class ModelsTest : public QObject {
  Q_OBJECT
 private slots:
  void thePressModelKeepsTheRulesOfModels();
  void aPressIsExcludedByItsCheckBoxAndComesBackByUndo();
  void anExclusionIsWrittenToTheFileAsAnEdit();
  void theUndoOfAnExclusionIsAnEditToo();
  void aSessionFolderRefusesDecisionsAndSaysWhy();
  void theLibraryModelKeepsTheRulesOfModels();
  void theFleetModelKeepsTheRulesOfModels();
  void theLibrarySaysWhatFilesHold();
  void theLibraryFindsFilesByAllWords();
  void figuresOfAStageHaveWordsAndUnits();
};

#pragma once
#include <QObject>

class ImportTest : public QObject {
  Q_OBJECT
 private slots:
  void aDroppedTableIsUnderstoodAskedAboutImportedAndFitted();
  void theSameByKeysAlone();
  void aMapThatIsEditedIsTriedAtOnceAndSaysWhatIsWrong();
  void whatAColumnIsIsPickedInTheTableByMouseAndKey();
  void filesThatAreThereAreNotReplacedUnasked();
  void aFileThatIsNoTableSaysSo();
  void largeTextInASmallWindowIsNotCutOff();
};

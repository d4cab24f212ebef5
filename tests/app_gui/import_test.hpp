#pragma once
#include <QObject>

class ImportTest : public QObject {
  Q_OBJECT
 private slots:
  void aDroppedTableIsUnderstoodAskedAboutImportedAndFitted();
  void theSameByKeysAlone();
  void aMapThatIsEditedIsTriedAtOnceAndSaysWhatIsWrong();
  void filesThatAreThereAreNotReplacedUnasked();
  void aFileThatIsNoTableSaysSo();
};

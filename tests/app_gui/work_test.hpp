#pragma once
#include <QObject>

class WorkTest : public QObject {
  Q_OBJECT
 private slots:
  void filesAreDroppedOnWhateverPageAndWidget_data();
  void filesAreDroppedOnWhateverPageAndWidget();
  void noRecordingIsReadInTheThreadOfTheWindow();
  void twoHundredModelsAreListedByWorkers();
};

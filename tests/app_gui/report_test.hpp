#pragma once
#include <QObject>

class ReportTest : public QObject {
  Q_OBJECT
 private slots:
  void withoutAModelThePageSaysWhatToDo();
  void afterAFitTheReportIsOneKeyAway();
  void whatIsSavedIsWhatTheCommandLineWrites_data();
  void whatIsSavedIsWhatTheCommandLineWrites();
  void pagesAreTurnedByKeysAndSpoken();
  void anEarlierModelIsAddedAndLeftOut();
  void thePagesArePrinted();
  void aPageAsWideAsFitsIsMovedAlong();
};

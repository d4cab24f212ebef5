#pragma once
#include <QObject>

class LogTest : public QObject {
  Q_OBJECT
 private slots:
  void messagesAndStatusWordsAreKeptNewestFirst();
  void eventsAreSearchedAndFilteredBySeverity();
  void theLogOutlivesTheWindow();
  void onlyTheNewestEventsAreReadAgain();
  void aLogThatCannotBeWrittenSaysSo();
  void stopFaultAndAcknowledgementAreReported();
  void aRecordingIsReportedFromBeginToEnd();
  void anEventLeadsToItsFileAndItsPage();
  void aReasonCodeIsExplained();
  void eventsAreCopiedAndSaved();
};

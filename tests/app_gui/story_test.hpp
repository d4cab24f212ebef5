#pragma once

#include <QObject>
#include <memory>

/// One story in one process: each part begins where the one before it ended.
class StoryTest : public QObject {
  Q_OBJECT
 public:
  StoryTest();
  ~StoryTest() override;

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void cleanupTestCase();
  void theBenchStartsByTheWindowsOwnButton();
  void setUpMovesTheStageByHand();
  void aProtocolIsMadeAndTakenOver();
  void itRecords();
  void aSensorThatFallsSilentIsAFault();
  void theRecordingIsResumedAfterIt();
  void stopStopsFromAnyPage();
  void theStoppedRecordingIsResumed();
  void theRigProcessIsKilledAndStartedAgain();
  void theRecordingEndsWhole();
  void itsModelIsFitted();
  void theModelIsComparedWithImages();
  void theModelIsExported();
  void theReportIsSaved();
  void theEventLogHasItAll();

 private:
  struct Story;
  std::unique_ptr<Story> story_;
  bool failed_ = false;
};

#pragma once
#include <QObject>

class CompareExportTest : public QObject {
  Q_OBJECT
 private slots:
  void withoutAComparisonNothingIsSaved();
  void theImagesAreCopied();
  void imagesAreSavedAsWhatTheNameSays();
  void numbersByTactelAreThoseThatAreShown();
  void figuresAreSavedAsATable();
  void theCopiedCommandPrintsWhatThePageShows();
};

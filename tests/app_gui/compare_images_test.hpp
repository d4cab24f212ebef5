#pragma once
#include <QObject>

class CompareImagesTest : public QObject {
  Q_OBJECT
 private slots:
  void nothingIsCutOffInTheSmallestWindow_data();
  void nothingIsCutOffInTheSmallestWindow();
  void contoursOutlineBothImages();
  void realAndSimulatedShareOneScale();
  void whatIsLeftIsRealLessSimulated();
};

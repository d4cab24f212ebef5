#pragma once
#include <QObject>

class CompareImagesTest : public QObject {
  Q_OBJECT
 private slots:
  void nothingIsCutOffInTheSmallestWindow_data();
  void nothingIsCutOffInTheSmallestWindow();
  void contoursOutlineBothImages();
  void theOutlineIsThatOfTheContact();
  void aCrossMarksTheCentreOfForce();
  void realAndSimulatedShareOneScale();
  void whatIsLeftIsRealLessSimulated();
  void newtonsAreChosenByKeyAndByMouse();
  void whatCannotBeReadIsMarked();
  void anotherScaleLeavesTheIndenterWhereItWasMoved();
};

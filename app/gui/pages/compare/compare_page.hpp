#pragma once
// What a model predicts of recorded image presses: real, simulated, difference, the figures of each
// press and of all. The numbers are those of `tactelier compare`.

#include "app/gui/pages/compare/comparison_runner.hpp"
#include "app/gui/pages/compare/contact_lines.hpp"
#include "app/gui/pages/compare/image_triptych.hpp"
#include "app/gui/widgets/page.hpp"
#include "app/workflow/pose_registration.hpp"

class QAction;
class QComboBox;
class QFrame;
class QSplitter;
class QStackedLayout;

namespace tactelier::gui {

class ChoiceBar;
class CompareExports;
class FigurePanel;
class FoldingColumns;
class ImagePanel;
class NudgeBar;
class PressBar;
class ProfilePanel;

class ComparePage : public Page {
  Q_OBJECT
 public:
  explicit ComparePage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QString asCommand() const override;
  QString whyNoCommand() const override;
  void saveState(QSettings& settings) const override;
  void restoreState(QSettings& settings) override;

  const ComparisonRunner& runner() const { return *runner_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildEmpty();
  QWidget* buildPanels();
  void buildHeader();
  void connectState();
  void addCursorKeys();
  void fillRecordings();
  void follow();
  void showHeader();
  void showVerdict();
  void showResult();
  void showImage(int place);
  void showNudged();
  /// What the triptych holds, once more: another unit, scale or mark.
  void showLooks();
  void showProfile();
  void fitPlace();
  /// The image whose turn it is; nullptr without one.
  const ComparedImage* shownImage() const;
  /// Of the model and method that are shown; nullptr where it can't be made.
  const ImagePredictor* predictor();
  TriptychContent contentOf(const ComparedImage& image) const;
  ImageScales scalesFor(const ComparedImage& image) const;
  QString imageWords(const ComparedImage& image, int place) const;
  /// What stands above the images once they are saved.
  QStringList pictureLines() const;
  /// The method whose images are shown.
  QString method() const;

  ComparisonRunner* runner_;
  QAction* run_ = nullptr;
  QComboBox* recordings_ = nullptr;
  QStackedLayout* stack_ = nullptr;
  QWidget* empty_ = nullptr;
  QWidget* panels_ = nullptr;
  QFrame* verdict_ = nullptr;
  QLabel* headline_ = nullptr;
  QLabel* notes_ = nullptr;
  ChoiceBar* choices_ = nullptr;
  CompareExports* exports_ = nullptr;
  PressBar* bar_ = nullptr;
  ImageTriptych* triptych_ = nullptr;
  QComboBox* shown_method_ = nullptr;
  NudgeBar* nudge_ = nullptr;
  ImagePanel* images_ = nullptr;
  ProfilePanel* profile_ = nullptr;
  FigurePanel* figures_ = nullptr;
  QSplitter* split_ = nullptr;
  FoldingColumns* row_ = nullptr;
  ComparisonPtr comparison_;                 // what is shown
  std::vector<std::size_t> listed_;          // of its images, those of the method
  int place_ = 0;                            // in listed_
  std::optional<ImageUnits> units_;          // of its model
  std::optional<ContactLines> lines_;        // of its model
  std::optional<ComparedImage> shown_;       // as recorded, or moved by hand
  std::optional<ImagePredictor> predictor_;  // for images moved by hand
  QString predictor_of_;                     // its method
  ModelPtr predictor_model_;                 // which it refers to
};

}  // namespace tactelier::gui

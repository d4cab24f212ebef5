#pragma once
// A model for a simulator: format, the text as it would be written, what is left out, assumptions,
// save.

#include <vector>

#include "app/gui/widgets/page.hpp"

class QListView;
class QSplitter;
class QStackedLayout;

namespace tactelier {
struct FormatPreview;
struct Sidecar;
}  // namespace tactelier

namespace tactelier::gui {

class AssumePanel;
class DrawChoice;
class ExportDraft;
class ExportProof;
class FilePreview;
class FormatModel;
class LossPanel;
class Panel;

class ExportPage : public Page {
  Q_OBJECT
 public:
  explicit ExportPage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QString asCommand() const override;
  QString whyNoCommand() const override;
  bool takes(QAction* action) override;
  void saveState(QSettings& settings) const override;
  void restoreState(QSettings& settings) override;

 private:
  QWidget* buildEmpty();
  QWidget* buildPanels();
  QWidget* buildLeft();
  QWidget* buildRight();
  void sizeParts();
  void follow();
  void showFormat();
  void showHeader();
  void showProof(const FormatPreview* preview, bool ready);
  /// nullptr: none can be shown.
  const FormatPreview* chosen() const;
  QString proposedFile() const;
  void askSave();
  void save(const QString& file, const FormatPreview& preview, std::vector<Sidecar> proof);
  void saveDraws(const QString& file, const FormatPreview& preview);
  void sayNotWritten(const Error& error);

  ExportDraft* draft_;
  ExportProof* proof_;
  FormatModel* formats_;
  QStackedLayout* stack_ = nullptr;
  QWidget* empty_ = nullptr;
  QWidget* panels_ = nullptr;
  QWidget* left_ = nullptr;
  QListView* list_ = nullptr;
  Panel* formats_panel_ = nullptr;
  QPushButton* export_ = nullptr;
  QPushButton* verify_ = nullptr;
  DrawChoice* draws_ = nullptr;
  QLabel* count_ = nullptr;
  FilePreview* preview_ = nullptr;
  LossPanel* loss_ = nullptr;
  AssumePanel* assume_ = nullptr;
  QSplitter* split_ = nullptr;
  QString wanted_;  // id of the format chosen last
};

}  // namespace tactelier::gui

#pragma once
// The report of the open model: its pages as they will be printed, save as PDF or HTML.

#include <memory>

#include "app/gui/widgets/page.hpp"

class QComboBox;
class QPrinter;
class QStackedLayout;
class QToolButton;

namespace tactelier::gui {

struct DraftedReport;
class PagePreview;
class Panel;
class ReportDraft;

class ReportPage : public Page {
  Q_OBJECT
 public:
  explicit ReportPage(const PageContext& context, QWidget* parent = nullptr);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QString asCommand() const override;
  QString whyNoCommand() const override;
  void saveState(QSettings& settings) const override;
  void restoreState(QSettings& settings) override;

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* buildEmpty();
  QWidget* buildPanels();
  void follow();
  QString proposedFile(const QString& suffix) const;
  void askSave(const QString& suffix, const QString& kind);
  void save(const QString& file);
  void askPrint();
  void print(const std::shared_ptr<const DraftedReport>& report, std::shared_ptr<QPrinter> printer);
  void askBeside();
  void fillBesideMenu();

  ReportDraft* draft_;
  QStackedLayout* stack_ = nullptr;
  QWidget* empty_ = nullptr;
  QWidget* panels_ = nullptr;
  Panel* panel_ = nullptr;
  PagePreview* preview_ = nullptr;
  QComboBox* paper_ = nullptr;
  QPushButton* print_ = nullptr;
  QPushButton* save_pdf_ = nullptr;
  QPushButton* save_html_ = nullptr;
  QToolButton* wide_ = nullptr;
  QToolButton* before_ = nullptr;
  QToolButton* after_ = nullptr;
  QPushButton* beside_ = nullptr;
  QLabel* words_ = nullptr;
};

}  // namespace tactelier::gui

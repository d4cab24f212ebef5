#pragma once
// A table from elsewhere: what 'import --guess' understood of it, drawn; the questions that no
// table answers; the map, which may be edited; then the recording and its fit.

#include "app/gui/widgets/page.hpp"
#include "app/workflow/preview_import.hpp"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QStackedWidget;
class QTimer;

namespace tactelier::gui {

class ImportColumns;
class ImportPlot;
class Panel;
class QuestionPanel;
class Segmented;

class ImportPage : public Page {
  Q_OBJECT
 public:
  explicit ImportPage(const PageContext& context, QWidget* parent = nullptr);
  /// A table, or a folder of tables that are alike.
  void open(const QString& source);
  QString helpText() const override;
  QWidget* firstFocus() override;
  QString asCommand() const override;
  QString whyNoCommand() const override;

 private:
  QWidget* buildLeft();
  QWidget* buildRight();
  QLineEdit* pathRow(Panel* panel, const QString& label, const char* name, const QString& tip);
  void askTable();
  void askMap();
  void preview();
  void pick(const QString& column, const QString& target, const QString& unit);
  void show(const ImportPreview& preview);
  void showColumns();
  void showPlots(const ImportPreview& preview);
  void showMessages(const ImportPreview* preview, const QString& trouble);
  void take();
  void openInFit(const QString& target);

  QString source_;
  GuessedMap guessed_;
  std::vector<PreviewSpan> spans_;
  bool own_map_ = false;  // somebody's own text, no longer the guess
  bool importable_ = false;
  int reading_ = 0;  // job of the preview
  QTimer* later_;
  QAction* import_;
  Segmented* views_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  ImportColumns* columns_ = nullptr;
  QPlainTextEdit* map_ = nullptr;
  QLabel* understood_ = nullptr;
  QLabel* legend_ = nullptr;
  Panel* found_ = nullptr;
  ImportPlot* force_ = nullptr;
  ImportPlot* readings_ = nullptr;
  QuestionPanel* questions_ = nullptr;
  QLabel* messages_ = nullptr;
  QLineEdit* map_file_ = nullptr;
  QLineEdit* target_ = nullptr;
  QCheckBox* replace_ = nullptr;
};

}  // namespace tactelier::gui

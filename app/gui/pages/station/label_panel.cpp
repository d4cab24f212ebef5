#include "app/gui/pages/station/label_panel.hpp"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QPlainTextEdit>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "app/gui/text/message.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/save_dialog.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::gui {
namespace {

constexpr double kTape_mm = 62;
constexpr double kMargin_mm = 3;
constexpr int kDpi = 300;
constexpr double kText_pt = 7;

}  // namespace

LabelPanel::LabelPanel(QWidget* parent) : Panel(tr("Label"), parent) {
  save_ = new QToolButton(this);
  save_->setObjectName(QStringLiteral("saveLabel"));
  save_->setProperty("look", "small");
  save_->setText(tr("Save label…"));
  save_->setToolTip(
      tr("As PDF for a printer, or as text. The station has written labels/ID.txt and .json "
         "already.\nlp labels/ID.txt"));
  save_->setEnabled(false);
  addTool(save_);
  setBodyMargins(4);
  preview_ = new QPlainTextEdit(this);
  preview_->setObjectName(QStringLiteral("labelPreview"));
  preview_->setAccessibleName(tr("Label"));
  preview_->setProperty("look", "plain");
  preview_->setReadOnly(true);
  preview_->setMinimumHeight(theme().px(60));
  preview_->setTabChangesFocus(true);
  preview_->setPlaceholderText(tr("The label of the sensor that is chosen above."));
  const auto size = [this] { preview_->setFont(theme().font(Type::kMono)); };
  size();
  connect(&theme(), &Theme::changed, this, size);
  body()->addWidget(preview_);
  connect(save_, &QToolButton::clicked, this, &LabelPanel::askSave);
}

void LabelPanel::show(const StationLabel& label) {
  label_ = label;
  preview_->setPlainText(text(label_text(label)));
  setCaption(text(label.id));
  save_->setEnabled(true);
}

void LabelPanel::askSave() {
  const auto proposal = QStringLiteral("%1/%2.pdf").arg(folder_, text(label_->id));
  askWhereToSave(
      this,
      {tr("Save the label"), proposal, tr("PDF (*.pdf);;Text (*.txt)"), QStringLiteral("pdf")},
      [this](const QString& path) { save(path); });
}

void LabelPanel::save(const QString& path) {
  const bool plain = path.endsWith(QStringLiteral(".txt"), Qt::CaseInsensitive);
  const auto written = plain ? write_text_file(path.toStdString(), label_text(*label_))
                             : writeLabelPdf(*label_, path);
  emit saved(written ? tr("The label is in %1.").arg(path)
                     : tr("The label was not saved: %1").arg(text(written.error().message)));
}

Result<void> writeLabelPdf(const StationLabel& label, const QString& path) {
  QTextDocument document;
  QFont font(QStringLiteral("DejaVu Sans Mono"));
  font.setPointSizeF(kText_pt);
  document.setDefaultFont(font);
  document.setDocumentMargin(0);
  document.setPlainText(text(label_text(label)));
  QPdfWriter writer(path);
  writer.setResolution(kDpi);
  writer.setTitle(text(label.id));
  document.documentLayout()->setPaintDevice(&writer);
  const double dots_per_mm = kDpi / 25.4;
  document.setTextWidth((kTape_mm - 2 * kMargin_mm) * dots_per_mm);
  const double height_mm = document.size().height() / dots_per_mm + 2 * kMargin_mm;
  writer.setPageSize(QPageSize(QSizeF(kTape_mm, std::ceil(height_mm)), QPageSize::Millimeter));
  writer.setPageMargins(QMarginsF(0, 0, 0, 0));
  QPainter painter;
  if (!painter.begin(&writer))
    return fail(ErrorCode::kIo, "{}: can't be written", path.toStdString());
  painter.translate(kMargin_mm * dots_per_mm, kMargin_mm * dots_per_mm);
  document.drawContents(&painter);
  return {};
}

}  // namespace tactelier::gui

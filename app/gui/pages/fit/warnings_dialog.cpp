#include "app/gui/pages/fit/warnings_dialog.hpp"

#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "app/gui/text/message.hpp"
#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {

QDialog* showWarnings(const QString& title, const Warnings& warnings, QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setObjectName(QStringLiteral("stageWarnings"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  QString html;
  for (const auto& warning : warnings) {
    const auto where =
        warning.where.empty()
            ? QString()
            : QStringLiteral("<br><i>%1</i>").arg(text(warning.where).toHtmlEscaped());
    html += QStringLiteral("<p><b>%1</b> %2%3</p>")
                .arg(text(warning.code).toHtmlEscaped(), text(warning.text).toHtmlEscaped(), where);
  }
  auto* words = new QTextBrowser(dialog);
  words->setObjectName(QStringLiteral("warningWords"));
  words->setAccessibleName(title);
  words->setHtml(html);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(words, 1);
  column->addWidget(buttons);
  dialog->resize(theme().px(560), theme().px(320));
  dialog->open();
  return dialog;
}

}  // namespace tactelier::gui

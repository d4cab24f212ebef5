#include "app/gui/widgets/save_dialog.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace tactelier::gui {
namespace {

void askToOverwrite(QWidget* parent, const QString& path, const std::function<void()>& save) {
  const QFileInfo info(path);
  auto* box = new QMessageBox(parent);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setObjectName(QStringLiteral("overwriteQuestion"));
  box->setWindowTitle(QFileDialog::tr("Overwrite the file?"));
  box->setText(QFileDialog::tr("%1 exists already.").arg(info.fileName()));
  box->setInformativeText(
      QFileDialog::tr("It is in %1. What it holds now would be gone.").arg(info.absolutePath()));
  auto* keep = box->addButton(QFileDialog::tr("Keep it"), QMessageBox::RejectRole);
  auto* overwrite = box->addButton(QFileDialog::tr("Overwrite %1").arg(info.fileName()),
                                   QMessageBox::DestructiveRole);
  overwrite->setObjectName(QStringLiteral("overwrite"));
  keep->setObjectName(QStringLiteral("keepFile"));
  box->setDefaultButton(keep);
  box->setEscapeButton(keep);
  QObject::connect(overwrite, &QPushButton::clicked, parent, save);
  box->open();
}

}  // namespace

void askWhereToSave(QWidget* parent, const SaveQuestion& question,
                    const std::function<void(const QString&)>& save) {
  auto* dialog = new QFileDialog(parent, question.title);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("saveDialog"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setFileMode(QFileDialog::AnyFile);
  dialog->setOption(QFileDialog::DontConfirmOverwrite);  // its own question says Yes and No
  dialog->setNameFilter(question.filter);
  if (!question.suffix.isEmpty()) dialog->setDefaultSuffix(question.suffix);
  const QFileInfo proposal(question.proposal);
  dialog->setDirectory(proposal.absolutePath());
  dialog->selectFile(proposal.fileName());
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, [parent, save](const QString& path) {
    if (QFileInfo::exists(path))
      askToOverwrite(parent, path, [save, path] { save(path); });
    else
      save(path);
  });
  dialog->open();
}

}  // namespace tactelier::gui

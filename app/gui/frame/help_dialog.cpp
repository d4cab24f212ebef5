#include "app/gui/frame/help_dialog.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {

QString manualFolder() {
  QDir folder(QCoreApplication::applicationDirPath());
  if (const auto packaged = folder.filePath(QStringLiteral("../share/doc/tactelier/docs"));
      QDir(packaged).exists())
    return QDir::cleanPath(packaged);
  do {
    if (folder.exists(QStringLiteral("docs/codes.md")))
      return folder.filePath(QStringLiteral("docs"));
  } while (folder.cdUp());
  return {};
}

QVariant ManualView::loadResource(int type, const QUrl& name) {
  const auto resource = QTextBrowser::loadResource(type, name);
  if (type != QTextDocument::ImageResource) return resource;
  auto picture = resource.value<QImage>();
  if (picture.isNull()) picture.loadFromData(resource.toByteArray());
  const int widest = window()->width() - theme().px(80);  // the view may not be laid out yet
  return picture.width() <= widest ? picture
                                   : picture.scaledToWidth(widest, Qt::SmoothTransformation);
}

HelpDialog::HelpDialog(const QString& title, const QString& words, const QString& page,
                       QWidget* parent)
    : QDialog(parent) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Help: %1").arg(title));
  resize(theme().px(820), theme().px(680));
  auto* column = new QVBoxLayout(this);
  auto* paragraph = new QTextBrowser(this);
  paragraph->setObjectName(QStringLiteral("helpWords"));
  paragraph->setAccessibleName(tr("About this page"));
  paragraph->setHtml(words);
  column->addWidget(paragraph, 1);
  auto* foot = new QHBoxLayout;
  const QDir manual(manualFolder());
  if (manualFolder().isEmpty() || !manual.exists(page)) {
    foot->addWidget(new QLabel(tr("The manual is not installed."), this), 1);
  } else {
    auto* view = new ManualView(this);
    view->setObjectName(QStringLiteral("manual"));
    view->setAccessibleName(tr("Manual"));
    view->setOpenExternalLinks(true);
    column->addWidget(view, 3);
    auto* back = new QPushButton(tr("Back"), this);
    back->setEnabled(false);
    connect(view, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(back, &QPushButton::clicked, view, &QTextBrowser::backward);
    auto* contents = new QPushButton(tr("Contents"), this);
    connect(contents, &QPushButton::clicked, view, [view, manual] {
      view->setSource(QUrl::fromLocalFile(manual.filePath(QStringLiteral("README.md"))));
    });
    foot->addWidget(back);
    foot->addWidget(contents);
    foot->addStretch(1);
    view->setSource(QUrl::fromLocalFile(manual.filePath(page)));
  }
  auto* close = new QPushButton(tr("Close"), this);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  foot->addWidget(close);
  column->addLayout(foot);
}

}  // namespace tactelier::gui
